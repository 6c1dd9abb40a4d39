import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoardFeed, emptyFeed, hear, learn, replaceAll } from '#kitchen/board-feed.ts';
import { sampleOrder } from '#kitchen/board-sample.ts';
import type { Order, Print } from '#ordering/order.ts';

const order = sampleOrder();
const version = (number: number, fields: Partial<Order> = {}): Order => ({ ...order, ...fields, version: number });
const holding = (...orders: Order[]): BoardFeed => ({
  orders: new Map(orders.map((one) => [one.id, one])),
  sequence: 7,
});
const print = { id: 'p', order_id: order.id, copy: 'kitchen', status: 'queued' } as Print;

test('the first message sets the count and the next number is no gap', () => {
  const first = hear(emptyFeed, { sequence: 41, order });
  expect(first.missed).toBe(false);
  expect(hear(first.feed, { sequence: 42, order }).missed).toBe(false);
});

test('a skipped number is a gap, and after it the count goes on', () => {
  const { feed, missed } = hear(holding(), { sequence: 9, order });
  expect(missed).toBe(true);
  expect(feed.sequence).toBe(9);
});

test('a message that comes twice or late is no gap and brings nothing older back', () => {
  const { feed, missed } = hear(holding(version(3, { status: 'packed' })), { sequence: 6, order: version(2) });
  expect(missed).toBe(false);
  expect(feed.sequence).toBe(7);
  expect(feed.orders.get(order.id)?.status).toBe('packed');
});

test('an answer to a call replaces an older order and never a newer one', () => {
  expect(learn(holding(version(1)), version(2, { status: 'accepted' })).orders.get(order.id)?.status).toBe('accepted');
  const known = holding(version(3));
  expect(learn(known, version(2))).toBe(known);
});

test('a print joins its order, then changes in place', () => {
  const queued = hear(holding(order), { sequence: 8, print }).feed;
  const printed = hear(queued, { sequence: 9, print: { ...print, status: 'printed' } }).feed;
  expect(queued.orders.get(order.id)?.prints).toEqual([print]);
  expect(printed.orders.get(order.id)?.prints).toEqual([{ ...print, status: 'printed' }]);
});

test('a print of an order that this board does not show changes nothing but the count', () => {
  const { feed } = hear(holding(), { sequence: 8, print });
  expect(feed).toEqual({ orders: new Map(), sequence: 8 });
});

test('a fetched list drops what is over, but not what was heard while it was under way', () => {
  const old = sampleOrder();
  const arrived = sampleOrder();
  const feed = replaceAll(holding(old, arrived, version(5)), [version(4)], new Set([arrived.id]));
  expect([...feed.orders.keys()].sort()).toEqual([order.id, arrived.id].sort());
  expect(feed.orders.get(order.id)?.version).toBe(5);
});

test('whatever order messages come in, the newest version stays', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (versions) => {
      let feed = emptyFeed;
      versions.forEach((number, index) => {
        feed = hear(feed, { sequence: index, order: version(number) }).feed;
      });
      expect(feed.orders.get(order.id)?.version).toBe(Math.max(...versions));
    }),
  );
});
