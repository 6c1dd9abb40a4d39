import { expect, test } from 'vitest';
import {
  type HoldCheckOrder,
  type OrderCharge,
  isHoldTimeOver,
  isOrderHoldOver,
  sumOrderRefunds,
  type RefundOfOrder,
  sumFailedRefunds,
  sumRefundsForRemovedLines,
} from '#ordering/payment-status.ts';
import type { OrderRefundSum } from '#ordering/order.ts';

const now = new Date('2026-11-21T18:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test.each([
  [null, false],
  [later(61), false],
  [later(60), true],
  [now, true],
  [later(-1), true],
])('a hold until %s has ended: %s', (until, isEnded) => {
  expect(isHoldTimeOver(until, now)).toBe(isEnded);
});

const held: HoldCheckOrder = { payment_method: 'card', payment_status: 'authorised', heldUntil: now };

test.each<[string, Partial<HoldCheckOrder>, boolean]>([
  ['held until now', {}, true],
  ['held for longer', { heldUntil: later(3600) }, false],
  ['held, nobody knows until when', { heldUntil: null }, false],
  ['let go by the bank', { payment_status: 'voided', heldUntil: null }, true],
  ['charged', { payment_status: 'paid' }, false],
  ['paid in cash meanwhile', { payment_method: 'cash' }, false],
])('the money of an order is gone: %s', (_case, change, isOver) => {
  expect(isOrderHoldOver({ ...held, ...change }, now)).toBe(isOver);
});

const refund = (amount: number, change: Partial<RefundOfOrder> = {}): RefundOfOrder => ({
  kind: 'removed',
  amount,
  status: 'succeeded',
  is_by_hand: false,
  problem: null,
  ...change,
});
const failed = { status: 'failed', problem: 'refused' } as const;

test.each<[string, RefundOfOrder[], number, ReturnType<typeof sumRefundsForRemovedLines>]>([
  ['nothing', [], 0, []],
  ['a refund that is being made', [refund(500, { status: 'pending' })], 500, [{ state: 'on_its_way', amount: 500 }]],
  ['two that were made', [refund(500), refund(200)], 700, [{ state: 'made', amount: 700 }]],
  ['one by hand', [refund(500, { is_by_hand: true })], 500, [{ state: 'by_hand', amount: 500 }]],
  [
    'one that waits for a dispute',
    [refund(500, { status: 'pending', problem: 'disputed' })],
    500,
    [{ state: 'waits', amount: 500 }],
  ],
  ['one that failed', [refund(500, failed)], 500, [{ state: 'not_made', amount: 500 }]],
  [
    'one whose keys have ended',
    [refund(500, { status: 'failed', problem: 'keys_ended' })],
    500,
    [{ state: 'not_made', amount: 500 }],
  ],
  [
    'one that a lost dispute ended',
    [refund(500, { status: 'failed', problem: 'disputed' })],
    500,
    [{ state: 'by_bank', amount: 500 }],
  ],
  [
    'one that failed, and one that was made',
    [refund(500, failed), refund(200)],
    700,
    [
      { state: 'made', amount: 200 },
      { state: 'not_made', amount: 500 },
    ],
  ],
  [
    'one that failed, and whose money a later one gives back as well',
    [refund(500, failed), refund(700, { status: 'pending' })],
    700,
    [{ state: 'on_its_way', amount: 700 }],
  ],
  [
    'one that failed, and of which a later one gives back a part',
    [refund(500, failed), refund(300)],
    500,
    [
      { state: 'made', amount: 300 },
      { state: 'not_made', amount: 200 },
    ],
  ],
])('the money of removed dishes: %s', (_case, refunds, due, expected) => {
  expect(sumRefundsForRemovedLines(refunds, due)).toEqual(expected);
});

test('only refunds for removed dishes are theirs', () => {
  expect(sumRefundsForRemovedLines([refund(500, { kind: 'total' }), refund(300, { kind: 'bank' })], 500)).toEqual([]);
});

const total = (amount: number, change: Partial<RefundOfOrder> = {}) => refund(amount, { kind: 'total', ...change });
const atBank = (amount: number, status: 'pending' | 'failed') =>
  refund(amount, { kind: 'bank', status, problem: 'disputed' });
const charge: OrderCharge = { amount: 1250, isReleaseOwed: false, isRefunded: false };

test.each<[string, RefundOfOrder[], OrderCharge | null, OrderRefundSum[]]>([
  ['not charged', [], null, []],
  ['nothing done yet', [], { ...charge, isReleaseOwed: true }, [{ state: 'on_its_way', amount: 1250 }]],
  ['made', [total(1250)], charge, [{ state: 'made', amount: 1250 }]],
  [
    'in two ways',
    [total(250, { is_by_hand: true }), refund(1000)],
    charge,
    [
      { state: 'by_hand', amount: 250 },
      { state: 'made', amount: 1000 },
    ],
  ],
  ['failed', [total(1250, failed)], charge, [{ state: 'not_made', amount: 1250 }]],
  [
    'failed before, and returned with all',
    [total(300, failed)],
    { ...charge, isReleaseOwed: true },
    [{ state: 'on_its_way', amount: 1250 }],
  ],
  [
    'failed in part, beside one that is being made',
    [total(300, failed), total(950, { status: 'pending' })],
    charge,
    [
      { state: 'on_its_way', amount: 950 },
      { state: 'not_made', amount: 300 },
    ],
  ],
  ['disputed', [atBank(1250, 'pending')], charge, [{ state: 'waits', amount: 1250 }]],
  ['lost', [atBank(1250, 'failed')], charge, [{ state: 'by_bank', amount: 1250 }]],
  [
    'disputed in part',
    [atBank(1000, 'pending')],
    charge,
    [
      { state: 'waits', amount: 1000 },
      { state: 'after_dispute', amount: 250 },
    ],
  ],
  [
    'lost in part',
    [atBank(1000, 'failed')],
    { ...charge, isReleaseOwed: true },
    [
      { state: 'by_bank', amount: 1000 },
      { state: 'not_made', amount: 250 },
    ],
  ],
  [
    'lost and disputed',
    [atBank(1000, 'failed'), atBank(100, 'pending')],
    charge,
    [
      { state: 'by_bank', amount: 1000 },
      { state: 'waits', amount: 100 },
      { state: 'after_dispute', amount: 150 },
    ],
  ],
  [
    'disputed beyond what was refunded',
    [atBank(1250, 'pending'), total(300)],
    charge,
    [
      { state: 'made', amount: 300 },
      { state: 'waits', amount: 950 },
    ],
  ],
  [
    'refund that waited, ended by a dispute',
    [atBank(1250, 'failed'), total(300, { status: 'failed', problem: 'disputed' })],
    charge,
    [{ state: 'by_bank', amount: 1250 }],
  ],
])('the money of an order that was called off: %s', (_case, refunds, paid, expected) => {
  expect(sumOrderRefunds(refunds, paid)).toEqual(expected);
});

test('of an order that goes on, only what did not reach the payer of refunds of its total is told', () => {
  const total = { kind: 'total' } as const;
  const all = [
    refund(300, { ...total, ...failed }),
    refund(150, { ...total, ...failed, problem: 'keys_ended' }),
    refund(200, { ...total, ...failed, problem: 'disputed' }),
    refund(500, total),
    refund(400, { ...total, status: 'pending' }),
    refund(250, failed),
  ];
  expect(sumFailedRefunds(all)).toEqual([
    { state: 'not_made', amount: 450 },
    { state: 'by_bank', amount: 200 },
  ]);
});
