import { expect, test } from 'vitest';
import type { Category, Item } from '#menu/menu-shapes.ts';
import { aGroup, aMenu, anItem, anOption } from '#ordering/testing/samples.ts';
import { pickShowcaseDishes } from '#storefront/showcase-dishes.ts';

const dish = (id: string, rest: Partial<Item> = {}) => anItem(id, { image: `/${id}.svg`, ...rest });
const category = (id: string, items: Item[]): Category => ({
  id,
  menu_id: 'm',
  name: id,
  description: '',
  image: null,
  is_active: true,
  position: 0,
  items,
});

test('the first dish of each category comes before the second of any', () => {
  const menu = aMenu([], { categories: [category('a', [dish('a1'), dish('a2')]), category('b', [dish('b1')])] });
  expect(pickShowcaseDishes([menu], 3).map(({ id }) => id)).toEqual(['a1', 'b1', 'a2']);
});

test('what cannot be had, has no picture, or is not for everyone is left out, and nothing is picked twice', () => {
  const twice = dish('twice');
  const gone = { is_available: false };
  const sizes = aGroup('size', [anOption('small', gone)], { min_select: 1 });
  const menu = aMenu([], {
    categories: [
      category('a', [dish('gone', gone), dish('sizeless', { option_groups: [sizes] })]),
      category('a', [anItem('plain'), dish('beer', { min_age: 18 }), twice]),
      category('b', [twice]),
    ],
  });
  expect(pickShowcaseDishes([menu], 5).map(({ id }) => id)).toEqual(['twice']);
});
