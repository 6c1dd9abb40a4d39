import type { DisputeStatus } from '#payment/bank.ts';
import { hasBankTakenMoneyBack } from '#payment/bank-rules.ts';
import { paymentStatuses } from '#ordering/payment-status.ts';
import { type Movement, netRefundedAmount } from '#payment/movements.ts';
import type { OrderFacts, PaymentAttemptStatus } from '#payment/payment-state.ts';
import {
  type EarlierRefund,
  excessCharge,
  refundsWithinTotal,
  refundableAmount,
  sumOfLineRemovalRefunds,
  sumAmounts,
} from '#payment/refund-rules.ts';
import type { Refund, RefundProblem, RefundStatus } from '#payment/refund.ts';

/*
 * The balance of each payment and the due amount of each failed refund. All rules, lists, mails and pages use these
 * functions.
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
  status: PaymentAttemptStatus;
  amount: number;
  captured: number | null;
}

export interface MoneyFactsWithKeys extends MoneyFacts {
  payments: readonly (PaidPayment & { have_keys_ended: boolean })[];
}

type KnownRefund = Pick<Refund, 'id' | 'amount' | 'kind' | 'payment_id' | 'status'>;

/** The charged sum of a captured payment, minor units. */
export function chargedAmount({ captured, amount }: Pick<PaidPayment, 'captured' | 'amount'>): number {
  return captured ?? amount;
}

/**
 * Whether this payment paid its order. False if the order was paid in another way later, or if the charge was refunded
 * before the shop learnt of the charge.
 */
export function isPaymentOfOrder(
  { order, isLatest }: { order: Pick<OrderFacts, 'payment_method' | 'payment_status'>; isLatest: boolean },
  status: PaymentAttemptStatus,
): boolean {
  const isCharge = status === 'captured' || status === 'refunded';
  return isCharge && isLatest && order.payment_method === 'card' && paymentStatuses[order.payment_status].isTaken;
}

/**
 * The part of an order's price that was not charged to the card and so cannot be refunded to it; minor units. This is
 * the total plus the refunds for removed lines, less the charge; 0 if no card paid the order.
 */
export function unchargedAmount(
  order: MoneyFacts['order'],
  latest: PaidPayment | undefined,
  earlier: readonly Pick<EarlierRefund, 'amount' | 'kind'>[],
): number {
  const isOwn = latest !== undefined && isPaymentOfOrder({ order, isLatest: true }, latest.status);
  return isOwn ? Math.max(0, order.total + sumOfLineRemovalRefunds(earlier) - chargedAmount(latest)) : 0;
}

/** The part of a payment's charge that is neither refunded, nor being refunded, nor taken back by the payer's bank. */
export function unrefundedAmountOf({ order, payments, refunds, ...facts }: MoneyFacts, paymentId: string): number {
  const payment = findPayment(payments, paymentId);
  const isOwn = isPaymentOfOrder({ order, isLatest: payments.at(-1) === payment }, payment.status);
  const inForce = refunds.filter(({ status }) => status !== 'failed');
  const through = (wanted: RefundStatus) =>
    sumAmounts(refunds.filter(({ payment_id, status }) => payment_id === paymentId && status === wanted));
  // The refunded sum in the provider's answers (`moved`) and the sum of the shop's `refunds` may differ, because either
  // may still lack a refund. The larger sum counts below.
  const moved = netRefundedAmount(facts.movements.filter(({ payment_id }) => payment_id === paymentId));
  // Refunds by hand have no `payment_id`. If their kind is `late_payment`, they belong to a payment that did not pay
  // its order, otherwise to the payment that paid it.
  const byHand = inForce.filter((one) => one.payment_id === null && (one.kind !== 'late_payment') === isOwn);
  const atBank = facts.disputes.filter((one) => one.payment_id === paymentId && hasBankTakenMoneyBack(one.status));
  const back = Math.max(through('succeeded'), moved) + through('pending') + sumAmounts([...byHand, ...atBank]);
  return chargedAmount(payment) - back;
}

function findPayment(payments: readonly PaidPayment[], id: string): PaidPayment {
  const payment = payments.find((one) => one.id === id);
  if (!payment) throw new Error(`payment ${id} is not of this order`);
  return payment;
}

/**
 * The part of a failed refund that is still to be refunded, minor units. The limits are the payment's unrefunded amount
 * and the refundable amount for the refund's kind. Both limits are reduced by newer failed refunds, which take
 * precedence.
 */
export function dueAmountOfRefund(facts: MoneyFacts, refund: KnownRefund): number {
  const { id, payment_id: paymentId, status, kind, amount } = refund;
  if (status !== 'failed') return 0;
  if (paymentId === null) return amount;
  const inForce = facts.refunds.filter((one) => one.status !== 'failed');
  const newer = facts.refunds.filter((one) => one.payment_id === paymentId && one.status === 'failed' && one.id > id);
  const ofLines = {
    room: excessCharge(facts.order, chargedAmount(findPayment(facts.payments, paymentId)), inForce),
    newer: sumAmounts(newer.filter((one) => one.kind === 'line_removed')),
  };
  const total = {
    room: Math.max(0, refundableAmount(facts.order, inForce)),
    newer: sumAmounts(refundsWithinTotal(newer)),
  };
  const late = sumAmounts(newer.filter((one) => one.kind === 'late_payment'));
  const open =
    unrefundedAmountOf(facts, paymentId) -
    late -
    Math.min(ofLines.newer, ofLines.room) -
    Math.min(total.newer, total.room);
  const ofKind = kind === 'line_removed' ? ofLines : total;
  const room = kind === 'late_payment' ? amount : ofKind.room - ofKind.newer;
  return Math.max(0, Math.min(amount, open, room));
}

/** Why a refund was not made; null: it was made, or it is pending and no dispute delays it. */
export function refundProblemOf(facts: MoneyFactsWithKeys, refund: KnownRefund): RefundProblem | null {
  const { payment_id: paymentId, status } = refund;
  const isAtBank = facts.disputes.some((one) => one.payment_id === paymentId && hasBankTakenMoneyBack(one.status));
  if (status === 'succeeded') return null;
  if (status === 'pending') return isAtBank ? 'disputed' : null;
  if (dueAmountOfRefund(facts, refund) === 0) return isAtBank ? 'disputed' : 'given_back';
  const haveKeysEnded = facts.payments.some(({ id, have_keys_ended }) => id === paymentId && have_keys_ended);
  return haveKeysEnded ? 'keys_ended' : 'refused';
}
