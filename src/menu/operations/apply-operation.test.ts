import { expect, test } from 'vitest';
import { applyOperations, menusTakenOffSale, mergeRequestedSequence } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  linkedChildIds,
  makeCreateOperation,
  findPart,
  makeLinkOperation,
  type MenuOperation,
  makeRemoveOperation,
  makeReorderOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import fc from 'fast-check';

const parts = sampleParts();

test.each<[string, MenuOperation]>([
  ['a removed option', makeRemoveOperation('option', 'olives')],
  ['a removed group', makeRemoveOperation('group', 'topping')],
  ['a removed category', makeRemoveOperation('category', 'mains')],
  ['a changed dish', makeChangeOperation('item', 'pizza', { price: 1 })],
  ['a linked dish', makeLinkOperation('category', 'mains', ['loose'])],
  ['a group taken out', makeUnlinkOperation('item', 'pizza', ['size'])],
])('what %s does not concern stays the very same, so that its line is not drawn again', (_, operation) => {
  const after = applyOperations(parts, [operation]);
  expect(after).not.toEqual(parts);
  expect(findPart(after, 'item', 'soup')).toBe(findPart(parts, 'item', 'soup'));
  expect(findPart(after, 'category', 'starters')).toBe(findPart(parts, 'category', 'starters'));
  expect(findPart(after, 'menu', 'm1')).toBe(findPart(parts, 'menu', 'm1'));
  expect(findPart(after, 'option', 'small')).toBe(findPart(parts, 'option', 'small'));
});

test('an order that was made for another list loses no entry of the current one', () => {
  const today = applyOperations(parts, [makeLinkOperation('category', 'mains', ['loose'])]);
  const after = applyOperations(today, [makeReorderOperation('category', 'mains', ['pizza', 'gone', 'soup'])]);
  expect(linkedChildIds(after, 'category', 'mains')).toEqual(['pizza', 'loose', 'soup']);
});

test('operations on parts that no longer exist are ignored', () => {
  const gone: MenuOperation[] = [
    makeChangeOperation('item', 'gone', { price: 1 }),
    makeRemoveOperation('category', 'gone'),
    makeLinkOperation('group', 'gone', ['small']),
    makeUnlinkOperation('item', 'gone', ['size']),
    makeReorderOperation('item', 'gone', []),
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
  expect(mergeRequestedSequence([...wished], [...today]).join('')).toBe(merged);
});

test('a merged order names every current entry exactly once, and keeps the wished order of the entries that remain', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
  fc.assert(
    fc.property(ids, ids, (wished, today) => {
      const merged = mergeRequestedSequence(wished, today);
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
  ['hiding the menu', [makeChangeOperation('menu', 'm1', { is_active: false })], ['All day']],
  ['deleting the menu', [makeRemoveOperation('menu', 'm1')], ['All day']],
  [
    'serving it at another time of the day',
    [makeChangeOperation('menu', 'm1', { availability: { days: ['Saturday'], from: '17:00', to: '23:00' } })],
    ['All day'],
  ],
  [
    'serving it at times that include now',
    [makeChangeOperation('menu', 'm1', { availability: { days: ['Saturday'], from: '11:30', to: '15:00' } })],
    [],
  ],
  [
    'hiding its one category with dishes',
    [makeChangeOperation('category', 'mains', { is_active: false })],
    ['All day'],
  ],
  ['hiding a category without dishes', [makeChangeOperation('category', 'starters', { is_active: false })], []],
  ['hiding one of its dishes', [makeChangeOperation('item', 'soup', { is_active: false })], []],
  [
    'hiding all of its dishes',
    [
      makeChangeOperation('item', 'soup', { is_active: false }),
      makeChangeOperation('item', 'pizza', { is_active: false }),
    ],
    ['All day'],
  ],
  ['taking all dishes out of it', [makeUnlinkOperation('category', 'mains', ['soup', 'pizza'])], ['All day']],
  ['hiding a menu without dishes', [makeChangeOperation('menu', 'm2', { is_active: false })], []],
  ['another price', [makeChangeOperation('item', 'soup', { price: 1 })], []],
  ['another order', [makeReorderOperation('category', 'mains', ['pizza', 'soup'])], []],
])('%s', (_, operations, names) => expect(ended(...operations)).toEqual(names));

test('a menu that is not served now, or is hidden already, cannot end', () => {
  const availability = { days: ['Sunday' as const], from: '11:30', to: '15:00' };
  const later = applyOperations(parts, [makeChangeOperation('menu', 'm1', { availability })]);
  expect(menusTakenOffSale(store, later, [makeRemoveOperation('menu', 'm1')], now)).toEqual([]);
  const hidden = applyOperations(parts, [makeChangeOperation('menu', 'm1', { is_active: false })]);
  expect(menusTakenOffSale(store, hidden, [makeRemoveOperation('menu', 'm1')], now)).toEqual([]);
});

test('dishes that stand in two menus are in both', () => {
  const both = applyOperations(parts, [
    makeCreateOperation('category', { id: 'noon', name: 'Noon', menu_id: 'm2' }),
    makeLinkOperation('category', 'noon', ['soup']),
  ]);
  const operations = [makeChangeOperation('item', 'soup', { is_active: false })];
  expect(menusTakenOffSale(store, both, operations, now).map(({ name }) => name)).toEqual(['Lunch']);
});
