import { expect, test } from 'vitest';
import { applyOperations, menusTakenOffSale, mergeRequestedOrder } from '#menu/operations/apply-operation.ts';
import {
  changeOperation,
  linkedChildIds,
  createOperation,
  findPart,
  linkOperation,
  type MenuOperation,
  removeOperation,
  reorderOperation,
  unlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import fc from 'fast-check';

const parts = sampleParts();

test.each<[string, MenuOperation]>([
  ['a removed option', removeOperation('option', 'olives')],
  ['a removed group', removeOperation('group', 'topping')],
  ['a removed category', removeOperation('category', 'mains')],
  ['a changed dish', changeOperation('item', 'pizza', { price: 1 })],
  ['a linked dish', linkOperation('category', 'mains', ['loose'])],
  ['a group taken out', unlinkOperation('item', 'pizza', ['size'])],
])('what %s does not concern stays the very same, so that its line is not drawn again', (_, operation) => {
  const after = applyOperations(parts, [operation]);
  expect(after).not.toEqual(parts);
  expect(findPart(after, 'item', 'soup')).toBe(findPart(parts, 'item', 'soup'));
  expect(findPart(after, 'category', 'starters')).toBe(findPart(parts, 'category', 'starters'));
  expect(findPart(after, 'menu', 'm1')).toBe(findPart(parts, 'menu', 'm1'));
  expect(findPart(after, 'option', 'small')).toBe(findPart(parts, 'option', 'small'));
});

test('an order that was made for another list loses no entry of the current one', () => {
  const today = applyOperations(parts, [linkOperation('category', 'mains', ['loose'])]);
  const after = applyOperations(today, [reorderOperation('category', 'mains', ['pizza', 'gone', 'soup'])]);
  expect(linkedChildIds(after, 'category', 'mains')).toEqual(['pizza', 'loose', 'soup']);
});

test('operations on parts that no longer exist are ignored', () => {
  const gone: MenuOperation[] = [
    changeOperation('item', 'gone', { price: 1 }),
    removeOperation('category', 'gone'),
    linkOperation('group', 'gone', ['small']),
    unlinkOperation('item', 'gone', ['size']),
    reorderOperation('item', 'gone', []),
  ];
  expect(applyOperations(parts, gone)).toEqual(parts);
});

test.each([
  ['cab', 'abc', 'cab'],
  ['cab', 'abcd', 'cdab'],
  ['cab', 'xabc', 'xcab'],
  ['cab', 'ac', 'ca'],
  ['', 'ab', 'ab'],
])('wishing %s over %s gives %s', (wished, today, merged) => {
  expect(mergeRequestedOrder([...wished], [...today]).join('')).toBe(merged);
});

test('a merged order names every current entry exactly once, and keeps the wished order of the entries that remain', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
  fc.assert(
    fc.property(ids, ids, (wished, today) => {
      const merged = mergeRequestedOrder(wished, today);
      expect(merged.toSorted()).toEqual(today.toSorted());
      expect(merged.filter((id) => wished.includes(id))).toEqual(wished.filter((id) => today.includes(id)));
    }),
  );
});

const store = { timezone: 'Europe/London' };
/** A Saturday at noon in London. */
const now = new Date('2026-11-28T12:00:00Z');
const ended = (...operations: MenuOperation[]) =>
  menusTakenOffSale(store, parts, operations, now).map(({ name }) => name);

test.each<[string, MenuOperation[], string[]]>([
  ['hiding the menu', [changeOperation('menu', 'm1', { is_active: false })], ['All day']],
  ['deleting the menu', [removeOperation('menu', 'm1')], ['All day']],
  [
    'serving it at another time of the day',
    [changeOperation('menu', 'm1', { availability: { days: ['Saturday'], from: '17:00', to: '23:00' } })],
    ['All day'],
  ],
  [
    'serving it at times that include now',
    [changeOperation('menu', 'm1', { availability: { days: ['Saturday'], from: '11:30', to: '15:00' } })],
    [],
  ],
  ['hiding its one category with dishes', [changeOperation('category', 'mains', { is_active: false })], ['All day']],
  ['hiding a category without dishes', [changeOperation('category', 'starters', { is_active: false })], []],
  ['hiding one of its dishes', [changeOperation('item', 'soup', { is_active: false })], []],
  [
    'hiding all of its dishes',
    [changeOperation('item', 'soup', { is_active: false }), changeOperation('item', 'pizza', { is_active: false })],
    ['All day'],
  ],
  ['taking all dishes out of it', [unlinkOperation('category', 'mains', ['soup', 'pizza'])], ['All day']],
  ['hiding a menu without dishes', [changeOperation('menu', 'm2', { is_active: false })], []],
  ['another price', [changeOperation('item', 'soup', { price: 1 })], []],
  ['another order', [reorderOperation('category', 'mains', ['pizza', 'soup'])], []],
])('%s', (_, operations, names) => expect(ended(...operations)).toEqual(names));

test('a menu that is not served now, or is hidden already, cannot end', () => {
  const availability = { days: ['Sunday' as const], from: '11:30', to: '15:00' };
  const later = applyOperations(parts, [changeOperation('menu', 'm1', { availability })]);
  expect(menusTakenOffSale(store, later, [removeOperation('menu', 'm1')], now)).toEqual([]);
  const hidden = applyOperations(parts, [changeOperation('menu', 'm1', { is_active: false })]);
  expect(menusTakenOffSale(store, hidden, [removeOperation('menu', 'm1')], now)).toEqual([]);
});

test('dishes that stand in two menus are in both', () => {
  const both = applyOperations(parts, [
    createOperation('category', { id: 'noon', name: 'Noon', menu_id: 'm2' }),
    linkOperation('category', 'noon', ['soup']),
  ]);
  const operations = [changeOperation('item', 'soup', { is_active: false })];
  expect(menusTakenOffSale(store, both, operations, now).map(({ name }) => name)).toEqual(['Lunch']);
});
