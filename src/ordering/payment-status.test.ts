import { expect, test } from 'vitest';
import { type CardOrder, isHoldEnded, isHoldOver } from '#ordering/payment-status.ts';

const now = new Date('2026-11-21T18:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test.each([
  [null, false],
  [later(61), false],
  [later(60), true],
  [now, true],
  [later(-1), true],
])('a hold until %s has ended: %s', (until, isEnded) => {
  expect(isHoldEnded(until, now)).toBe(isEnded);
});

const held: CardOrder = { payment_method: 'card', payment_status: 'authorised', heldUntil: now };

test.each<[string, Partial<CardOrder>, boolean]>([
  ['held until now', {}, true],
  ['held for longer', { heldUntil: later(3600) }, false],
  ['held, nobody knows until when', { heldUntil: null }, false],
  ['let go by the bank', { payment_status: 'voided', heldUntil: null }, true],
  ['charged', { payment_status: 'paid' }, false],
  ['paid in cash meanwhile', { payment_method: 'cash' }, false],
])('the money of an order is gone: %s', (_case, change, isOver) => {
  expect(isHoldOver({ ...held, ...change }, now)).toBe(isOver);
});
