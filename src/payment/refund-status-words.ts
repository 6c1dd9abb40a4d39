import { m } from '#messages';
import type { Refund, RefundStatus } from '#payment/refund.ts';

export const refundStatusWords: Record<RefundStatus, () => string> = {
  pending: m.payment_refund_status_pending,
  succeeded: m.payment_refund_status_succeeded,
  failed: m.payment_refund_status_failed,
};

/** How a refund stands, with the reason if it is not made. */
export function refundState({ status, problem, ...made }: Pick<Refund, 'status' | 'problem' | 'payment_id'>): string {
  if (status === 'succeeded' && made.payment_id === null) return m.payment_refund_status_by_hand();
  if (problem === 'keys_ended') return m.payment_refund_status_keys_ended();
  if (problem !== 'disputed') return refundStatusWords[status]();
  return status === 'pending' ? m.payment_refund_status_waits() : m.payment_refund_status_not_needed();
}
