import { useQuery } from '@tanstack/react-query';
import type { OrderPayments } from '#payment/contract.ts';
import type { Refund } from '#payment/refund.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import type { Order } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import classes from '#payment/web/checks-list.module.css';
import type { PaymentMethod } from '#store/contract.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import type { Dispute } from '#payment/bank-contract.ts';
import { type DisputeUrgency, disputeUrgencyOf } from '#payment/bank-rules.ts';
import bankClasses from '#payment/web/bank.module.css';
import { dayWords, timeWords } from '#platform/date-words.ts';

/** The timeout of calls to the provider, in milliseconds. */
const timeout = 20_000;

/** The interval, in milliseconds, at which a page polls during a refund. */
const settling = 3_000;
export const pollIntervalUntilSettled = (isPending: boolean): number | false => isPending && settling;

/** Whether a refund is pending and its outcome is expected soon. A refund that waits for a dispute may take weeks. */
export const isSettlingSoon = ({ status, problem }: Pick<Refund, 'status' | 'problem'>): boolean =>
  status === 'pending' && problem === null;

export function useOrderMoney(orderId: string) {
  return useQuery({
    queryKey: ['order-money', orderId],
    staleTime: 0,
    queryFn: ({ signal }) => readOrderMoney(orderId, signal),
    refetchInterval: ({ state }) => pollIntervalUntilSettled(state.data?.money.refunds.some(isSettlingSoon) ?? false),
  });
}

async function readOrderMoney(id: string, signal?: AbortSignal): Promise<{ order: Order; money: OrderPayments }> {
  const options = { timeout, ...(signal && { signal }) };
  const [order, money] = await Promise.all([
    api('GET /v1/orders/{id}', { id }, options),
    api('GET /v1/orders/{id}/payments', { id }, options),
  ]);
  // The cast is right: the server sends staff the whole order, not its public part.
  return { order: order.data as Order, money: money.data };
}

export async function refetchOrderMoney(): Promise<void> {
  await Promise.all(
    ['order-money', 'payments', 'refunds', 'payouts', 'disputes', 'sales'].map((key) =>
      queryClient.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

/** A button that reconciles an order's payments, and shows whether that changed anything. */
export function CheckProviderButton({ orderId }: { orderId: string }) {
  const [isBusy, setBusy] = useState(false);
  const check = async (): Promise<void> => {
    setBusy(true);
    try {
      const before = await readOrderMoney(orderId);
      // The server asks about each payment in turn, and the provider may be slow.
      await api('POST /v1/orders/{id}/payment/reconcile', { id: orderId }, { timeout: 40_000 });
      const after = await readOrderMoney(orderId);
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      notify({ text: isSame ? m.payment_check_provider_same() : m.payment_check_provider_changed() });
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    } finally {
      setBusy(false);
      await refetchOrderMoney();
    }
  };
  return (
    <div className={classes.check}>
      <Button variant="default" loading={isBusy} onClick={() => void check()}>
        {m.payment_check_provider()}
      </Button>
      <p>{m.payment_check_provider_hint()}</p>
    </div>
  );
}

interface ButtonsProps {
  orderId: string;
  number: string;
  amount: string;
  onDone: () => Promise<unknown>;
}

export function MarkPaidButtons({ orderId: id, number, amount, onDone }: ButtonsProps) {
  const mark = async (method: PaymentMethod): Promise<void> => {
    const body = m.payment_mark_body({ number, amount });
    if (!(await confirm({ title: m.payment_mark_title(), body, action: m.payment_mark() }))) return;
    await api('POST /v1/orders/{id}/payment/mark-paid', { id, payment_method: method }, { timeout: 20_000 }).catch(
      (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }),
    );
    await onDone();
  };
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => void mark('cash')}>
        {m.payment_mark_cash()}
      </Button>
      <Button variant="default" onClick={() => void mark('card')}>
        {m.payment_mark_card()}
      </Button>
    </Group>
  );
}

const words: Record<DisputeUrgency, (values: { by: string; days: number }) => string> = {
  missed: m.payment_dispute_missed,
  soon: m.payment_dispute_soon,
  later: m.payment_dispute_later,
};

const day = 24 * 60 * 60_000;

type Waiting = Pick<Dispute, 'status' | 'respond_by'>;

/**
 * A sentence with the deadline for the answer to a dispute and the time left; null: no answer is needed, or there is no
 * deadline.
 */
export function disputeDeadlineWords({ status, respond_by }: Waiting, now: Date, timezone: string): string | null {
  const respondBy = respond_by === null ? null : new Date(respond_by);
  const urgency = disputeUrgencyOf({ status, respondBy }, now);
  if (urgency === null || respondBy === null) return null;
  const by = `${dayWords(respondBy, now, timezone)}, ${timeWords(respondBy, timezone)}`;
  const days = Math.floor((respondBy.getTime() - now.getTime()) / day);
  return urgency === 'soon' && days === 0 ? m.payment_dispute_last_day({ by }) : words[urgency]({ by, days });
}

export function DisputeDeadline({ dispute, now, timezone }: { dispute: Waiting; now: Date; timezone: string }) {
  const text = disputeDeadlineWords(dispute, now, timezone);
  if (text === null) return '–';
  const respondBy = dispute.respond_by === null ? null : new Date(dispute.respond_by);
  return (
    <span className={bankClasses.deadline} data-urgency={disputeUrgencyOf({ status: dispute.status, respondBy }, now)}>
      {text}
    </span>
  );
}
