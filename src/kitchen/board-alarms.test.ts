import { expect, test } from 'vitest';
import { alarmsOf, loudnessAfter } from '#kitchen/board-alarms.ts';
import { sampleOrder } from '#kitchen/board-sample.ts';

const now = Date.parse('2026-11-20T18:05:00.000Z');
const kinds = (fields: Parameters<typeof sampleOrder>[0]) =>
  alarmsOf([sampleOrder(fields)], now).map(({ kind }) => kind);

test('an order sounds until it is answered', () => {
  expect(kinds({ status: 'placed' })).toEqual(['new']);
  expect(kinds({ status: 'accepted' })).toEqual([]);
});

test('a payment that fails after accepting sounds, one that fails before or after the work does not', () => {
  expect(kinds({ status: 'accepted', payment_status: 'failed' })).toEqual(['payment']);
  expect(kinds({ status: 'out_for_delivery', payment_status: 'failed' })).toEqual(['payment']);
  expect(kinds({ status: 'pending_payment', payment_status: 'failed' })).toEqual([]);
  expect(kinds({ status: 'cancelled', payment_status: 'failed' })).toEqual([]);
});

test('an order cancelled while it cooks sounds, one that was never begun does not', () => {
  const closed_at = '2026-11-20T18:04:00.000Z';
  expect(kinds({ status: 'cancelled', closed_at, accepted_at: '2026-11-20T18:01:00.000Z' })).toEqual(['stop']);
  expect(kinds({ status: 'cancelled', closed_at })).toEqual([]);
});

test('reasons on one order have names of their own, the same each time', () => {
  const order = sampleOrder({ status: 'accepted', payment_status: 'failed' });
  const [first] = alarmsOf([order], now);
  const [again] = alarmsOf([{ ...order, version: 2 }], now + 1000);
  expect(again?.key).toBe(first?.key);
  expect(alarmsOf([{ ...order, status: 'placed' }], now)[0]?.key).not.toBe(first?.key);
});

test('an alarm that nobody hears grows louder and quicker, up to full', () => {
  const steps = [0, 30, 60, 119, 120, 600].map(loudnessAfter);
  steps.slice(1).forEach((step, index) => {
    expect(step.gain).toBeGreaterThanOrEqual(steps[index]?.gain ?? 2);
    expect(step.pause).toBeLessThanOrEqual(steps[index]?.pause ?? 0);
  });
  expect(steps[0]?.gain).toBeGreaterThan(0.2);
  expect(steps.at(-1)).toEqual({ gain: 1, pause: 2 });
});
