import type {
  OrderRefundSum,
  OrderRefundState,
  Order,
  PaidBy,
  PaymentStatus,
  RemovedLinesRefund,
  RemovedLinesRefundState,
} from '#ordering/order.ts';
import { isInHand, isAwaitingPayment, orderStatusTable } from '#ordering/order-status.ts';
import type { PaymentMethod } from '#store/contract.ts';
import type { RefundStatus } from '#database/column-values.ts';

interface PaymentRow {
  /** Whether the order was paid, even if the payment was refunded later. */
  isTaken: boolean;
  isRefundable: boolean;
  /** Whether the order is unpaid and no payment is expected any more. */
  isLost: boolean;
}

export const paymentStatuses: Readonly<Record<PaymentStatus, PaymentRow>> = {
  unpaid: { isTaken: false, isRefundable: false, isLost: false },
  authorised: { isTaken: false, isRefundable: false, isLost: false },
  paid: { isTaken: true, isRefundable: true, isLost: false },
  partially_refunded: { isTaken: true, isRefundable: true, isLost: false },
  refunded: { isTaken: true, isRefundable: false, isLost: false },
  voided: { isTaken: false, isRefundable: false, isLost: true },
  failed: { isTaken: false, isRefundable: false, isLost: true },
};

interface PaidOrder {
  payment_method: PaymentMethod;
  paid_by?: PaidBy | null;
}

/** How an order was paid: as staff recorded it at the handover, otherwise by the method chosen when it was placed. */
export function effectivePaymentMethod({ payment_method: method, paid_by: paidBy }: PaidOrder): PaymentMethod {
  if (paidBy === 'cash') return 'cash';
  return paidBy === 'terminal' ? 'card' : method;
}

/** The payment status of a paid order of `total` after refunds of `refunded`, both in minor units. */
export function statusAfterRefunds(refunded: number, total: number): PaymentStatus {
  if (refunded === 0) return 'paid';
  return refunded >= total ? 'refunded' : 'partially_refunded';
}

/**
 * Whether the customer may pay the order online. The order must wait for its payment, or its card must have been
 * refused before the food left the shop.
 */
export function mayPayOnline({
  status,
  ...money
}: Pick<Order, 'status' | 'payment_method' | 'payment_status'>): boolean {
  if (isAwaitingPayment(status)) return true;
  const isInShop = isInHand(status) && orderStatusTable[status].stamps !== 'left_at';
  return isInShop && isCardPaymentRefused(money);
}

export function isCardPaymentRefused(order: Pick<Order, 'payment_method' | 'payment_status'>): boolean {
  return order.payment_method === 'card' && order.payment_status === 'failed';
}

export const paidPaymentStatuses = /* @__PURE__ */ statusesWhere(({ isTaken }) => isTaken);

/** The statuses of orders that are not paid, whether a payment is expected or not. */
export const unpaidPaymentStatuses = /* @__PURE__ */ statusesWhere(({ isTaken }) => !isTaken);

export const lostPaymentStatuses = /* @__PURE__ */ statusesWhere(({ isLost }) => isLost);

function statusesWhere(isOne: (row: PaymentRow) => boolean): PaymentStatus[] {
  return (Object.keys(paymentStatuses) as PaymentStatus[]).filter((status) => isOne(paymentStatuses[status]));
}

/** A hold counts as ended from this many milliseconds before its end, because a capture takes a moment. */
const holdSafetyMargin = 60_000;

/** Whether a hold can no longer be captured at `now`. */
export function isHoldTimeOver(heldUntil: Date | null, now: Date): boolean {
  return heldUntil !== null && heldUntil.getTime() - holdSafetyMargin <= now.getTime();
}

/**
 * The fields of an order that `isOrderHoldOver` needs. `heldUntil`: null while no money is held, or if the hold's end
 * is not known.
 */
export interface HoldCheckOrder extends Pick<Order, 'payment_method' | 'payment_status'> {
  heldUntil: Date | null;
}

/** Whether the hold on an order's card is over, so that the order cannot be accepted. */
export function isOrderHoldOver({ payment_method, payment_status, heldUntil }: HoldCheckOrder, now: Date): boolean {
  if (payment_method !== 'card') return false;
  return payment_status === 'voided' || (payment_status === 'authorised' && isHoldTimeOver(heldUntil, now));
}

