import { expect, test } from 'vitest';
import { findDishesAndOptions } from '#kitchen/web/board/sold-out.tsx';
import { indexMenus } from '#menu/menu-index.ts';
import { aGroup, aMenu, anItem, anOption } from '#ordering/testing/samples.ts';

const now = new Date('2026-11-21T18:00:00Z');
const olives = anOption('Black olives', { name: 'Black olives' });
const gone = anOption('Anchovies', {
  name: 'Anchovies',
  is_available: false,
  unavailable_until: '2026-11-22T05:00:00Z',
});
const index = indexMenus([
  aMenu([
    anItem('Pizza', { name: 'Pizza', option_groups: [aGroup('Toppings', [olives, gone], { name: 'Toppings' })] }),
    anItem('Salad', { name: 'Salad', option_groups: [aGroup('Extras', [olives], { name: 'Extras' })] }),
    anItem('Bread', { name: 'Bread', is_available: false, unavailable_until: '2026-11-21T17:00:00Z' }),
  ]),
]);
const names = (text: string) => findDishesAndOptions(index, text, now).map(({ name }) => name);

test('what is sold out stands first, then dishes, then options; one whose time has come is back', () => {
  expect(names('')).toEqual(['Anchovies', 'Bread', 'Pizza', 'Salad', 'Black olives']);
});

test('counted dishes stand before the others, and one without portions left is sold out', () => {
  const dishes = [anItem('Apple'), anItem('Roast', { portions_left: 3 }), anItem('Soup', { portions_left: 0 })];
  const found = findDishesAndOptions(indexMenus([aMenu(dishes)]), '', now);
  expect(found.map(({ name, portions_left: left }) => [name, left])).toEqual([
    ['Soup', 0],
    ['Roast', 3],
    ['Apple', null],
  ]);
});

test('an option that stands in two groups is there once, with both', () => {
  expect(findDishesAndOptions(index, 'black OL', now)).toMatchObject([{ kind: 'option', group: 'Toppings, Extras' }]);
  expect(names('nothing')).toEqual([]);
});

test('the dish of a deal stands there once, in place of the choice, also if only deals have it', () => {
  const rice = anItem('rice', { name: 'Rice', portions_left: 4 });
  const choices = [
    anOption('a', { name: 'Rice', item_id: 'rice', portions_left: 4 }),
    anOption('b', { name: 'Wine', item_id: 'wine', is_available: false }),
  ];
  const deal = anItem('deal', { name: 'Deal', option_groups: [aGroup('Sides', choices)] });
  const found = findDishesAndOptions(indexMenus([aMenu([deal, rice])]), '', now);
  expect(found.map(({ kind, id, portions_left: left }) => [kind, id, left])).toEqual([
    ['item', 'wine', null],
    ['item', 'rice', 4],
    ['item', 'deal', null],
  ]);
});

test('a dish is found in another spelling of its name', () => {
  const index = indexMenus([aMenu([anItem('Poppadoms', { name: 'Poppadoms' }), anItem('Naan', { name: 'Naan' })])]);
  const spelled = ['poppadum', 'Papadam', 'poppadoms', 'poppa'].map((text) => findDishesAndOptions(index, text, now));
  expect(spelled.map((found) => found.map(({ name }) => name))).toEqual(Array(4).fill(['Poppadoms']));
});

test('dishes are sorted as people do', () => {
  const named = ['Set 10', 'Set 9', 'Zurek', 'Éclair', 'eggs'].map((name) => anItem(name, { name }));
  const all = findDishesAndOptions(indexMenus([aMenu(named)]), '', now).map(({ name }) => name);
  expect(all).toEqual(['Éclair', 'eggs', 'Set 9', 'Set 10', 'Zurek']);
});
