import { describe, expect, test } from 'vitest';
import { canHoldUntil, heldDays, heldMethods, holdEnd, isHoldEnded, takenMethods } from '#payment/payment-methods.ts';

const now = new Date('2026-11-21T18:00:00Z');
const later = (days: number, seconds = 0) => new Date(now.getTime() + (days * 86_400 + seconds) * 1000);

test.each([
  ['card', 7],
  ['link', 7],
  ['klarna', 28],
  ['pay_by_bank', null],
  // Settles after days, so it is not taken at all.
  ['bacs_debit', null],
  ['something_new', null],
  ['constructor', null],
])('the money of %s is held for %s days', (method, days) => {
  expect(heldDays(method)).toBe(days);
  expect(holdEnd(method, now)).toEqual(days === null ? null : later(days));
});

test('methods whose money arrives after days are not taken', () => {
  const late = ['acss_debit', 'au_becs_debit', 'bacs_debit', 'boleto', 'customer_balance', 'konbini', 'multibanco'];
  const later = ['nz_bank_account', 'oxxo', 'payto', 'sepa_debit', 'sofort', 'us_bank_account'];
  expect(takenMethods.filter((method) => [...late, ...later].includes(method))).toEqual([]);
  expect(heldMethods.every((method) => takenMethods.includes(method))).toBe(true);
});

describe('an answer within the shortest hold', () => {
  test.each([
    ['a day before its end', later(6), true],
    ['a second later', later(6, 1), false],
    ['at once', now, true],
    ['after a holiday', later(14), false],
  ])('%s', (_name, answerBy, can) => {
    expect(canHoldUntil(answerBy, now)).toBe(can);
  });
});

test.each([
  [null, false],
  [later(0, 61), false],
  [later(0, 60), true],
  [now, true],
  [later(0, -1), true],
])('a hold until %s has ended: %s', (until, isEnded) => {
  expect(isHoldEnded(until, now)).toBe(isEnded);
});
