import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daysOfHold, holdableMethods, holdEndAt, onlinePaymentMethods } from '#payment/payment-methods.ts';
import { shortestHoldDays } from '#store/card-provider.ts';

const now = new Date('2026-11-21T18:00:00Z');
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);

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
  expect(daysOfHold(method)).toBe(days);
  expect(holdEndAt(method, now)).toEqual(days === null ? null : later(days));
});

test('methods whose money arrives after days are not taken', () => {
  const late = ['acss_debit', 'au_becs_debit', 'bacs_debit', 'boleto', 'customer_balance', 'konbini', 'multibanco'];
  const later = ['nz_bank_account', 'oxxo', 'payto', 'sepa_debit', 'sofort', 'us_bank_account'];
  expect(onlinePaymentMethods.filter((method) => [...late, ...later].includes(method))).toEqual([]);
  expect(holdableMethods.every((method) => onlinePaymentMethods.includes(method))).toBe(true);
});

test('no method is held for less than the store counts on', () => {
  expect(Math.min(...holdableMethods.map((method) => daysOfHold(method) ?? NaN))).toBe(shortestHoldDays);
});

test('docs/payments.md has the table as it is', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/payments.md'), 'utf8');
  const rows = docs.matchAll(/^\| `(\w+)` \| (?:held for (\d+) days|charged at once) \|$/gm);
  const table = [...rows].map(([, method, days]) => [method, days === undefined ? null : Number(days)]);
  expect(table).toEqual(onlinePaymentMethods.map((method) => [method, daysOfHold(method)]));
});
