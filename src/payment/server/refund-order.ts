import { isDeepStrictEqual } from 'node:util';
import { m } from '#messages';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { Tx } from '#database/schema.ts';
import { lockReferencedOrder, lockOrder, changeMoneyWithHistory } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { chargedAmount, unchargedAmount } from '#payment/balance.ts';
import {
  coversEarlierRefunds,
  refundsWithinTotal,
  planRefund,
  refundableQuantity,
  type RefundRefusal,
  findUnremovableLine,
  sumAmounts,
  sumOfLineRemovalRefunds,
  type RequestedRefund,
} from '#payment/refund-rules.ts';
import {
  startRefundSteps,
  unfailedRefunds,
  moneyAfterRefunds,
  addRefund,
  addRetriedRefund,
  addExcessRefund,
} from '#payment/refund-steps.ts';
import { findDisputedMoney } from '#payment/server/bank/read-disputes.ts';
import {
  findRefund,
  eraseRefundReasons,
  createRefundId,
  readRefundsWithStates,
  type RefundRow,
  readOrderRefunds,
  type RefundStepServices,
  applyRefundSteps,
} from '#payment/server/ledger.ts';
import {
  lockCapturedPayment,
  closePaymentPages,
  lockPayments,
  queueOwedCall,
  queueCapture,
  type PaymentRow,
  releaseOrderPayments,
} from '#payment/server/owed-calls.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { unmetChargeMinimum } from '#store/card-provider.ts';
import type { OrderPaymentEffects } from '#ordering/server/services.ts';

export interface RefundRequest {
  orderId: string;
  /** The client's idempotency key: the same key with the same request makes no second refund. */
  key: string;
  wanted: RequestedRefund;
  reason: string;
  actor: string;
  actorId: string | null;
}

/**
 * Refunds some or all of an order's payment, under the order's lock. A job refunds a card after the commit; any other
 * refund is recorded as made by hand. Throws 409 if nothing can be refunded now or the key belongs to another request,
 * 422 on `amount` or `lines`.
 */
export async function refundOrder(tx: Tx, services: RefundStepServices, request: RefundRequest) {
  const order = await lockOrder(tx, request.orderId);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  const refunds = await readOrderRefunds(tx, order.id);
  const { key, reason, actor, actorId } = request;
  const made = refunds.find((refund) => refund.key === key);
  if (made) {
    if (!isSameWish(made, request)) throw new AppError('conflict', m.payment_refund_key_reused());
    return { id: made.id, isNew: false };
  }
  const payment = await refundablePayment(tx, order);
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  if (!store) throw new AppError('not_found', m.store_not_found());
  const earlier = unfailedRefunds(refunds);
  const short = unchargedAmount(order, (await lockPayments(tx, order.id)).at(-1), earlier);
  const plan = planRefund(order, earlier, request.wanted, short);
  if ('fault' in plan) throw refusal(plan, store.currency);
  if (plan.amount === 0) throw new AppError('conflict', m.payment_refund_nothing_left());
  const draft = startRefundSteps({ order, refunds }, createRefundId);
  const by = { key, reason, actor, actor_id: actorId };
  const { id, amount } = addRefund(draft, { ...plan, ...by, kind: 'asked', payment_id: payment?.id ?? null });
  await applyRefundSteps(tx, services, order, draft.steps);
  await changeMoneyWithHistory(tx, services.outbox, order, {
    set: payment ? {} : moneyAfterRefunds(draft),
    by: request,
    note: { kind: 'refund', amount, currency: store.currency, reason },
    at: services.now(),
  });
  return { id, isNew: true };
}

/** The payment to refund; undefined: the order is refunded by hand. Throws 409 if nothing may be refunded now. */
async function refundablePayment(tx: Tx, order: OrderRow): Promise<PaymentRow | undefined> {
  if (!paymentStatuses[order.payment_status].isRefundable) {
    throw new AppError('conflict', order.refunded > 0 ? m.payment_refund_nothing_left() : m.payment_nothing_paid());
  }
  const payment = await lockCapturedPayment(tx, order);
  if (payment?.owed === 'release') throw new AppError('conflict', m.payment_being_released());
  if (payment && (await findDisputedMoney(tx, payment.id))) throw new AppError('conflict', m.payment_refund_disputed());
  return payment;
}

function isSameWish(made: RefundRow, { wanted, reason }: RefundRequest): boolean {
  if (made.reason !== reason) return false;
  if ('amount' in wanted) return made.lines.length === 0 && made.amount === wanted.amount;
  const pieces = (lines: readonly { line_id: string; quantity: number }[]) =>
    lines.map(({ line_id, quantity }) => [line_id, quantity]);
  return isDeepStrictEqual(pieces(made.lines), pieces(wanted.lines));
}

function refusal(fault: RefundRefusal, currency: string): AppError {
  if (fault.fault === 'too_much') {
    const amount = formatMoney(fault.left, currency);
    return invalidFieldError(
      'amount',
      fault.left > 0 ? m.payment_refund_too_much({ amount }) : m.payment_refund_nothing_left(),
    );
  }
  if (fault.fault === 'unknown_line')
    return invalidFieldError(`lines.${fault.index}.line_id`, m.payment_refund_unknown_line());
  return invalidFieldError(`lines.${fault.index}.quantity`, m.payment_refund_too_many({ left: fault.left }));
}

/**
 * Retries a failed refund at the provider, or records it as made by hand. Returns the id of the refund; if only a part
 * is due, the id of the part.
 */
