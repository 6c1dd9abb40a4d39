import { describe, expect, test } from 'vitest';
import type { HistoryEntry, OrderStatus, PaymentStatus } from '#ordering/order.ts';
import { cancellationIn, cancelMoneyWords, moneyBackWords, paymentWords } from '#ordering/order-words.ts';

const at = '2026-11-21T18:00:00.000Z';
const cancelled: HistoryEntry = { from: 'accepted', to: 'cancelled', actor: 'Olive', reason: 'No more rice', at };

test('money that goes back later does not change who cancelled an order, and why', () => {
  const refund: HistoryEntry = {
    from: 'cancelled',
    to: 'cancelled',
    actor: 'Pat',
    reason: 'Refund of £8.00: Cancelled',
    note: { kind: 'refund', amount: 800, currency: 'GBP', reason: 'Cancelled' },
    at,
  };
  expect(cancellationIn([cancelled, refund])).toMatchObject({ actor: 'Olive', reason: 'No more rice' });
});

test('an order that nobody cancelled has no reason', () => {
  expect(cancellationIn([])).toEqual({ actor: 'system', reason: null });
});

describe('what is said of the money of a card payment', () => {
  const order = (
    status: OrderStatus,
    payment_status: PaymentStatus,
    more: { total?: number; refunded?: number } = {},
  ) => ({
    status,
    payment_status,
    payment_method: 'card' as const,
    fulfilment_type: 'collection' as const,
    requested_for: null,
    total: 1250,
    refunded: 0,
    ...more,
  });

  test.each<[OrderStatus, PaymentStatus, RegExp]>([
    ['placed', 'authorised', /charged when the shop accepts/],
    ['placed', 'paid', /If the shop cannot take your order, your money comes back in 5 to 10 days/],
    ['accepted', 'paid', /^Paid by card$/],
    ['rejected', 'voided', /nothing was taken/],
    ['rejected', 'refunded', /^Refunded$/],
  ])('%s and %s', (status, money, words) => {
    expect(paymentWords(order(status, money), 'GBP')).toMatch(words);
  });

  test.each<[OrderStatus, PaymentStatus, RegExp | null]>([
    ['rejected', 'authorised', /^We never took your money/],
    ['rejected', 'voided', /^We never took your money/],
    ['cancelled', 'paid', /^You get your money back\. It arrives in 5 to 10 days/],
    ['cancelled', 'partially_refunded', /^You get your money back/],
    ['cancelled', 'refunded', /on its way back\. It arrives in 5 to 10 days/],
    ['expired', 'unpaid', /^Nothing was taken/],
    ['cancelled', 'failed', /^Nothing was taken/],
    ['accepted', 'paid', null],
  ])('of an order that is %s and %s', (status, money, words) => {
    const said = moneyBackWords(order(status, money));
    expect(words === null ? said === null : words.test(said ?? '')).toBe(true);
  });

  test('an order that cost nothing has nothing to give back', () => {
    const free = order('cancelled', 'paid', { total: 0 });
    expect(moneyBackWords(free)).toBeNull();
    expect(paymentWords(free, 'GBP')).toBe('There is nothing to pay.');
  });

  test.each<[PaymentStatus, RegExp | null]>([
    ['authorised', /nothing is taken/],
    ['paid', /comes? back|money back/],
    ['voided', null],
  ])('before a customer cancels, %s', (money, words) => {
    const said = cancelMoneyWords(order('placed', money));
    expect(words === null ? said === null : words.test(said ?? '')).toBe(true);
  });
});
