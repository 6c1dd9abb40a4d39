import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import type { Refund, RefundStatus } from '#payment/refund.ts';

export const refundStatusWords: Record<RefundStatus, () => string> = {
  pending: m.payment_refund_status_pending,
  succeeded: m.payment_refund_status_succeeded,
  failed: m.payment_refund_status_failed,
};

type Stated = Pick<Refund, 'status' | 'problem' | 'payment_id' | 'amount' | 'due' | 'currency'>;

/**
 * A refund's state in words, with the reason if the refund was not made, and with the due amount if only a part is due.
 */
export function refundStateWords(refund: Stated): string {
  const status = wordsOf(refund);
  const { due, amount, currency } = refund;
  if (due === 0 || due === amount) return status;
  return m.payment_refund_status_due({ status, due: formatMoney(due, currency) });
}

function wordsOf({ status, problem, payment_id }: Stated): string {
  if (status === 'succeeded' && payment_id === null) return m.payment_refund_status_by_hand();
  if (problem === 'given_back') return m.payment_refund_status_given_back();
  if (problem === 'keys_ended') return m.payment_refund_status_keys_ended();
  if (problem !== 'disputed') return refundStatusWords[status]();
  return status === 'pending' ? m.payment_refund_status_waits() : m.payment_refund_status_not_needed();
}