export async function retryRefund(
  tx: Tx,
  services: RefundStepServices,
  { id, by, actor, actorId }: { id: string; by: 'provider' | 'hand'; actor: string; actorId: string | null },
): Promise<string> {
  const found = await findRefund(tx, id);
  if (!found) throw new AppError('not_found', m.platform_not_found());
  const order = await lockReferencedOrder(tx, found.order_id);
  const refunds = await readRefundsWithStates(tx, order.id);
  const refund = refunds.find((one) => one.id === id);
  if (refund?.status !== 'failed') throw new AppError('conflict', m.payment_refund_not_failed());
  await refuseRetry(tx, refund, by);
  const { due } = refund;
  const through = by === 'hand' ? null : refund.payment_id;
  const draft = startRefundSteps({ order, refunds }, createRefundId);
  const made = addRetriedRefund(draft, refund, { due, through });
  await applyRefundSteps(tx, services, order, draft.steps);
  if (through !== null) return made;
  await changeMoneyWithHistory(tx, services.outbox, order, {
    ...(refund.kind !== 'late_payment' && { set: moneyAfterRefunds(draft) }),
    by: { actor, actorId },
    note: { kind: 'refund_by_hand', amount: due, currency: refund.currency },
    at: services.now(),
  });
  return made;
}

/**
 * Throws `conflict` if a failed refund must not be retried. `by`: who would make the refund: the provider, or staff by
 * hand.
 */
async function refuseRetry(tx: Tx, { due, problem, payment_id }: RetriedRefund, by: 'provider' | 'hand') {
  const isAtBank = payment_id !== null && (await findDisputedMoney(tx, payment_id)) !== null;
  // The payer's bank has taken back the payment or a part of it. Staff may refund the rest (`due`) by hand. A larger
  // refund would pay the payer twice.
  if (isAtBank && (by === 'provider' || due === 0)) throw new AppError('conflict', m.payment_refund_disputed());
  if (by === 'provider' && problem === 'keys_ended') throw new AppError('conflict', m.payment_refund_keys_ended());
  if (due === 0) throw new AppError('conflict', m.payment_refund_nothing_left());
}

type RetriedRefund = Awaited<ReturnType<typeof readRefundsWithStates>>[number];

type LowerOrder = Parameters<OrderPaymentEffects['lower']>[1];

/**
 * Applies an order's lowered total to its payment. The excess of a charge, or of a payment at the till, is refunded; a
 * hold is captured in part later. Throws `conflict` if more was refunded than the new total, or if a card cannot be
 * charged so little. Throws 422 on `lines` if only some of the pieces can be removed.
 */
async function lowerOrder(tx: Tx, services: RefundStepServices, change: LowerOrder): Promise<void> {
  const { before, order, by } = change;
  const refunds = await readOrderRefunds(tx, order.id);
  const earlier = unfailedRefunds(refunds);
  const [first] = earlier;
  if (first && !coversEarlierRefunds(order, earlier)) throw removalRefusal(change, earlier, first.currency);
  const captured = await lockCapturedPayment(tx, order);
  const payment = captured?.owed === 'release' ? undefined : captured;
  if (payment || paymentStatuses[before.payment_status].isRefundable) {
    const paid = payment ? chargedAmount(payment) : before.total + sumOfLineRemovalRefunds(earlier);
    const draft = startRefundSteps({ order, refunds }, createRefundId);
    addExcessRefund(draft, paid, { payment_id: payment?.id ?? null, actor_id: by.actorId });
    return applyRefundSteps(tx, services, order, draft.steps);
  }
  // An open page still shows the earlier price.
  await closePaymentPages(tx, services.jobs, order.id, services.now());
  await lowerHold(tx, services, order);
}

/**
 * The error if earlier refunds do not allow the removal of lines. The message names the pieces that can still be
 * removed, or else the refunded amount.
 */
function removalRefusal({ before, lines }: LowerOrder, earlier: readonly RefundRow[], currency: string): AppError {
  const limit = findUnremovableLine(before, earlier, lines);
  const line = limit && before.lines.find(({ id }) => id === lines[limit.index]?.line_id);
  if (limit && line && (limit.left > 0 || refundableQuantity(line, earlier) === 0)) {
    const { index, left } = limit;
    const { name } = line;
    const words = left > 0 ? m.payment_removal_too_many({ left, name }) : m.payment_removal_none_left({ name });
    return invalidFieldError(`lines.${index}.quantity`, words);
  }
  const amount = formatMoney(sumAmounts(refundsWithinTotal(earlier)), currency);
  return new AppError('conflict', m.payment_removal_refunded({ amount }));
}

/**
 * Applies a lowered total to a hold, which is released if the total is zero. If the amount to capture was decided
 * already, the excess is refunded after the capture.
 */
async function lowerHold(tx: Tx, { jobs, now }: RefundStepServices, { id: orderId, total }: OrderRow): Promise<void> {
  const payment = (await lockPayments(tx, orderId)).findLast(
    ({ status, capture_amount }) => status === 'authorised' && capture_amount === null,
  );
  if (!payment || payment.owed === 'release') return;
  const least = unmetChargeMinimum(payment.currency, total);
  if (least !== null) {
    const [amount, needed] = [total, least].map((sum) => formatMoney(sum, payment.currency));
    throw new AppError('conflict', m.payment_removal_too_little({ amount: amount ?? '', least: needed ?? '' }));
  }
  if (total === 0) await queueOwedCall(tx, jobs, payment, 'release', now());
}

export function createOrderPaymentEffects(services: RefundStepServices): OrderPaymentEffects {
  const { jobs } = services;
  return {
    capture: (tx, order) => queueCapture(tx, jobs, order),
    release: (tx, order) => releaseOrderPayments(tx, jobs, order.id, order.closed_at ?? new Date()),
    lower: (tx, change) => lowerOrder(tx, services, change),
    forget: eraseRefundReasons,
  };
}
