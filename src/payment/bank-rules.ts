import type { DisputeStage } from '#database/column-values.ts';
import type { DisputeStatus, PayoutStatus } from '#payment/bank.ts';

/* Rules on the statuses of payouts and disputes. Pages import this file, so it must not import schemas. */

export const isPayoutPaidOrExpected = (status: PayoutStatus): boolean => status !== 'failed' && status !== 'cancelled';

const unanswered: ReadonlySet<DisputeStatus> = new Set(['inquiry_needs_response', 'needs_response']);

export const disputeNeedsResponse = (status: DisputeStatus): boolean => unanswered.has(status);

export const unansweredDisputeStatuses: readonly DisputeStatus[] = [...unanswered];

export type { DisputeStage } from '#database/column-values.ts';

const stages: Record<DisputeStatus, DisputeStage> = {
  inquiry_needs_response: 'inquiry',
  inquiry_under_review: 'inquiry',
  inquiry_closed: 'inquiry_closed',
  needs_response: 'disputed',
  under_review: 'disputed',
  won: 'dispute_won',
  lost: 'dispute_lost',
};

export const disputeStageOf = (status: DisputeStatus): DisputeStage => stages[status];

const closed: ReadonlySet<DisputeStage> = new Set(['inquiry_closed', 'dispute_won', 'dispute_lost']);

export const isDisputeClosed = (status: DisputeStatus): boolean => closed.has(disputeStageOf(status));

/** Whether the payer's bank has taken the money back, so that a refund would pay the payer twice. */
export const hasBankTakenMoneyBack = (status: DisputeStatus): boolean =>
  disputeStageOf(status) === 'disputed' || disputeStageOf(status) === 'dispute_lost';

export const moneyTakenDisputeStatuses: readonly DisputeStatus[] = (Object.keys(stages) as DisputeStatus[]).filter(
  hasBankTakenMoneyBack,
);

/** The time left to answer a dispute: none, less than three days, or more. */
export type DisputeUrgency = 'missed' | 'soon' | 'later';

const soon = 3 * 24 * 60 * 60_000;

/** How urgent the answer to a dispute is; null: no answer is needed, or the provider names no deadline. */
export function disputeUrgencyOf(
  { status, respondBy }: { status: DisputeStatus; respondBy: Date | null },
  now: Date,
): DisputeUrgency | null {
  if (!disputeNeedsResponse(status) || respondBy === null) return null;
  const left = respondBy.getTime() - now.getTime();
  if (left <= 0) return 'missed';
  return left < soon ? 'soon' : 'later';
}
