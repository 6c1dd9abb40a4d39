import { expect, test } from 'vitest';
import {
  orderUrgency,
  countdownWords,
  cardHoldState,
  minutesUntilDue,
  minutesSincePlaced,
  secondsToAnswer,
  withoutDeadlinesWhileHeld,
} from '#kitchen/order-urgency.ts';
import { orderAlarms, canSilenceAlarm } from '#kitchen/board-alarms.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import type { Order } from '#ordering/order.ts';

const shop = { delivery_zones: [] };
const at = (clock: string): number => Date.parse(`2026-11-20T${clock}.000Z`);
const promised = (status: 'accepted' | 'packed' | 'delivered') =>
  sampleOrder({ status, promised_at: '2026-11-20T18:30:00.000Z' });

test.each([
  ['18:03:59', 'calm'],
  ['18:04:00', 'soon'],
  ['18:06:59', 'soon'],
  ['18:07:00', 'late'],
  ['18:11:00', 'late'],
])('an order unanswered at %s of a ten minute deadline is %s', (clock, level) => {
  expect(orderUrgency(sampleOrder(), shop, at(clock))).toBe(level);
});

test('a pre-order of the night before presses only in the last ten minutes of its deadline', () => {
  const order = sampleOrder({ answer_by: '2026-11-21T17:10:00.000Z' });
  expect(orderUrgency(order, shop, Date.parse('2026-11-21T17:00:00.000Z'))).toBe('calm');
  expect(orderUrgency(order, shop, Date.parse('2026-11-21T17:05:00.000Z'))).toBe('soon');
});

test.each([
  ['18:24:59', 'calm'],
  ['18:25:01', 'soon'],
  ['18:30:00', 'soon'],
  ['18:30:01', 'late'],
])('an order promised for 18:30 is %s → %s', (clock, level) => {
  expect(orderUrgency(promised('accepted'), shop, at(clock))).toBe(level);
  expect(orderUrgency(promised('packed'), shop, at(clock))).toBe(level);
});

test('a delivery is due when it must leave, and on its way at the promised time', () => {
  const zone = { name: '', fee: 0, minimum_order: 0, free_over: null, postcode_prefixes: ['CV23'], extra_minutes: 15 };
  const address = { line1: '', line2: '', city: '', postcode: 'CV23 9AA', instructions: '' };
  const due = (status: 'packed' | 'out_for_delivery') => {
    const order = sampleOrder({
      status,
      fulfilment_type: 'delivery',
      address,
      promised_at: '2026-11-20T18:30:00.000Z',
    });
    return [
      orderUrgency(order, { delivery_zones: [zone] }, at('18:16:00')),
      minutesUntilDue(order, { delivery_zones: [zone] }, at('18:16:00')),
    ];
  };
  expect(due('packed')).toEqual(['late', -1]);
  expect(due('out_for_delivery')).toEqual(['calm', 14]);
});

test('a finished order is calm however late it was', () => {
  expect(orderUrgency(promised('delivered'), shop, at('20:00:00'))).toBe('calm');
});

test('minutes are rounded so that a promise is never called kept or broken too early', () => {
  expect(minutesUntilDue(promised('accepted'), shop, at('18:29:01'))).toBe(1);
  expect(minutesUntilDue(promised('accepted'), shop, at('18:30:00'))).toBe(0);
  expect(minutesUntilDue(promised('accepted'), shop, at('18:30:01'))).toBe(-1);
  expect(minutesUntilDue(sampleOrder(), shop, at('18:30:00'))).toBeNull();
});

test('an order is never younger than nothing, even on a clock that is behind', () => {
  expect(minutesSincePlaced(sampleOrder(), at('17:00:00'))).toBe(0);
  expect(minutesSincePlaced(sampleOrder(), at('18:09:59'))).toBe(9);
});

test('no deadline runs in a restored shop that waits for its owner', () => {
  const order = sampleOrder();
  const onBoard = (pause_cause: 'restored' | null) =>
    withoutDeadlinesWhileHeld(new Map([[order.id, order]]), { pause_cause });
  expect(onBoard(null).get(order.id)).toBe(order);
  const held = [...onBoard('restored').values()];
  expect(held.map((each) => [secondsToAnswer(each, at('18:11:00')), orderUrgency(each, shop, at('18:11:00'))])).toEqual(
    [[null, 'calm']],
  );
  // Nothing is said to be lost within a minute.
  expect(orderAlarms(held, at('18:11:00')).map((alarm) => canSilenceAlarm(alarm, at('18:11:00')))).toEqual([true]);
});

test('the countdown to the deadline ends at nothing', () => {
  expect(secondsToAnswer(sampleOrder(), at('18:08:55'))).toBe(65);
  expect(secondsToAnswer(sampleOrder(), at('18:30:00'))).toBe(0);
  expect(secondsToAnswer(sampleOrder({ answer_by: null }), at('18:00:00'))).toBeNull();
});

test.each([
  [0, '0:00'],
  [65, '1:05'],
  [3605, '1:00:05'],
])('%d seconds read %s', (seconds, text) => {
  expect(countdownWords(seconds)).toBe(text);
});

const now = Date.parse('2026-11-21T18:00:00Z');
const card: Order['payment'] = {
  method: 'card',
  status: 'authorised',
  redirect_url: null,
  held_until: null,
  is_test: false,
};
const until = (time: string) => ({ ...card, held_until: `2026-11-21T${time}.000Z` });

test.each<[string, Partial<Order>, ReturnType<typeof cardHoldState>]>([
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
  expect(cardHoldState(sampleOrder({ status: 'placed', ...change }), now)).toBe(state);
});
