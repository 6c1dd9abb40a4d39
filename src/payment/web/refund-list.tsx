import { m } from '#messages';
import type { Refund, RefundStatus } from '#payment/refund.ts';
import classes from '#payment/web/refund-dialog.module.css';
import { formatMoney } from '#platform/money.ts';

export const refundWords: Record<RefundStatus, () => string> = {
  pending: m.payment_refund_status_pending,
  succeeded: m.payment_refund_status_succeeded,
  failed: m.payment_refund_status_failed,
};

/** An order's refunds so far; nothing if there are none. */
export function RefundList({ refunds, currency }: { refunds: readonly Refund[]; currency: string }) {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h3 className={classes.heading}>{m.payment_refunds_so_far()}</h3>
      <ul className={classes.refunds}>
        {refunds.map((refund) => (
          <li key={refund.id}>
            {m.payment_refund_row({
              amount: formatMoney(refund.amount, currency),
              status: refundWords[refund.status](),
            })}
            <small>{m.payment_refund_by({ reason: refund.reason, actor: refund.actor })}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
