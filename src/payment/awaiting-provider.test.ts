import { expect, test } from 'vitest';
import type { OrderStatus, PaymentStatus } from '#ordering/order.ts';
import { isAwaitingProvider } from '#payment/awaiting-provider.ts';

const page = 'https://pay.example/1';

type Case = [string, OrderStatus, PaymentStatus, string | null, boolean, boolean?];

test.each<Case>([
  ['a page that is open is waited for', 'pending_payment', 'unpaid', page, true],
  ['the payer’s bank is not', 'pending_payment', 'unpaid', page, false, true],
  ['one that was left leads to the order at once', 'pending_payment', 'unpaid', null, false],
  ['and so does a card that was declined', 'pending_payment', 'failed', null, false],
  ['or declined on a page that is still open', 'pending_payment', 'failed', page, false],
  ['a payment that came in is decided', 'placed', 'authorised', null, false],
  ['an order that ran out of time is, too', 'expired', 'unpaid', null, false],
])('%s', (_name, status, payment_status, redirect_url, isAwaited, payment_processing = false) => {
  expect(isAwaitingProvider({ status, payment_status, payment_processing, payment: { redirect_url } })).toBe(isAwaited);
});
