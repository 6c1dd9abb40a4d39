import { expect, test } from 'vitest';
import { holdStateOf } from '#kitchen/board-hold.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import type { Order } from '#ordering/order.ts';

const now = Date.parse('2026-11-21T18:00:00Z');
const card: Order['payment'] = {
  method: 'card',
  status: 'authorised',
  redirect_url: null,
  held_until: null,
  is_test: false,
};
const until = (time: string) => ({ ...card, held_until: `2026-11-21T${time}.000Z` });

test.each<[string, Partial<Order>, ReturnType<typeof holdStateOf>]>([
  ['held for days', { payment: { ...card, held_until: '2026-11-28T18:00:00.000Z' } }, null],
  ['held for more than an hour', { payment: until('19:00:01') }, null],
  ['held for an hour', { payment: until('19:00:00') }, 'ends_soon'],
  ['held for two minutes', { payment: until('18:02:00') }, 'ends_soon'],
  ['held for a minute, too short to be charged', { payment: until('18:01:00') }, 'ended'],
  ['not held any more', { payment: until('17:00:00') }, 'ended'],
  ['released at the bank', { payment: { ...card, status: 'voided' } }, 'ended'],
  ['held, nobody knows until when', { payment: card }, null],
  ['charged', { payment: { ...until('17:00:00'), status: 'paid' } }, null],
  ['accepted', { status: 'accepted', payment: until('17:00:00') }, null],
  ['rejected, and so released', { status: 'rejected', payment: { ...card, status: 'voided' } }, null],
  ['paid in cash', { payment: { ...until('17:00:00'), method: 'cash' } }, null],
])('an order %s', (_name, change, state) => {
  expect(holdStateOf(sampleOrder({ status: 'placed', ...change }), now)).toBe(state);
});
