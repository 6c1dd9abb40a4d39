import { isDeepStrictEqual } from 'node:util';
import { m } from '#messages';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { Tx } from '#database/schema.ts';
import { lockOrder, noteMoney } from '#ordering/server/change-orders.ts';
import { draftOf, inForce, moneyAfter, takeAsked } from '#payment/refund-steps.ts';
import { planRefund, type RefundFault, shortOf, type WantedRefund } from '#payment/refund-rules.ts';
import { paidBy, paysOrder } from '#payment/balance.ts';
import { capturedPayment } from '#payment/server/lock-payment.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { newRefundId, type RefundRow, refundsOf, takeQuietSteps } from '#payment/server/ledger.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import type { PaymentServices } from '#payment/server/services.ts';

export interface RefundRequest {
  orderId: string;
  /** The client's: the same key with the same request is the same refund. */
  key: string;
  wanted: WantedRefund;
  reason: string;
  actor: string;
  actorId: string | null;
}

/**
 * Refunds some or all of what was paid, in the caller's transaction and under the order's lock, so that two people
 * together never refund more than was paid. A card refund goes to the provider after the commit; anything else was
 * refunded by hand. Throws 409 if nothing was paid or a key is used for something else, 422 on `amount` or `lines`.
 */
export async function refundOrder(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now' | 'outbox'>,
  request: RefundRequest,
): Promise<{ id: string; isNew: boolean }> {
  const order = await lockOrder(tx, request.orderId);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  const made = await tx
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (made) {
    if (!isSameWish(made, request)) throw new AppError('conflict', m.payment_refund_key_reused());
    return { id: made.id, isNew: false };
  }
  if (!paymentStatuses[order.payment_status].isRefundable) {
    throw new AppError('conflict', order.refunded > 0 ? m.payment_refund_nothing_left() : m.payment_nothing_paid());
  }
  const payment = await capturedPayment(tx, order);
  if (payment?.owed === 'release') throw new AppError('conflict', m.payment_being_released());
  if (payment && (await findAtBank(tx, payment.id))) throw new AppError('conflict', m.payment_refund_disputed());
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  if (!store) throw new AppError('not_found', m.store_not_found());
  const refunds = await refundsOf(tx, order.id);
  const earlier = inForce(refunds);
  const plan = planRefund(order, earlier, request.wanted, await readShort(tx, order, earlier));
  if ('fault' in plan) throw refusal(plan, store.currency);
  if (plan.amount === 0) throw new AppError('conflict', m.payment_refund_nothing_left());
  const { key, reason, actor, actorId } = request;
  const draft = draftOf({ order, refunds }, newRefundId);
  const asked = { ...plan, payment_id: payment?.id ?? null, key, reason, actor, actor_id: actorId };
  const { id, amount } = takeAsked(draft, asked);
  await takeQuietSteps(tx, services, order, draft.steps);
  await noteMoney(tx, services.outbox, order, {
    set: payment ? {} : moneyAfter(draft),
    by: request,
    note: { kind: 'refund', amount, currency: store.currency, reason },
    at: services.now(),
  });
  return { id, isNew: true };
}

/** The part of the order that its card was not charged: the provider would refuse to give it back. */
async function readShort(tx: Tx, order: OrderRow, earlier: readonly RefundRow[]): Promise<number> {
  const latest = await tx
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', order.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isOwn = latest !== undefined && paysOrder({ order, isLatest: true }, latest.status);
  return isOwn ? shortOf(order, paidBy(latest), earlier) : 0;
}

function isSameWish(made: RefundRow, { wanted, reason }: RefundRequest): boolean {
  if (made.reason !== reason) return false;
  if ('amount' in wanted) return made.lines.length === 0 && made.amount === wanted.amount;
  const pieces = (lines: readonly { line_id: string; quantity: number }[]) =>
    lines.map(({ line_id, quantity }) => [line_id, quantity]);
  return isDeepStrictEqual(pieces(made.lines), pieces(wanted.lines));
}

function refusal(fault: RefundFault, currency: string): AppError {
  if (fault.fault === 'too_much') {
    const amount = formatMoney(fault.left, currency);
    return invalid('amount', fault.left > 0 ? m.payment_refund_too_much({ amount }) : m.payment_refund_nothing_left());
  }
  if (fault.fault === 'unknown_line') return invalid(`lines.${fault.index}.line_id`, m.payment_refund_unknown_line());
  return invalid(`lines.${fault.index}.quantity`, m.payment_refund_too_many({ left: fault.left }));
}
