import { isStaffChannel } from '#ordering/next-status.ts';
import { isCalledOff, isAccepted, isAwaitingPayment } from '#ordering/order-status.ts';
import type { OrderChannel, OrderStatus, PaymentStatus } from '#ordering/order.ts';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { MoneyDisagreementKind } from '#payment/journal.ts';
import { balanceOfMovements, type Movement } from '#payment/movements.ts';
import type { OwedProviderCall, PaymentAttemptStatus } from '#payment/payment-state.ts';
import { refundsWithinTotal } from '#payment/refund-rules.ts';
import type { RefundKind, RefundStatus } from '#payment/refund.ts';
import type { PaymentMethod } from '#store/contract.ts';

/** An order with all of its payments and refunds. Minor units. */
export interface OrderToCheck {
  status: OrderStatus;
  payment_status: PaymentStatus;
  payment_method: PaymentMethod;
  channel: OrderChannel;
  total: number;
  refunded: number;
  isMarkedPaid: boolean;
  payments: readonly PaymentToCheck[];
  refunds: readonly RefundToCheck[];
}

export interface PaymentToCheck {
  status: PaymentAttemptStatus;
  owed: OwedProviderCall | null;
  amount: number;
  captured: number | null;
  /** The sum that the payer's bank took back, by open or lost disputes. */
  atBank: number;
  /** When the call in `owed` became necessary. */
  since: Date;
  movements: readonly Pick<Movement, 'kind' | 'amount'>[];
}

export interface RefundToCheck {
  status: RefundStatus;
  kind: RefundKind;
  amount: number;
  isByHand: boolean;
  /** Whether the refund waits until a dispute is decided, because the payer's bank has taken the payment back. */
  isWaiting: boolean;
  since: Date;
}

export interface MoneyMismatch {
  kind: MoneyDisagreementKind;
  expected: number;
  found: number;
}

/** Milliseconds after which a call that is still owed to the provider counts as a fault. */
const settledWithin = 60 * 60_000;

/**
 * The disagreements between an order's money and its status. While the order owes calls to the provider, its amounts
 * are not compared, and only an overdue call is a fault.
 */
export function findMoneyMismatches(order: OrderToCheck, now: Date): MoneyMismatch[] {
  const owing = [
    ...order.payments
      .filter(({ owed }) => owed !== null)
      .map(({ since, atBank }) => ({ since, isWaiting: atBank > 0 })),
    ...order.refunds.filter(({ status }) => status === 'pending'),
  ];
  const { kept: moved, held, atBank } = sumsOf(order);
  const expectedKept = keptFor(order);
  // The movements still contain money that the payer's bank took back by a dispute. This money is subtracted, but only
  // down to the expected sum.
  const kept = moved > expectedKept ? Math.max(expectedKept, moved - atBank) : moved;
  if (owing.length > 0) {
    const isLate = owing.some(({ since, isWaiting }) => !isWaiting && now.getTime() - since.getTime() > settledWithin);
    return isLate ? [{ kind: 'owed', expected: 0, found: Math.max(kept, held) }] : [];
  }
  const faults: [MoneyDisagreementKind, expected: number, found: number][] = [
    ['kept', expectedKept, kept],
    ['held', heldFor(order), held],
    ['unpaid', 0, isAcceptedUnpaid(order) ? order.total : 0],
    ['refunds', refundedIn(order), order.refunded],
    ...order.payments.map((payment): [MoneyDisagreementKind, number, number] => [
      'journal',
      capturedBy(payment),
      sumOf(payment.movements, 'captured'),
    ]),
  ];
  return faults.flatMap(([kind, expected, found]) => (expected === found ? [] : [{ kind, expected, found }]));
}

function sumsOf({ payments }: OrderToCheck): { kept: number; held: number; atBank: number } {
  const balances = payments.map(({ movements, atBank }) => ({ ...balanceOfMovements(movements), atBank }));
  return {
    kept: balances.reduce((all, { kept }) => all + kept, 0),
    held: balances.reduce((all, { held }) => all + held, 0),
    atBank: balances.reduce((all, one) => all + one.atBank, 0),
  };
}

/**
 * The card money of the order that the provider should still have: the order's price less refunds through the provider.
 * Late payments that staff refunded by hand are added, because a refund by hand leaves the charge at the provider.
 */
function keptFor(order: OrderToCheck): number {
  const late = order.refunds.filter(({ kind }) => kind === 'late_payment');
  const rest = { ...order, refunds: order.refunds.filter(({ kind }) => kind !== 'late_payment') };
  return keptOfPrice(rest) + total(late.filter(({ status, isByHand }) => status === 'succeeded' && isByHand));
}

function keptOfPrice(order: OrderToCheck): number {
  const isPaid = paymentStatuses[order.payment_status].isTaken;
  const isAtProvider = order.payment_method === 'card' && !order.isMarkedPaid && order.payments.length > 0;
  if (!isPaid || !isAtProvider || isAwaitingPayment(order.status)) return 0;
  const made = order.refunds.filter(({ status }) => status === 'succeeded');
  if (isCalledOff(order.status)) return total(made.filter(({ isByHand }) => isByHand));
  const back = refundsWithinTotal(made).filter(({ isByHand }) => !isByHand);
  // A removed dish that was refunded by hand is no longer in the total, but its charge is still at the provider.
  const stays = made.filter(({ kind, isByHand }) => kind === 'line_removed' && isByHand);
  return order.total - total(back) + total(stays);
}

/**
 * The sum that should be held: the latest payment's amount while the order is `authorised`, otherwise 0. If an
 * `authorised` order has no payment, the sum is the order's price, so that the missing payment is reported.
 */
function heldFor({ payment_status, payments, total: cost }: OrderToCheck): number {
  return payment_status === 'authorised' ? (payments.at(-1)?.amount ?? cost) : 0;
}

/**
 * Whether an accepted card order lacks its payment. Till orders do not count, because staff take the money. Orders with
 * the payment status `failed` do not count, because this status already tells staff that the payment is missing.
 */
function isAcceptedUnpaid({ status, payment_status, payment_method, channel, total: cost }: OrderToCheck): boolean {
  if (!isAccepted(status) || payment_method !== 'card' || isStaffChannel(channel) || cost === 0) return false;
  return payment_status === 'unpaid' || payment_status === 'voided' || payment_status === 'authorised';
}

function refundedIn({ refunds }: OrderToCheck): number {
  return total(refundsWithinTotal(refunds).filter(({ status }) => status === 'succeeded'));
}

function capturedBy({ status, captured, amount }: PaymentToCheck): number {
  return captured ?? (status === 'captured' || status === 'refunded' ? amount : 0);
}

function total(refunds: readonly RefundToCheck[]): number {
  return refunds.reduce((all, { amount }) => all + amount, 0);
}

function sumOf(movements: PaymentToCheck['movements'], kind: Movement['kind']): number {
  return movements.reduce((all, one) => all + (one.kind === kind ? one.amount : 0), 0);
}
