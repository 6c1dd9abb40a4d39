import { describe, expect, test } from 'vitest';
import type {
  GuestOrder,
  HistoryEntry,
  OrderStatus,
  PaymentStatus,
  RemovedLine,
  RemovedRefundState,
} from '#ordering/order.ts';
import {
  cancellationIn,
  cancelMoneyWords,
  moneyBackWords,
  paymentWords,
  removedMoneyWords,
} from '#ordering/order-words.ts';

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
    money_back: [] as GuestOrder['money_back'],
    payment_processing: false,
    ...more,
  });

  test.each<[OrderStatus, PaymentStatus, RegExp]>([
    ['accepted', 'authorised', /^Card approved, and being charged now$/],
    ['placed', 'authorised', /charged when the shop accepts/],
    ['placed', 'paid', /If the shop cannot take your order, your money comes back in 5 to 10 days/],
    ['accepted', 'paid', /^Paid by card$/],
    ['rejected', 'voided', /nothing was taken/],
    ['rejected', 'refunded', /^Refunded$/],
  ])('%s and %s', (status, money, words) => {
    expect(paymentWords(order(status, money), 'GBP')).toMatch(words);
  });

  test('while the payer’s bank is asked', () => {
    const pending = order('pending_payment', 'unpaid');
    expect(paymentWords(pending, 'GBP')).toBe('Not paid yet');
    expect(paymentWords({ ...pending, payment_processing: true }, 'GBP')).toBe('Your bank is confirming the payment');
  });

  test('of an order that was called off while the payer’s bank is asked', () => {
    const cancelled = { ...order('cancelled', 'unpaid'), payment_processing: true };
    expect(moneyBackWords(cancelled, 'GBP')).toMatch(/^Your bank is still confirming the payment\. If it takes/);
    expect(paymentWords(cancelled, 'GBP')).toBe('Your bank is confirming the payment');
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
    const said = moneyBackWords(order(status, money), 'GBP');
    expect(words === null ? said === null : words.test(said ?? '')).toBe(true);
  });

  test.each<[GuestOrder['money_back'], string]>([
    [[{ state: 'on_its_way', amount: 1250 }], 'You get your money back. It arrives in 5 to 10 days.'],
    [[{ state: 'waits', amount: 1250 }], 'Your bank has £12.50 of this payment while it looks at your complaint.'],
    [[{ state: 'by_bank', amount: 1250 }], 'Your bank gave you £12.50 back.'],
    [
      [
        { state: 'by_hand', amount: 250 },
        { state: 'on_its_way', amount: 1000 },
      ],
      'The shop gave you £2.50 back. £10.00 goes back to your card. Your bank shows it in 5 to 10 days.',
    ],
  ])('of a cancelled order, where %j', (money_back, words) => {
    expect(moneyBackWords({ ...order('cancelled', 'paid'), money_back }, 'GBP')).toBe(words);
  });

  test('an order that cost nothing has nothing to give back', () => {
    const free = order('cancelled', 'paid', { total: 0 });
    expect(moneyBackWords(free, 'GBP')).toBeNull();
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

describe('what is said of the money of dishes that were taken off', () => {
  const chips: RemovedLine = {
    line_id: 'chips',
    name: 'Chips',
    kitchen_name: null,
    options: [],
    quantity: 1,
    amount: 375,
    reason: 'sold_out',
    actor: 'Olive',
    at,
  };
  const order = {
    status: 'accepted' as OrderStatus,
    payment_status: 'paid' as PaymentStatus,
    payment_method: 'card' as 'card' | 'cash',
    fulfilment_type: 'collection' as const,
    requested_for: null,
    total: 1250,
    refunded: 0,
    removed: [chips],
    removed_refunds: [] as GuestOrder['removed_refunds'],
  };

  const back = (state: RemovedRefundState) => [{ state, amount: 375 }];
  test.each<[string, Partial<typeof order>, string | null]>([
    [
      'of a hold',
      { status: 'placed', payment_status: 'authorised' },
      'Your card will be charged £12.50. What was taken off is not charged.',
    ],
    ['before the charge', {}, 'What was taken off was not charged.'],
    [
      'after the charge',
      { removed_refunds: back('on_its_way') },
      '£3.75 for what was taken off goes back to your card. Your bank shows it in 5 to 10 days.',
    ],
    ['that will be paid in cash', { payment_method: 'cash', payment_status: 'unpaid' }, 'You now pay £12.50.'],
    [
      'that was paid in cash',
      { payment_method: 'cash', removed_refunds: back('by_hand') },
      'The shop gives you back £3.75 for what was taken off.',
    ],
    [
      'once it was made',
      { removed_refunds: back('made') },
      '£3.75 for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days.',
    ],
    [
      'that waits for a dispute',
      { removed_refunds: back('waits') },
      '£3.75 for what was taken off is not refunded yet: your bank has the money until the dispute about this payment is decided.',
    ],
    [
      'that a dispute gave back',
      { removed_refunds: back('by_bank') },
      '£3.75 for what was taken off is part of the payment that your bank took back from the shop.',
    ],
    [
      'that the card does not get',
      { removed_refunds: back('not_made') },
      '£3.75 for what was taken off could not go back to your card. The shop gives it back to you in another way.',
    ],
    [
      'that went back in two ways',
      { removed_refunds: [...back('made'), { state: 'by_hand', amount: 500 }] },
      '£3.75 for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days. The shop gave you back £5.00 for what was taken off.',
    ],
    [
      'that was charged the second time only',
      { removed: [chips, { ...chips, at: '2026-11-21T18:05:00.000Z' }], removed_refunds: back('made') },
      '£3.75 for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days.',
    ],
    [
      'that is the sum of two times',
      {
        removed: [chips, { ...chips, at: '2026-11-21T18:05:00.000Z' }],
        removed_refunds: [{ state: 'made', amount: 750 }],
      },
      '£7.50 in all for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days.',
    ],
    [
      'that is of two dishes taken off together',
      { removed: [chips, chips], removed_refunds: back('by_hand') },
      'The shop gave you back £3.75 for what was taken off.',
    ],
    // Its own words say what becomes of the whole payment.
    ['of an order that was cancelled since', { status: 'cancelled', payment_status: 'voided' }, null],
    ['of an order from which nothing was taken', { removed: [] }, null],
  ])('%s', (_case, change, words) => {
    expect(removedMoneyWords({ ...order, ...change }, 'GBP')).toBe(words);
  });
});
