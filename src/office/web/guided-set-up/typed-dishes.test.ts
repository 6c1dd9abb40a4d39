import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  isUnsaved,
  newDishOperations,
  readTypedDishes,
  repeatedRows,
  shownRow,
  changeTypedRow,
} from '#office/web/guided-set-up/typed-dishes.ts';

const nothing = { store_id: 'store', version: 1, menus: [], categories: [], items: [], option_groups: [], options: [] };

test('rows become dishes, empty ones are skipped, and half-typed ones are named', () => {
  const rows = [
    { id: '1', name: ' Margherita ', price: '£9.50' },
    { id: '2', name: '', price: '' },
    { id: '3', name: 'Chips', price: '3' },
    { id: '4', name: '', price: '2' },
    { id: '5', name: 'Cola', price: 'much' },
    { id: '6', name: 'Water', price: '' },
  ];
  const { dishes, faults } = readTypedDishes(rows, 'GBP');
  expect(dishes.slice(0, 2)).toEqual([
    { id: '1', name: 'Margherita', price: 950 },
    { id: '3', name: 'Chips', price: 300 },
  ]);
  expect([...faults]).toEqual([
    ['4', 'name'],
    ['5', 'price'],
    ['6', 'price'],
  ]);
});

test('dishes stand under one category, which two evenings of typing share', () => {
  const dish = (id: string) => ({ id, name: `Dish ${id}`, price: 100 });
  const first = applyOperations(nothing, newDishOperations(nothing, 'store', 'Mains', [dish('1'), dish('2')]));
  const both = applyOperations(first, newDishOperations(first, 'store', ' mains', [dish('3')]));
  expect(both.menus.map(({ name }) => name)).toEqual(['Mains']);
  expect(both.categories.map(({ name, item_ids: ids }) => [name, ids])).toEqual([['Mains', ['1', '2', '3']]]);
});

test('a name that is on the menu or in an earlier row is noticed, however it is written', () => {
  const rows = ['Margherita', 'Cola', 'cola ', '', 'Jalapeno poppers', ''].map((name, at) => ({
    id: String(at),
    name,
    price: '5',
  }));
  expect([...repeatedRows(rows, [{ name: 'MARGHERITA' }, { name: 'Jalapeño poppers' }])]).toEqual(['0', '2', '4']);
});

test('a saved dish shows the menu’s values until its row is changed, and then those that were there', () => {
  const row = { id: '1', name: 'Soup', price: '5' };
  const saved = new Map([['1', { name: 'Tomato soup', price: 550 }]]);
  expect([isUnsaved(row, new Map()), isUnsaved(row, saved)]).toEqual([true, false]);
  expect(shownRow(row, saved, 'GBP')).toMatchObject({ name: 'Tomato soup', price: '£5.50' });
  const typed = changeTypedRow(shownRow(row, saved, 'GBP'), { price: '6' }, saved);
  expect(typed).toEqual({ id: '1', name: 'Tomato soup', price: '6', began: { name: 'Tomato soup', price: 550 } });
  expect(isUnsaved(typed, saved)).toBe(true);
  // Another owner's later change does not replace what the row began with.
  const changed = new Map([['1', { name: 'Soup of the day', price: 600 }]]);
  expect(shownRow(typed, changed, 'GBP')).toEqual(typed);
  expect(changeTypedRow(typed, { price: '7' }, changed).began).toEqual({ name: 'Tomato soup', price: 550 });
});
