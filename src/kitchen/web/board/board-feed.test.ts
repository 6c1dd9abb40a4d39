import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BoardOrders,
  mergeOrderIntoBoard,
  mergePrintIntoBoard,
  replaceOrders,
} from '#kitchen/web/board/use-orders.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { samplePrint } from '#printing/testing/sample-print.ts';
import type { Order } from '#ordering/order.ts';

const order = sampleOrder();
const version = (number: number, fields: Partial<Order> = {}): Order => ({ ...order, ...fields, version: number });
const holding = (...orders: Order[]): BoardOrders => new Map(orders.map((one) => [one.id, one]));
const print = samplePrint({ order_id: order.id });

test('what is heard replaces an older order and never a newer one', () => {
  expect(mergeOrderIntoBoard(holding(version(1)), version(2, { status: 'accepted' })).get(order.id)?.status).toBe(
    'accepted',
  );
  const known = holding(version(3));
  expect(mergeOrderIntoBoard(known, version(2))).toBe(known);
});

test('what only opens the drawer is no copy of an order', () => {
  expect(mergePrintIntoBoard(holding(order), { ...print, purpose: 'drawer' }).get(order.id)?.prints).toEqual([]);
});

test('a print joins its order, then changes in place', () => {
  const queued = mergePrintIntoBoard(holding(order), print);
  const printed = mergePrintIntoBoard(queued, { ...print, status: 'printed' });
  expect(queued.get(order.id)?.prints).toEqual([print]);
  expect(printed.get(order.id)?.prints).toEqual([{ ...print, status: 'printed' }]);
});

test('a print of an order that this board does not hold changes nothing', () => {
  const known = holding(sampleOrder());
  expect(mergePrintIntoBoard(known, print)).toBe(known);
  expect(mergePrintIntoBoard(known, { ...print, order_id: null })).toBe(known);
});

test('a fetched list drops what is over, but not what was heard while it was under way', () => {
  const old = sampleOrder();
  const arrived = sampleOrder();
  const next = replaceOrders(holding(old, arrived, version(5)), [version(4)], new Set([arrived.id]));
  expect([...next.keys()].sort()).toEqual([order.id, arrived.id].sort());
  expect(next.get(order.id)?.version).toBe(5);
});

test('an order that a fetch finds unchanged stays the same object', () => {
  const known = holding(version(2, { note: 'ring twice' }));
  const next = replaceOrders(known, [version(2, { note: 'ring twice' })], new Set());
  expect(next.get(order.id)).toBe(known.get(order.id));
  const printed = replaceOrders(known, [version(2, { note: 'ring twice', prints: [print] })], new Set());
  expect(printed.get(order.id)?.prints).toEqual([print]);
});

test('whatever order messages come in, the newest version stays', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (versions) => {
      let orders = holding();
      for (const number of versions) orders = mergeOrderIntoBoard(orders, version(number));
      expect(orders.get(order.id)?.version).toBe(Math.max(...versions));
    }),
  );
});
