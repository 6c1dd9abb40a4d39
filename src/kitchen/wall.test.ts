import { expect, test } from 'vitest';
import { collectionScreenNumbers, tileGrid, wallOrders } from '#kitchen/wall.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';

const now = Date.parse('2026-06-05T18:00:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();
const times = { delivery_zones: [], prep_minutes: 20, busy_extra_minutes: 0 };

test('a counter shows collections only, the latest ready one first and emphasised for a minute', () => {
  const orders = [
    sampleOrder({ id: 'a', number: '11', status: 'accepted' }),
    sampleOrder({ id: 'b', number: '12', status: 'packed', packed_at: ago(300) }),
    sampleOrder({ id: 'c', number: '13', status: 'packed', packed_at: ago(20) }),
    sampleOrder({ id: 'd', number: '14', status: 'packed', packed_at: ago(10), fulfilment_type: 'delivery' }),
    sampleOrder({ id: 'e', number: '15', status: 'placed' }),
    sampleOrder({ id: 'f', number: '16', status: 'cancelled', accepted_at: ago(900), closed_at: ago(30) }),
    sampleOrder({ id: 'g', number: '17', status: 'collected', completed_at: ago(30) }),
  ];
  expect(collectionScreenNumbers(wallOrders(orders, times, now, 'due'), now)).toEqual({
    preparing: [{ id: 'a', number: '11', isJustReady: false }],
    ready: [
      { id: 'c', number: '13', isJustReady: true },
      { id: 'b', number: '12', isJustReady: false },
    ],
  });
});

test('a wall shows a cancellation that the kitchen must stop for five minutes, as nobody can confirm it there', () => {
  const cancelled = (seconds: number) =>
    sampleOrder({ status: 'cancelled', accepted_at: ago(900), closed_at: ago(seconds) });
  const shown = (seconds: number) => wallOrders([cancelled(seconds)], times, now, 'due').kitchen.length;
  expect([shown(10), shown(299), shown(301)]).toEqual([1, 1, 0]);
});

test.each([
  { count: 1, columns: 1, height: 200 },
  { count: 2, columns: 1, height: 200 },
  { count: 4, columns: 2, height: 150 },
  { count: 60, columns: 6, height: 50 },
])('$count tiles fill a box of 600 × 500 in $columns columns', ({ count, columns, height }) => {
  const grid = tileGrid({ width: 600, height: 500 }, count, 2);
  expect(grid.columns).toBe(columns);
  expect(grid.height).toBeGreaterThanOrEqual(height);
  expect(grid.height * Math.ceil(count / columns)).toBeLessThanOrEqual(500);
});
