import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardMomentWords } from '#kitchen/web/board-words.ts';
import detailClasses from '#kitchen/web/order/order-details.module.css';
import classes from '#kitchen/web/board/panels.module.css';
import { shopNow } from '#platform/web/clock.ts';
import { m } from '#messages';
import { effectivePaymentMethod, paymentStatuses } from '#ordering/payment-status.ts';
import type { Order } from '#ordering/order.ts';
import type { PaymentAttempt } from '#payment/contract.ts';
import { disputeNeedsResponse } from '#payment/bank-rules.ts';
import { disputeReasonWords, disputeStatusWords } from '#payment/dispute-words.ts';
import {
  DisputeDeadline,
  isSettlingSoon,
  MarkPaidButtons,
  pollIntervalUntilSettled,
} from '#payment/web/order-money.tsx';
import type { Refund, RefundStatus } from '#payment/refund.ts';
import { underchargeWords } from '#payment/web/payment-words.ts';
import { refundStateWords } from '#payment/refund-status-words.ts';
import { cardProviderOf } from '#platform/card-providers.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';

const RefundDialog = lazy(async () => ({ default: (await import('#payment/web/refund-dialog.tsx')).RefundDialog }));

const providerName = ({ provider }: PaymentAttempt): string =>
  cardProviderOf(provider).label ?? m.payment_mode_sandbox();

/** An order's payments and refunds, with the owner's refund button; empty if there is no payment, refund or debt. */
export function OrderMoneyPanel({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const { role } = useSession();
  const [isRefunding, setRefunding] = useState(false);
  const { data, refetch } = useQuery({
    queryKey: ['order money', order.id, order.version],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/orders/{id}/payments', { id: order.id }, { signal, timeout: 15_000 })).data,
    refetchInterval: ({ state }) => pollIntervalUntilSettled(state.data?.refunds.some(isSettlingSoon) ?? false),
  });
  if (!data || (data.payments.length + data.refunds.length === 0 && !wasPaidHere(order) && !isOwed(order))) return null;
  const money = (amount: number): string => formatMoney(amount, store.currency);
  const at = (instant: string): string => boardMomentWords(instant, shopNow(), store.timezone);
  return (
    <section>
      <h3>{m.kitchen_money_title()}</h3>
      {data.short > 0 && <Alert color="bad">{underchargeWords(data, money)}</Alert>}
      <ol className={detailClasses.history}>
        <AtTheCounter order={order} />
        {data.payments.map((payment) => (
          <li key={payment.id}>
            <strong>
              {m.kitchen_money_payment({
                amount: money(payment.captured ?? payment.amount),
                status: paymentStates[payment.status](),
              })}
            </strong>
            <span className={classes.soft}>
              {m.kitchen_money_by({ provider: providerName(payment), time: at(payment.updated_at) })}
            </span>
            {payment.owed === 'release' && payment.is_disputed && <span>{m.kitchen_money_waits()}</span>}
          </li>
        ))}
        {data.disputes.map((dispute) => {
          const { id, status, amount, reason, created_at } = dispute;
          return (
            <li key={id}>
              <strong>
                {m.kitchen_money_dispute({ amount: money(amount), status: disputeStatusWords[status]() })}
              </strong>
              <span>{disputeReasonWords(reason)}</span>
              {disputeNeedsResponse(status) && (
                <DisputeDeadline dispute={dispute} now={new Date(shopNow())} timezone={store.timezone} />
              )}
              <span className={classes.soft}>{at(created_at)}</span>
            </li>
          );
        })}
        {data.refunds.map((refund) => (
          <RefundLine key={refund.id} refund={refund} />
        ))}
      </ol>
      {isOwed(order) && (
        <MarkPaidButtons orderId={order.id} number={order.number} amount={money(order.total)} onDone={refetch} />
      )}
      {role === 'admin' && data.refundable > 0 && (
        <Button variant="default" onClick={() => setRefunding(true)}>
          {m.kitchen_money_give_back()}
        </Button>
      )}
      {isRefunding && (
        <Suspense>
          <RefundDialog
            orderId={order.id}
            store={store}
            onClose={() => setRefunding(false)}
            onDone={() => void refetch()}
          />
        </Suspense>
      )}
    </section>
  );
}

function RefundLine({ refund }: { refund: Refund }) {
  const { store } = useBoardControls();
  return (
    <li>
      <strong>{refundWords[refund.status]({ amount: formatMoney(refund.amount, store.currency) })}</strong>
      <span>{refund.reason}</span>
      {hasMoreToSay(refund) && <span>{refundStateWords(refund)}</span>}
      <span className={classes.soft}>{boardMomentWords(refund.created_at, shopNow(), store.timezone)}</span>
    </li>
  );
}

const isOwed = (order: Order): boolean => order.paid_by === 'not_paid';

const wasPaidHere = ({ payment_status: status, payment_method: method, paid_by: paidBy }: Order): boolean =>
  paymentStatuses[status].isTaken && (paidBy !== null || method === 'cash');

/** The entry of a payment without a provider: in cash, by the shop's card terminal, or still owed. */
function AtTheCounter({ order }: { order: Order }) {
  const { store } = useBoardControls();
  if (!isOwed(order) && !wasPaidHere(order)) return null;
  const paid = effectivePaymentMethod(order) === 'cash' ? m.kitchen_money_cash : m.kitchen_money_terminal;
  const words = isOwed(order) ? m.kitchen_money_owed : paid;
  return (
    <li>
      <strong>{words({ amount: formatMoney(order.total, store.currency) })}</strong>
    </li>
  );
}

/**
 * Whether a refund needs an explanation besides its status: a card refund that was made without a provider, or an
 * unfinished refund with a problem.
 */
export const hasMoreToSay = ({ status, problem, payment_id, payment_method, due, amount }: Refund): boolean =>
  status === 'succeeded'
    ? payment_id === null && payment_method === 'card'
    : problem !== null && (problem !== 'refused' || due < amount);

export const refundWords: Record<RefundStatus, typeof m.kitchen_money_refund> = {
  pending: m.kitchen_money_refund_pending,
  succeeded: m.kitchen_money_refund,
  failed: m.kitchen_money_refund_failed,
};

const paymentStates: Record<PaymentAttempt['status'], () => string> = {
  pending: m.kitchen_money_pending,
  authorised: m.kitchen_board_payment_authorised,
  captured: m.kitchen_board_payment_paid,
  voided: m.kitchen_board_payment_voided,
  refunded: m.kitchen_board_payment_refunded,
  failed: m.kitchen_board_payment_failed,
};
