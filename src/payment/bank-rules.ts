import type { DisputeStage } from '#database/column-values.ts';
import type { DisputeStatus, PayoutStatus } from '#payment/bank.ts';

/* The consequences of the status of a payout or a dispute. Pages use it, so it loads no schemas. */

/** Whether its money is in the bank account, or on its way there. */
export const isArriving = (status: PayoutStatus): boolean => status !== 'failed' && status !== 'cancelled';

const unanswered: ReadonlySet<DisputeStatus> = new Set(['inquiry_needs_response', 'needs_response']);

/** Whether the shop has to answer it. */
export const needsResponse = (status: DisputeStatus): boolean => unanswered.has(status);

/** The statuses in which it has to, for statements. */
export const unansweredStatuses: readonly DisputeStatus[] = [...unanswered];

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

export const stageOf = (status: DisputeStatus): DisputeStage => stages[status];

const closed: ReadonlySet<DisputeStage> = new Set(['inquiry_closed', 'dispute_won', 'dispute_lost']);

export const isDisputeClosed = (status: DisputeStatus): boolean => closed.has(stageOf(status));

/** Whether the payer's bank has the money: a refund would give it back twice. */
export const hasBankTheMoney = (status: DisputeStatus): boolean =>
  stageOf(status) === 'disputed' || stageOf(status) === 'dispute_lost';

/** The statuses in which it has, for statements. */
export const bankHasMoneyStatuses: readonly DisputeStatus[] = (Object.keys(stages) as DisputeStatus[]).filter(
  hasBankTheMoney,
);

/** How much time is left to answer: none, less than three days, or more. */
export type Urgency = 'missed' | 'soon' | 'later';

const soon = 3 * 24 * 60 * 60_000;

/** null: nothing has to be answered, or the provider names no time. */
export function urgencyOf(
  { status, respondBy }: { status: DisputeStatus; respondBy: Date | null },
  now: Date,
): Urgency | null {
  if (!needsResponse(status) || respondBy === null) return null;
  const left = respondBy.getTime() - now.getTime();
  if (left <= 0) return 'missed';
  return left < soon ? 'soon' : 'later';
}
