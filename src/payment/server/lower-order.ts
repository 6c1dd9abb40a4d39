import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import type { WantedRemoval } from '#ordering/remove-lines.ts';
import type { By } from '#ordering/server/change-orders.ts';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { draftOf, inForce, type Paid, takeExcess } from '#payment/refund-steps.ts';
import { containsRefunds, ofTotal, quantityLeft, removalLimit, sumOf, sumOfRemoved } from '#payment/refund-rules.ts';
import { capturedPayment, closePages, lockPayments, owe, oweCapture, releaseAll } from '#payment/server/owed.ts';
import { paidBy } from '#payment/balance.ts';
import {
  forgetReasons,
  newRefundId,
  type RefundRow,
  refundsOf,
  type StepServices,
  takeSteps,
} from '#payment/server/ledger.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { missingMinimum } from '#store/card-provider.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import type { OrderOwed } from '#ordering/server/services.ts';

export interface LowerOrder {
  before: OrderRow;
  order: OrderRow;
  /** The pieces that are taken off. */
  lines: readonly WantedRemoval[];
  by: By;
}

/**
 * A charge, or a payment at the till, goes back in part; a hold is captured in part later. Throws `conflict` if more was
 * refunded than is left, or less is left than a card can be charged; 422 on `lines` if only some pieces fit.
 */
async function lowerOrder(tx: Tx, services: StepServices, { before, order, lines, by }: LowerOrder): Promise<void> {
  const refunds = await refundsOf(tx, order.id);
  const earlier = inForce(refunds);
  const [first] = earlier;
  if (first && !containsRefunds(order, earlier)) throw refusal(before, lines, earlier, first.currency);
  const giveExcessBack = (paid: Paid) => {
    const draft = draftOf({ order, refunds }, newRefundId);
    takeExcess(draft, paid);
    return takeSteps(tx, services, order, draft.steps);
  };
  const payment = await capturedPayment(tx, order);
  if (payment && payment.owed !== 'release') {
    return giveExcessBack({ paid: paidBy(payment), paymentId: payment.id, by });
  }
  if (paymentStatuses[before.payment_status].isRefundable) {
    const paid = before.total + sumOfRemoved(earlier);
    return giveExcessBack({ paid, paymentId: null, by });
  }
  // A page that is open still asks for the earlier price.
  await closePages(tx, services.jobs, order.id, services.now());
  await lowerHold(tx, services, order);
}

/** Names the pieces that can still be taken off, or else the refunded amount. */
function refusal(
  before: OrderRow,
  lines: readonly WantedRemoval[],
  earlier: readonly RefundRow[],
  currency: string,
): AppError {
  const limit = removalLimit(before, earlier, lines);
  const line = limit && before.lines.find(({ id }) => id === lines[limit.index]?.line_id);
  if (limit && line && (limit.left > 0 || quantityLeft(line, earlier) === 0)) {
    const { index, left } = limit;
    const { name } = line;
    const words = left > 0 ? m.payment_removal_too_many({ left, name }) : m.payment_removal_none_left({ name });
    return invalid(`lines.${index}.quantity`, words);
  }
  const amount = formatMoney(sumOf(ofTotal(earlier)), currency);
  return new AppError('conflict', m.payment_removal_refunded({ amount }));
}

/** Releases a hold without a rest to pay. A decided capture goes on, and is refunded once it is made. */
async function lowerHold(
  tx: Tx,
  { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>,
  { id: orderId, total }: OrderRow,
): Promise<void> {
  const payment = (await lockPayments(tx, orderId)).findLast(
    ({ status, capture_amount }) => status === 'authorised' && capture_amount === null,
  );
  if (!payment || payment.owed === 'release') return;
  const least = missingMinimum(payment.currency, total);
  if (least !== null) {
    const [amount, needed] = [total, least].map((sum) => formatMoney(sum, payment.currency));
    throw new AppError('conflict', m.payment_removal_too_little({ amount: amount ?? '', least: needed ?? '' }));
  }
  if (total === 0) await owe(tx, jobs, payment, 'release', now());
}

/** The payment work of orders. */
export function createOrderOwed(services: StepServices): OrderOwed {
  const { jobs } = services;
  return {
    capture: (tx, order) => oweCapture(tx, jobs, order),
    release: (tx, order) => releaseAll(tx, jobs, order.id, order.closed_at ?? new Date()),
    lower: (tx, change) => lowerOrder(tx, services, change),
    forget: forgetReasons,
  };
}
