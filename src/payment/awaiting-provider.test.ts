import { expect, test } from 'vitest';
import { isAwaitingProvider } from '#payment/awaiting-provider.ts';

const page = 'https://pay.example/1';

test.each([
  ['a page that is open is waited for', 'pending_payment', 'unpaid', page, true],
  ['one that was left leads to the order at once', 'pending_payment', 'unpaid', null, false],
  ['and so does a card that was declined', 'pending_payment', 'failed', null, false],
  ['or declined on a page that is still open', 'pending_payment', 'failed', page, false],
  ['a payment that came in is decided', 'placed', 'authorised', null, false],
  ['an order that ran out of time is, too', 'expired', 'unpaid', null, false],
] as const)('%s', (_name, status, payment_status, redirect_url, isAwaited) => {
  expect(isAwaitingProvider({ status, payment_status, payment: { redirect_url } })).toBe(isAwaited);
});
