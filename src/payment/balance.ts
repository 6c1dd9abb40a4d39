import type { DisputeStatus } from '#payment/bank.ts';
import { bankHasMoney, disputeStageOf } from '#payment/bank-rules.ts';
import { paymentStatuses } from '#ordering/payment-status.ts';
import { type Movement, netRefunded } from '#payment/movements.ts';
import type { OrderFacts, PaymentState } from '#payment/payment-state.ts';
import {
  type EarlierRefund,
  excessPaid,
  refundsOfTotal,
  refundableAmount,
  sumOfRemovedLines,
  sumOfAmounts,
} from '#payment/refund-rules.ts';
import type { RefundProblem, RefundStatus } from '#payment/refund.ts';

/*
 * The balance of each payment and the amount due of each failed refund, computed here for all rules, lists, mails and
 * pages.
 */

/** An order with its payments, refunds, disputes and movements. Minor units; payments and refunds are oldest first. */
export interface MoneyFacts {
  order: Pick<OrderFacts, 'payment_method' | 'payment_status'> & { total: number };
  payments: readonly PaidPayment[];
  refunds: readonly KnownRefund[];
  disputes: readonly { payment_id: string; status: DisputeStatus; amount: number }[];
  movements: readonly (Pick<Movement, 'kind' | 'amount'> & { payment_id: string })[];
}

interface PaidPayment {
  id: string;
  status: PaymentState;
  amount: number;
  captured: number | null;
}

export interface MoneyFactsWithKeys extends MoneyFacts {
  payments: readonly (PaidPayment & { have_keys_ended: boolean })[];
}

type KnownRefund = Pick<EarlierRefund, 'amount' | 'kind'> & {
  id: string;
  /** null: refunded by hand. */
  payment_id: string | null;
  status: RefundStatus;
};

export interface Balance {
  authorised: number;
  /** The whole charge, before refunds. */
  captured: number;
  /** The sum of succeeded refunds, or the sum that the provider has refunded, if that is larger. */
  givenBack: number;
  onItsWay: number;
  /**
   * Refunded by hand. Refunds of the kind `late_payment` count if the payment did not pay its order; all others count
   * if it did.
   */
  byHand: number;
  inDispute: number;
  lost: number;
  /** The part of the charge that is neither refunded, nor being refunded, nor at the payer's bank. */
  left: number;
}

/** The charged sum of a captured payment, minor units. */
export function chargedAmount({ captured, amount }: Pick<PaidPayment, 'captured' | 'amount'>): number {
  return captured ?? amount;
}

/**
 * Whether this payment is the one that paid its order. False if the order was paid in another way since, or if the
 * charge was refunded before the shop heard of it.
 */
export function paysOrder(
  { order, isLatest }: { order: Pick<OrderFacts, 'payment_method' | 'payment_status'>; isLatest: boolean },
  status: PaymentState,
): boolean {
  const isCharge = status === 'captured' || status === 'refunded';
  return isCharge && isLatest && order.payment_method === 'card' && paymentStatuses[order.payment_status].isTaken;
}

/**
 * The part of an order that its card was not charged, and so cannot be refunded to it, minor units: the price with
 * removed lines, less the charge; 0 if no card paid the order.
 */
export function unchargedPart(
  order: MoneyFacts['order'],
  latest: PaidPayment | undefined,
  earlier: readonly Pick<EarlierRefund, 'amount' | 'kind'>[],
): number {
  const isOwn = latest !== undefined && paysOrder({ order, isLatest: true }, latest.status);
  return isOwn ? Math.max(0, order.total + sumOfRemovedLines(earlier) - chargedAmount(latest)) : 0;
}

export function balanceOf({ order, payments, refunds, ...facts }: MoneyFacts, paymentId: string): Balance {
  const payment = payments.find(({ id }) => id === paymentId);
  if (!payment) throw new Error(`payment ${paymentId} is not of this order`);
  const isOwn = paysOrder({ order, isLatest: payments.at(-1) === payment }, payment.status);
  const sumIf = (wanted: (refund: KnownRefund) => boolean) => sumOfAmounts(refunds.filter(wanted));
  const made = sumIf(({ payment_id, status }) => payment_id === paymentId && status === 'succeeded');
  const moved = netRefunded(facts.movements.filter(({ payment_id }) => payment_id === paymentId));
  const taken = facts.disputes.filter((one) => one.payment_id === paymentId && bankHasMoney(one.status));
  const where = {
    authorised: payment.status === 'authorised' ? payment.amount : 0,
    captured: chargedAmount(payment),
    givenBack: Math.max(made, moved),
    onItsWay: sumIf(({ payment_id, status }) => payment_id === paymentId && status === 'pending'),
    byHand: sumIf(
      ({ payment_id, status, kind }) =>
        payment_id === null && status !== 'failed' && (kind !== 'late_payment') === isOwn,
    ),
    inDispute: sumOfAmounts(taken.filter(({ status }) => disputeStageOf(status) === 'disputed')),
    lost: sumOfAmounts(taken.filter(({ status }) => disputeStageOf(status) === 'dispute_lost')),
  };
  const back = where.givenBack + where.onItsWay + where.byHand + where.inDispute + where.lost;
  return { ...where, left: where.captured - back };
}

/**
 * The part of a failed refund that is still to be refunded, minor units. It is limited by the rest of its payment and
 * by the refundable sum for its kind; newer failed refunds come first.
 */
export function refundDueOf(facts: MoneyFacts, refund: KnownRefund): number {
  const { id, payment_id: paymentId, status, kind, amount } = refund;
  if (status !== 'failed') return 0;
  if (paymentId === null) return amount;
  const { captured, left } = balanceOf(facts, paymentId);
  const inForce = facts.refunds.filter((one) => one.status !== 'failed');
  const newer = facts.refunds.filter((one) => one.payment_id === paymentId && one.status === 'failed' && one.id > id);
  const ofLines = {
    room: excessPaid(facts.order, captured, inForce),
    newer: sumOfAmounts(newer.filter((one) => one.kind === 'line_removed')),
  };
  const total = {
    room: Math.max(0, refundableAmount(facts.order, inForce)),
    newer: sumOfAmounts(refundsOfTotal(newer)),
  };
  const late = sumOfAmounts(newer.filter((one) => one.kind === 'late_payment'));
  const open = left - late - Math.min(ofLines.newer, ofLines.room) - Math.min(total.newer, total.room);
  const ofKind = kind === 'line_removed' ? ofLines : total;
  const room = kind === 'late_payment' ? amount : ofKind.room - ofKind.newer;
  return Math.max(0, Math.min(amount, open, room));
}

/** Why a refund was not made; null: it was made, or is on its way. */
export function refundProblemOf(facts: MoneyFactsWithKeys, refund: KnownRefund): RefundProblem | null {
  const { payment_id: paymentId, status } = refund;
  const isAtBank = facts.disputes.some((one) => one.payment_id === paymentId && bankHasMoney(one.status));
  if (status === 'succeeded') return null;
  if (status === 'pending') return isAtBank ? 'disputed' : null;
  if (refundDueOf(facts, refund) === 0) return isAtBank ? 'disputed' : 'given_back';
  const haveKeysEnded = facts.payments.some(({ id, have_keys_ended }) => id === paymentId && have_keys_ended);
  return haveKeysEnded ? 'keys_ended' : 'refused';
}
