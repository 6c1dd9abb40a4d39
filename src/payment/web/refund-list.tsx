import { m } from '#messages';
import type { Refund } from '#payment/refund.ts';
import { refundState } from '#payment/refund-status-words.ts';
import classes from '#payment/web/refund-dialog.module.css';
import { formatMoney } from '#platform/money.ts';

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
              status: refundState(refund),
            })}
            <small>{m.payment_refund_by({ reason: refund.reason, actor: refund.actor })}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
