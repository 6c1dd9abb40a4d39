import { expect, test } from 'vitest';
import type { Order } from '#ordering/order.ts';
import { aGroup, aMenu, anItem, anOption, aStore } from '#ordering/testing/samples.ts';
import { canReorderLine, planReorder } from '#ordering/web/order/reorder-button.tsx';

const now = new Date('2026-11-18T18:00:00Z');
const line = (item_id: string, unit_price: number, options: Order['lines'][number]['options'] = []) => ({
  id: `line-${item_id}`,
  item_id,
  name: item_id,
  kitchen_name: null,
  quantity: 2,
  unit_price,
  options,
  note: '',
  vat_rate: 2000,
  allergens: null,
  total: unit_price * 2,
});
const chosen = (option_id: string) => ({
  option_group_id: 'dip',
  option_id,
  group_name: 'Dip',
  name: option_id,
  quantity: 1,
  price: 0,
});
const dip = aGroup('dip', [anOption('mayo', { price: 0 })], { min_select: 0, max_select: 2 });
const plan = (lines: Order['lines'], items: Parameters<typeof aMenu>[0]) =>
  planReorder({ lines }, aStore(), [aMenu(items)], now);

test('an order of which nothing changed goes into the basket as it was', () => {
  const { lines, changes } = plan(
    [line('soup', 450, [chosen('mayo')])],
    [anItem('soup', { price: 450, option_groups: [dip] })],
  );
  expect(changes).toEqual([]);
  expect(lines).toMatchObject([{ item_id: 'soup', quantity: 2, seen_price: 450, options: [{ option_id: 'mayo' }] }]);
});

test('a new price is flagged, and the basket takes today’s', () => {
  const { lines, changes } = plan([line('soup', 450)], [anItem('soup', { price: 500 })]);
  expect(changes).toMatchObject([{ changedFrom: 450, now: { unit_price: 500 } }]);
  expect(lines).toMatchObject([{ seen_price: 500 }]);
});

test('a lower price is no question, and is told at its line in the basket', () => {
  const { lines, changes } = plan([line('soup', 450)], [anItem('soup', { price: 400 })]);
  expect(changes).toEqual([]);
  expect(lines).toMatchObject([{ seen_price: 450 }]);
});

test('what is gone or sold out is flagged and stays out; a choice that is gone is flagged and left away', () => {
  const { lines, changes } = plan(
    [line('gone', 300), line('out', 300), line('soup', 450, [chosen('relish')])],
    [anItem('out', { price: 300, is_available: false }), anItem('soup', { price: 450, option_groups: [dip] })],
  );
  expect(changes.map((view) => [view.line.item_id, canReorderLine(view)])).toEqual([
    ['gone', false],
    ['out', false],
    ['soup', true],
  ]);
  expect(lines).toMatchObject([{ item_id: 'soup', options: [] }]);
});
