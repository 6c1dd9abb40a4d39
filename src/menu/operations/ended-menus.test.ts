import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { endedMenus } from '#menu/operations/ended-menus.ts';
import { change, create, link, type MenuOperation, remove, reorder, unlink } from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';

const store = { timezone: 'Europe/London' };
/** A Saturday at noon in London. */
const now = new Date('2026-11-28T12:00:00Z');
const parts = sampleParts();
const ended = (...operations: MenuOperation[]) => endedMenus(store, parts, operations, now).map(({ name }) => name);

test.each<[string, MenuOperation[], string[]]>([
  ['hiding the menu', [change('menu', 'm1', { is_active: false })], ['All day']],
  ['deleting the menu', [remove('menu', 'm1')], ['All day']],
  [
    'serving it at another time of the day',
    [change('menu', 'm1', { availability: { days: ['Saturday'], from: '17:00', to: '23:00' } })],
    ['All day'],
  ],
  [
    'serving it at times that include now',
    [change('menu', 'm1', { availability: { days: ['Saturday'], from: '11:30', to: '15:00' } })],
    [],
  ],
  ['hiding its one category with dishes', [change('category', 'mains', { is_active: false })], ['All day']],
  ['hiding a category without dishes', [change('category', 'starters', { is_active: false })], []],
  ['hiding one of its dishes', [change('item', 'soup', { is_active: false })], []],
  [
    'hiding all of its dishes',
    [change('item', 'soup', { is_active: false }), change('item', 'pizza', { is_active: false })],
    ['All day'],
  ],
  ['taking all dishes out of it', [unlink('category', 'mains', ['soup', 'pizza'])], ['All day']],
  ['hiding a menu without dishes', [change('menu', 'm2', { is_active: false })], []],
  ['another price', [change('item', 'soup', { price: 1 })], []],
  ['another order', [reorder('category', 'mains', ['pizza', 'soup'])], []],
])('%s', (_, operations, names) => expect(ended(...operations)).toEqual(names));

test('a menu that is not served now, or is hidden already, cannot end', () => {
  const availability = { days: ['Sunday' as const], from: '11:30', to: '15:00' };
  const later = applyOperations(parts, [change('menu', 'm1', { availability })]);
  expect(endedMenus(store, later, [remove('menu', 'm1')], now)).toEqual([]);
  const hidden = applyOperations(parts, [change('menu', 'm1', { is_active: false })]);
  expect(endedMenus(store, hidden, [remove('menu', 'm1')], now)).toEqual([]);
});

test('dishes that stand in two menus are in both', () => {
  const both = applyOperations(parts, [
    create('category', { id: 'noon', name: 'Noon', menu_id: 'm2' }),
    link('category', 'noon', ['soup']),
  ]);
  const operations = [change('item', 'soup', { is_active: false })];
  expect(endedMenus(store, both, operations, now).map(({ name }) => name)).toEqual(['Lunch']);
});
