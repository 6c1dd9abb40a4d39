import { useQuery } from '@tanstack/react-query';
import { useBoardControls } from '#kitchen/web/board-controls.ts';
import { momentWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/panels.module.css';
import { shopNow } from '#kitchen/web/shop-clock.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import type { PaymentAttempt } from '#payment/contract.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';

/** An order's attempts to pay and what was given back. Nothing for cash of which nothing was given back. */
export function OrderMoney({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const { data } = useQuery({
    queryKey: ['order money', order.id, order.version],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/orders/{id}/payments', { id: order.id }, { signal, timeout: 15_000 })).data,
  });
  if (!data || data.payments.length + data.refunds.length === 0) return null;
  const money = (amount: number): string => formatMoney(amount, store.currency);
  const at = (instant: string): string => momentWords(instant, shopNow(), store.timezone);
  return (
    <section>
      <h3>{m.kitchen_money_title()}</h3>
      <ol className={classes.history}>
        {data.payments.map((payment) => (
          <li key={payment.id}>
            <strong>
              {m.kitchen_money_payment({ amount: money(payment.amount), status: paymentStates[payment.status]() })}
            </strong>
            <span className={classes.soft}>
              {m.kitchen_money_by({ provider: payment.provider, time: at(payment.updated_at) })}
            </span>
            {payment.reference && <span className={classes.soft}>{payment.reference}</span>}
          </li>
        ))}
        {data.refunds.map((refund) => (
          <li key={refund.id}>
            <strong>{m.kitchen_money_refund({ amount: money(refund.amount) })}</strong>
            <span>{refund.reason}</span>
            <span className={classes.soft}>{at(refund.created_at)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const paymentStates: Record<PaymentAttempt['status'], () => string> = {
  pending: m.kitchen_money_pending,
  authorised: m.kitchen_board_payment_authorised,
  captured: m.kitchen_board_payment_paid,
  voided: m.kitchen_board_payment_voided,
  refunded: m.kitchen_board_payment_refunded,
  failed: m.kitchen_board_payment_failed,
};
