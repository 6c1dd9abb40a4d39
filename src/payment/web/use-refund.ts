import { useState } from 'react';
import { v4 as randomId } from 'uuid';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import type { OrderPayments } from '#payment/contract.ts';
import { planRefund, type WantedRefund } from '#payment/refund-rules.ts';
import { refetchMoney } from '#payment/web/order-money.ts';
import { api } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';

export type RefundWay = 'all' | 'lines' | 'amount';

export interface RefundDraft {
  way: RefundWay;
  /** Minor units. */
  amount: number | null;
  /** How many of each line, by its id. */
  pieces: Record<string, number>;
  reason: string;
}

interface Refunding {
  draft: RefundDraft;
  change(part: Partial<RefundDraft>): void;
  /** The refunds that already count. */
  earlier: OrderPayments['refunds'];
  /** Minor units; 0 while there is nothing to refund. */
  sum: number;
  /** The possible rest, if more is requested. */
  fault: number | null;
  /** Refunded by hand: it was paid in cash, or with the shop's own card machine. */
  isByHand: boolean;
  error: unknown;
  isBusy: boolean;
  send(): Promise<void>;
}

/** The refund being typed, and sending it. */
export function useRefund(
  { order, money, say }: { order: Order; money: OrderPayments; say: (amount: number) => string },
  onDone: () => void,
): Refunding {
  const [draft, setDraft] = useState<RefundDraft>({ way: 'all', amount: null, pieces: {}, reason: '' });
  // The same key for a retry after a lost answer, so that it is the same refund.
  const [key] = useState(() => randomId());
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const earlier = money.refunds.filter(({ status }) => status !== 'failed');
  const wanted = money.refundable === 0 ? null : wantedBy(draft, money.refundable);
  const plan = wanted && within(money.refundable, planRefund(order, earlier, wanted));
  const sum = plan && !('fault' in plan) ? plan.amount : 0;

  const send = async (): Promise<void> => {
    if (!wanted || sum === 0) return;
    setBusy(true);
    setError(null);
    try {
      const body = { id: order.id, key, reason: draft.reason, ...mutable(wanted) };
      const { data } = await api('POST /v1/orders/{id}/refunds', body, { timeout: 20_000 });
      const words = data.status === 'pending' ? m.payment_refund_going : m.payment_refund_done;
      notify({ text: words({ amount: say(sum) }) });
      onDone();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
      await refetchMoney();
    }
  };

  return {
    draft,
    change: (part) => setDraft({ ...draft, ...part }),
    earlier,
    sum,
    fault: plan && 'fault' in plan && plan.fault === 'too_much' ? plan.left : null,
    isByHand: !money.payments.some(({ status }) => status === 'captured'),
    error,
    isBusy,
    send,
  };
}

function wantedBy({ way, amount, pieces }: RefundDraft, left: number): WantedRefund | null {
  if (way === 'all') return { amount: left };
  if (way === 'amount') return amount === null || amount === 0 ? null : { amount };
  const lines = Object.entries(pieces).flatMap(([line_id, quantity]) => (quantity > 0 ? [{ line_id, quantity }] : []));
  return lines.length === 0 ? null : { lines };
}

/** A card that was charged less than the order costs gets back no more than that. */
function within(left: number, plan: ReturnType<typeof planRefund>): ReturnType<typeof planRefund> {
  return !('fault' in plan) && plan.amount > left ? { fault: 'too_much', left } : plan;
}

function mutable(wanted: WantedRefund) {
  return 'amount' in wanted ? wanted : { lines: [...wanted.lines] };
}
