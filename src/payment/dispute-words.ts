import { m } from '#messages';
import type { DisputeStatus } from '#payment/bank.ts';
import type { DisputeStage } from '#payment/bank-rules.ts';

export const disputeStageWords: Record<DisputeStage, (values: { amount: string }) => string> = {
  inquiry: m.payment_dispute_inquiry,
  inquiry_closed: m.payment_dispute_inquiry_closed,
  disputed: m.payment_dispute_disputed,
  dispute_won: m.payment_dispute_won,
  dispute_lost: m.payment_dispute_lost,
};

export const disputeStatusWords: Record<DisputeStatus, () => string> = {
  inquiry_needs_response: m.payment_dispute_status_inquiry,
  inquiry_under_review: m.payment_dispute_status_inquiry_review,
  inquiry_closed: m.payment_dispute_status_inquiry_closed,
  needs_response: m.payment_dispute_status_needs_response,
  under_review: m.payment_dispute_status_review,
  won: m.payment_dispute_status_won,
  lost: m.payment_dispute_status_lost,
};

const reasons: Record<string, () => string> = {
  credit_not_processed: m.payment_dispute_reason_credit_not_processed,
  duplicate: m.payment_dispute_reason_duplicate,
  fraudulent: m.payment_dispute_reason_fraudulent,
  product_not_received: m.payment_dispute_reason_not_received,
  product_unacceptable: m.payment_dispute_reason_unacceptable,
  unrecognized: m.payment_dispute_reason_unrecognized,
};

/** The reason of a dispute in words. Reasons that are rare for a takeaway share one text. */
export function disputeReasonWords(reason: string): string {
  return (reasons[reason] ?? m.payment_dispute_reason_other)();
}