export interface RefundOfOrder {
  /** The cause of the refund: removed dishes, the rest of the order, a late payment, or the payer's bank. */
  kind: 'removed' | 'total' | 'late' | 'bank';
  /**
   * The refund's sum, in minor units. If the refund failed, only the part that is still due counts. If the payer's bank
   * took the money back, the whole refund counts.
   */
  amount: number;
  status: RefundStatus;
  is_by_hand: boolean;
  /** Why the refund is not made; null if it was made, or is being made. */
  problem: string | null;
}

/** The charge of an order's card, in minor units. */
export interface OrderCharge {
  amount: number;
  /** Whether the whole charge is to be returned to the payer, and is not yet. */
  isReleaseOwed: boolean;
  isRefunded: boolean;
}

/**
 * The refunds for removed dishes, summed by state. `due` is the sum to refund, in minor units. A later refund may have
 * replaced a failed one, so only the unpaid rest of `due` counts as not made.
 */
export function sumRefundsForRemovedLines(all: readonly RefundOfOrder[], due: number): RemovedLinesRefund[] {
  const sums = new Sums<RemovedLinesRefundState>(Infinity);
  const refunds = all.filter(({ kind }) => kind === 'removed');
  let open = due;
  for (const refund of refunds.toSorted((a, b) => Number(hasFailed(a)) - Number(hasFailed(b)))) {
    const amount = hasFailed(refund) ? Math.min(refund.amount, Math.max(open, 0)) : refund.amount;
    open -= amount;
    sums.add(stateOf(refund), amount);
  }
  return sums.rows();
}

/**
 * The refunds of a called-off order in minor units, summed by state; empty if nothing was charged. During a dispute the
 * provider refunds nothing more; after a lost dispute, staff refund the rest by hand.
 */
export function sumOrderRefunds(all: readonly RefundOfOrder[], charge: OrderCharge | null): OrderRefundSum[] {
  if (!charge) return [];
  const sums = new Sums<OrderRefundState>(charge.amount);
  const bank = all.filter(({ kind }) => kind === 'bank');
  const refunds = all.filter(({ kind }) => kind !== 'bank' && kind !== 'late');
  const made = refunds.filter(({ status }) => status === 'succeeded');
  for (const refund of [...made, ...bank]) sums.add(stateOf(refund), refund.amount);
  if (bank.length > 0) {
    sums.add(bank.some(({ status }) => status === 'pending') ? 'after_dispute' : 'not_made', sums.left);
    return sums.rows();
  }
  const sumOf = (wanted: string) =>
    refunds.filter(({ status }) => status === wanted).reduce((sum, { amount }) => sum + amount, 0);
  // A refund of the whole charge also covers the parts whose own refunds failed, so no amount counts as `not_made`.
  const notMade = charge.isReleaseOwed ? 0 : Math.max(0, Math.min(sumOf('failed'), sums.left - sumOf('pending')));
  const rest = sums.left - notMade;
  sums.add(charge.isRefunded && sumOf('pending') === 0 ? 'made' : 'on_its_way', rest);
  sums.add('not_made', notMade);
  return sums.rows();
}

/** The failed refunds of an order that was not called off, except refunds for removed dishes. */
export function sumFailedRefunds(all: readonly RefundOfOrder[]): OrderRefundSum[] {
  const sums = new Sums<OrderRefundState>(Infinity);
  const refunds = all.filter(({ kind }) => kind === 'total' || kind === 'late');
  for (const refund of refunds) if (hasFailed(refund)) sums.add(stateOf(refund), refund.amount);
  return sums.rows();
}

/**
 * Adds up refunds by state. `left` is the part of the charge that the added refunds do not cover yet, in minor units
 * (Infinity: no limit). Nothing is added beyond `left`, because refunds never exceed the charge.
 */
class Sums<State extends string> {
  readonly #sums = new Map<State, number>();
  left: number;

  constructor(most: number) {
    this.left = most;
  }

  add(state: State, wanted: number): void {
    const amount = Math.min(wanted, this.left);
    if (amount <= 0) return;
    this.left -= amount;
    this.#sums.set(state, (this.#sums.get(state) ?? 0) + amount);
  }

  rows(): { state: State; amount: number }[] {
    return [...this.#sums].map(([state, amount]) => ({ state, amount }));
  }
}

function hasFailed({ status }: RefundOfOrder): boolean {
  return status === 'failed';
}

function stateOf({ status, is_by_hand, problem }: RefundOfOrder): RemovedLinesRefundState {
  if (status === 'succeeded') return is_by_hand ? 'by_hand' : 'made';
  if (status === 'pending') return problem === 'disputed' ? 'waits' : 'on_its_way';
  return problem === 'disputed' ? 'by_bank' : 'not_made';
}
