import { describe, expect, test } from 'vitest';
import { DisputeStatus } from '#payment/bank.ts';
import {
  hasBankTakenMoneyBack,
  isDisputeClosed,
  disputeNeedsResponse,
  disputeStageOf,
  disputeUrgencyOf,
} from '#payment/bank-rules.ts';

test.each([
  ['inquiry_needs_response', 'inquiry', 'answer', 'open', 'ours'],
  ['inquiry_under_review', 'inquiry', 'wait', 'open', 'ours'],
  ['inquiry_closed', 'inquiry_closed', 'wait', 'closed', 'ours'],
  ['needs_response', 'disputed', 'answer', 'open', 'theirs'],
  ['under_review', 'disputed', 'wait', 'open', 'theirs'],
  ['won', 'dispute_won', 'wait', 'closed', 'ours'],
  ['lost', 'dispute_lost', 'wait', 'closed', 'theirs'],
] as const)('%s: %s, %s, %s, the money is %s', (status, stage, answer, end, money) => {
  expect(disputeStageOf(status)).toBe(stage);
  expect(disputeNeedsResponse(status) ? 'answer' : 'wait').toBe(answer);
  expect(isDisputeClosed(status) ? 'closed' : 'open').toBe(end);
  expect(hasBankTakenMoneyBack(status) ? 'theirs' : 'ours').toBe(money);
});

describe('the time to answer', () => {
  const now = new Date('2026-11-24T12:00:00Z');
  const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  test.each([
    ['over at its moment', 0, 'missed'],
    ['short below three days', 71.9, 'soon'],
    ['long from three days', 72, 'later'],
  ] as const)('is %s', (_name, hours, urgency) => {
    expect(disputeUrgencyOf({ status: 'needs_response', respondBy: after(hours) }, now)).toBe(urgency);
  });

  test('is of no interest once it was answered, or where the bank names none', () => {
    const waiting = DisputeStatus.options.filter((status) => !disputeNeedsResponse(status));
    expect(waiting.map((status) => disputeUrgencyOf({ status, respondBy: after(1) }, now))).toEqual(
      waiting.map(() => null),
    );
    expect(disputeUrgencyOf({ status: 'needs_response', respondBy: null }, now)).toBeNull();
  });
});
