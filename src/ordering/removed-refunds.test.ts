import { expect, test } from 'vitest';
import { type RefundOfRemoved, removedRefunds } from '#ordering/removed-refunds.ts';

const refund = (amount: number, change: Partial<RefundOfRemoved> = {}): RefundOfRemoved => ({
  amount,
  status: 'succeeded',
  is_by_hand: false,
  problem: null,
  ...change,
});
const failed = { status: 'failed', problem: 'refused' } as const;

test.each<[string, RefundOfRemoved[], number, ReturnType<typeof removedRefunds>]>([
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
  expect(removedRefunds(refunds, due)).toEqual(expected);
});
