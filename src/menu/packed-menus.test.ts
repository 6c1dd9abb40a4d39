import { expect, test } from 'vitest';
import type { Menu } from '#menu/menu-shapes.ts';
import { packMenus, unpackMenus } from '#menu/packed-menus.ts';
import { aGroup, aMenu, anItem, anOption } from '#ordering/testing/samples.ts';

const small = anOption('small', { price: 0, price_override: null, position: 0 });
const large = anOption('large', { price: 150, price_override: 150, position: 1 });
const size = aGroup('size', [small, large], { position: 0 });
const dip = aGroup('dip', [anOption('mayo', { price: 50, price_override: null, position: 0 })], { position: 1 });
const menus: Menu[] = [
  aMenu([
    anItem('chips', { position: 0, option_groups: [size, { ...dip, shown_when_option_id: 'large' }] }),
    anItem('wings', { position: 1, option_groups: [{ ...dip, position: 0 }] }),
  ]),
  aMenu([anItem('chips', { position: 5, option_groups: [size, { ...dip, shown_when_option_id: 'large' }] })], {
    id: 'late',
    position: 1,
  }),
];

test('unpacking gives back what was packed, through JSON too', () => {
  expect(unpackMenus(JSON.parse(JSON.stringify(packMenus(menus))))).toEqual(menus);
});

test('a thing that is used twice is written once', () => {
  const packed = packMenus(menus);
  expect(Object.keys(packed.items)).toEqual(['chips', 'wings']);
  expect(Object.keys(packed.groups)).toEqual(['size', 'dip']);
  expect(packed.items['chips']?.option_groups[1]?.[1]).toBe('large');
  expect(packed.items['wings']?.option_groups[0]?.[1]).toBeNull();
});

test('an option keeps the price that it has in each group', () => {
  const cheap = aGroup('cheap', [anOption('mayo', { price: 0, price_override: 0, position: 0 })], { position: 0 });
  const two = [
    aMenu([anItem('a', { position: 0, option_groups: [dip] }), anItem('b', { position: 1, option_groups: [cheap] })]),
  ];
  expect(unpackMenus(packMenus(two))).toEqual(two);
});
