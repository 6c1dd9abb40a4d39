import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTillDishes } from '#kitchen/web/till/new-order.tsx';
import type { IndexedItem } from '#menu/menu-index.ts';

const names = ['Chips', 'Large chips', 'Chicken wings x6', 'Jalapeño bites', '12. Chow mein', 'Cheese & chips'];
// The search reads names only.
const dish = (name: string): IndexedItem =>
  ({ item: { id: name, name, kitchen_name: name === 'Large chips' ? 'L CHIP' : null } }) as IndexedItem;
const index = { items: new Map(names.map((name) => [name, dish(name)])) };
const find = (typed: string) => {
  const { quantity, found } = findTillDishes(index, typed);
  return [quantity, ...found.map(({ item }) => item.name)];
};

test.each([
  ['', [1]],
  ['  ', [1]],
  ['chips', [1, 'Chips', 'Large chips', 'Cheese & chips']],
  ['CHIP', [1, 'Chips', 'Large chips', 'Cheese & chips']],
  ['l chip', [1, 'Large chips']],
  ['2 chips', [2, 'Chips', 'Large chips', 'Cheese & chips']],
  ['3x chips', [3, 'Chips', 'Large chips', 'Cheese & chips']],
  ['3 x chips', [3, 'Chips', 'Large chips', 'Cheese & chips']],
  ['wing chick', [1, 'Chicken wings x6']],
  ['jalapeno', [1, 'Jalapeño bites']],
  ['12', [1, '12. Chow mein']],
  ['12 chow', [1, '12. Chow mein']],
  ['2 12', [2, '12. Chow mein']],
  ['0 chips', [1]],
  ['pizza', [1]],
])('“%s” finds the right dishes, the likeliest first', (typed, expected) => {
  expect(find(typed)).toEqual(expected);
});

test('whatever is typed, it asks for between 1 and 99', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const { quantity } = findTillDishes(index, typed);
      expect(quantity).toBeGreaterThanOrEqual(1);
      expect(quantity).toBeLessThanOrEqual(99);
    }),
  );
});
