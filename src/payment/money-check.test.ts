import { expect, test } from 'vitest';
import {
  findMoneyMismatches,
  type OrderToCheck,
  type PaymentToCheck,
  type RefundToCheck,
} from '#payment/money-check.ts';

const now = new Date('2026-11-21T20:00:00Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
type Moved = PaymentToCheck['movements'];
const held: Moved = [{ kind: 'held', amount: 1250 }];
const captured: Moved = [...held, { kind: 'captured', amount: 1250 }];
const released: Moved = [...held, { kind: 'released', amount: 1250 }];
const refunded = (amount: number): Moved => [...captured, { kind: 'refunded', amount }];

const payment = (status: PaymentToCheck['status'], movements: Moved, change: Partial<PaymentToCheck> = {}) => ({
  status,
  owed: null,
  amount: 1250,
  captured: status === 'captured' || status === 'refunded' ? 1250 : null,
  atBank: 0,
  since: ago(5),
  movements,
  ...change,
});
const refund = (amount: number, change: Partial<RefundToCheck> = {}): RefundToCheck => ({
  status: 'succeeded',
  kind: 'asked',
  amount,
  isByHand: false,
  isWaiting: false,
  since: ago(5),
  ...change,
});
const order = (change: Partial<OrderToCheck>): OrderToCheck => ({
  status: 'accepted',
  payment_status: 'paid',
  payment_method: 'card',
  channel: 'web',
  total: 1250,
  refunded: 0,
  isMarkedPaid: false,
  payments: [payment('captured', captured)],
  refunds: [],
  ...change,
});

test.each<[string, Partial<OrderToCheck>]>([
  ['paid', {}],
  [
    'less a dish, whose refund the lost dispute took the place of',
    {
      total: 850,
      payments: [payment('captured', captured, { atBank: 1250 })],
      refunds: [refund(400, { kind: 'line_removed', status: 'failed' })],
    },
  ],
  [
    'in cash, and what came late given back by hand',
    {
      payment_status: 'unpaid',
      payment_method: 'cash',
      refunds: [refund(1250, { kind: 'late_payment', isByHand: true })],
    },
  ],
  [
    'waiting for its payment',
    { status: 'pending_payment', payment_status: 'unpaid', payments: [payment('pending', [])] },
  ],
  ['placed, and held', { status: 'placed', payment_status: 'authorised', payments: [payment('authorised', held)] }],
  ['rejected, and released', { status: 'rejected', payment_status: 'voided', payments: [payment('voided', released)] }],
  [
    'cancelled, and given back',
    {
      status: 'cancelled',
      payment_status: 'refunded',
      refunded: 1250,
      payments: [payment('refunded', refunded(1250))],
      refunds: [refund(1250, { kind: 'order_ended' })],
    },
  ],
  [
    'partly refunded',
    {
      payment_status: 'partially_refunded',
      refunded: 300,
      payments: [payment('captured', refunded(300))],
      refunds: [refund(300), refund(100, { status: 'failed' })],
    },
  ],
  [
    'refunded by hand, so that the provider still has it',
    { payment_status: 'partially_refunded', refunded: 300, refunds: [refund(300, { isByHand: true })] },
  ],
  [
    'with a dish taken off after the capture',
    { total: 1000, payments: [payment('captured', refunded(250))], refunds: [refund(250, { kind: 'line_removed' })] },
  ],
  [
    'with a dish taken off, given back by hand',
    { total: 1000, refunds: [refund(250, { kind: 'line_removed', isByHand: true })] },
  ],
  [
    'with a dish taken off before the capture',
    {
      total: 1000,
      payments: [
        payment('captured', [...held, { kind: 'captured', amount: 1000 }, { kind: 'released', amount: 250 }], {
          captured: 1000,
        }),
      ],
    },
  ],
  ['whose card failed, and which says so', { payment_status: 'failed', payments: [payment('failed', released)] }],
  ['whose card failed and that was paid another way', { isMarkedPaid: true, payments: [payment('failed', released)] }],
  ['in cash', { payment_status: 'unpaid', payment_method: 'cash', payments: [payment('voided', [])] }],
  ['of the till, to be paid there', { channel: 'counter', payment_status: 'unpaid', payments: [] }],
  ['that costs nothing', { total: 0, payments: [] }],
  [
    'paid at the second try, with the first one given back',
    { payments: [payment('refunded', refunded(1250)), payment('captured', captured)] },
  ],
  [
    'cancelled while the payer’s bank has the money, which waits for weeks',
    {
      status: 'cancelled',
      payments: [payment('captured', captured, { owed: 'release', atBank: 1250, since: ago(20_000) })],
    },
  ],
  [
    'cancelled, and its money lost to the payer’s bank',
    { status: 'cancelled', payments: [payment('captured', captured, { atBank: 1250 })] },
  ],
  [
    'cancelled, and given back by hand',
    {
      status: 'cancelled',
      payment_status: 'refunded',
      refunded: 1250,
      refunds: [refund(1250, { kind: 'order_ended', isByHand: true })],
    },
  ],
  ['sold, and disputed', { payments: [payment('captured', captured, { atBank: 1250 })] }],
  [
    'with a refund that waits for the end of a dispute',
    { refunds: [refund(300, { status: 'pending', isWaiting: true, since: ago(20_000) })] },
  ],
  ['being captured', { payment_status: 'authorised', payments: [payment('authorised', held, { owed: 'capture' })] }],
  ['being refunded', { payments: [payment('captured', captured)], refunds: [refund(100, { status: 'pending' })] }],
])('an order %s is right', (_name, change) => {
  expect(findMoneyMismatches(order(change), now)).toEqual([]);
});

test.each<[string, Partial<OrderToCheck>, ReturnType<typeof findMoneyMismatches>]>([
  [
    'charged less than it costs',
    { payments: [payment('captured', [{ kind: 'captured', amount: 1000 }], { captured: 1000 })] },
    [{ kind: 'kept', expected: 1250, found: 1000 }],
  ],
  [
    'charged twice',
    { payments: [payment('captured', captured), payment('captured', captured)] },
    [{ kind: 'kept', expected: 1250, found: 2500 }],
  ],
  [
    'rejected, and charged',
    { status: 'rejected', payment_status: 'voided', payments: [payment('captured', captured)] },
    [{ kind: 'kept', expected: 0, found: 1250 }],
  ],
  [
    'expired, and held',
    { status: 'expired', payment_status: 'unpaid', payments: [payment('authorised', held)] },
    [{ kind: 'held', expected: 0, found: 1250 }],
  ],
  [
    'said to be held, and is not',
    { status: 'placed', payment_status: 'authorised', payments: [payment('voided', released)] },
    [{ kind: 'held', expected: 1250, found: 0 }],
  ],
  [
    'accepted, and not charged',
    { payment_status: 'authorised', payments: [payment('authorised', held)] },
    [{ kind: 'unpaid', expected: 0, found: 1250 }],
  ],
  [
    'accepted on a hold that ended',
    { payment_status: 'voided', payments: [payment('voided', released)] },
    [{ kind: 'unpaid', expected: 0, found: 1250 }],
  ],
  [
    'authorised by no payment',
    { status: 'placed', payment_status: 'authorised', payments: [] },
    [{ kind: 'held', expected: 1250, found: 0 }],
  ],
  [
    'in cash, and charged to a card as well',
    { payment_status: 'unpaid', payment_method: 'cash' },
    [{ kind: 'kept', expected: 0, found: 1250 }],
  ],
  [
    'with a refund that the order does not count',
    { payments: [payment('captured', refunded(300))], refunds: [refund(300)] },
    [{ kind: 'refunds', expected: 300, found: 0 }],
  ],
  [
    'whose refund failed',
    { total: 1000, refunds: [refund(250, { kind: 'line_removed', status: 'failed' })] },
    [{ kind: 'kept', expected: 1000, found: 1250 }],
  ],
  [
    'cancelled, and of which only a part was disputed',
    { status: 'cancelled', payments: [payment('captured', captured, { atBank: 1000 })] },
    [{ kind: 'kept', expected: 0, found: 250 }],
  ],
  [
    'captured, with nothing in the journal',
    { payments: [payment('captured', [])] },
    [
      { kind: 'kept', expected: 1250, found: 0 },
      { kind: 'journal', expected: 1250, found: 0 },
    ],
  ],
  [
    'rejected an hour ago, and still held',
    { status: 'rejected', payments: [payment('authorised', held, { owed: 'release', since: ago(61) })] },
    [{ kind: 'owed', expected: 0, found: 1250 }],
  ],
  [
    'whose refund has not been made for an hour',
    { refunds: [refund(300, { status: 'pending', since: ago(61) })] },
    [{ kind: 'owed', expected: 0, found: 1250 }],
  ],
])('an order that is %s is found', (_name, change, faults) => {
  expect(findMoneyMismatches(order(change), now)).toEqual(faults);
});
