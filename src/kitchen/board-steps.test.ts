import { expect, test } from 'vitest';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { predict, undoUntil } from '#kitchen/board-steps.ts';
import type { Order } from '#ordering/order.ts';
import { stepOf } from '#ordering/next-status.ts';

const now = Date.parse('2026-11-20T18:05:00.000Z');
const at = new Date(now).toISOString();

function walk(fulfilment_type: Order['fulfilment_type']): string[] {
  let order = sampleOrder({ fulfilment_type });
  const calls: string[] = [];
  for (let call = stepOf(order); call !== null; call = stepOf(order)) {
    calls.push(call);
    order = predict(order, call, {}, now);
  }
  return [...calls, order.status];
}

test('one step after another carries a delivery to the door', () => {
  expect(walk('delivery')).toEqual(['accept', 'packed', 'collected-by-driver', 'delivered-to-customer', 'delivered']);
});

test('a collection ends when the customer has it', () => {
  expect(walk('collection')).toEqual(['accept', 'packed', 'collected-by-customer', 'collected']);
});

test('accepting promises the time that was asked for', () => {
  const readyAt = now + 25 * 60_000;
  const accepted = predict(sampleOrder(), 'accept', { readyAt }, now);
  expect(accepted).toMatchObject({ status: 'accepted', accepted_at: at, promised_at: '2026-11-20T18:30:00.000Z' });
});

test('a scheduled order is promised for the time its customer wants', () => {
  const requested_for = '2026-11-20T21:00:00.000Z';
  expect(predict(sampleOrder({ requested_for }), 'accept', {}, now).promised_at).toBe(requested_for);
});

test('handing out straight from the kitchen records the packing', () => {
  const accepted = predict(sampleOrder(), 'accept', {}, now);
  const collected = predict(accepted, 'collected-by-customer', {}, now);
  expect(collected).toMatchObject({ status: 'collected', packed_at: at, completed_at: at });
  expect(predict(collected, 'undo', {}, now)).toMatchObject({ status: 'packed', packed_at: at, completed_at: null });
});

test('undo returns to the step before, and lasts two minutes', () => {
  const packed = predict(predict(sampleOrder(), 'accept', {}, now), 'packed', {}, now);
  expect(undoUntil(packed)).toBe(now + 120_000);
  const back = predict(packed, 'undo', {}, now + 1000);
  expect(back).toMatchObject({ status: 'accepted', packed_at: null });
  expect(undoUntil(back)).toBeNull();
});

test('accepting and rejecting cannot be undone', () => {
  expect(undoUntil(predict(sampleOrder(), 'accept', {}, now))).toBeNull();
  expect(undoUntil(predict(sampleOrder(), 'reject', { reason: 'too_busy' }, now))).toBeNull();
});

test('a call that the order is past changes nothing', () => {
  const rejected = sampleOrder({ status: 'rejected' });
  expect(predict(rejected, 'packed', {}, now)).toBe(rejected);
});
