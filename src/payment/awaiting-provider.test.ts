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
  ['a refused card of an accepted order is paid again on a new page', 'accepted', 'failed', page, true],
  ['which was declined, or left', 'packed', 'failed', null, false],
  ['or paid', 'accepted', 'paid', null, false],
  ['a payment that came in is decided', 'placed', 'authorised', null, false],
  ['an order that ran out of time is, too', 'expired', 'unpaid', null, false],
])('%s', (_name, status, payment_status, redirect_url, isAwaited, payment_processing = false) => {
  const money = { payment_method: 'card', payment_status, payment_processing, payment: { redirect_url } } as const;
  expect(isAwaitingProvider({ status, ...money })).toBe(isAwaited);
});
