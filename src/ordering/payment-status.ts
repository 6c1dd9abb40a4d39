import type { Order, PaidBy, PaymentStatus } from '#ordering/order.ts';
import { isInHand, isUnpaid, statuses } from '#ordering/order-status.ts';
import type { PaymentMethod } from '#store/contract.ts';

interface PaymentRow {
  /** The money came: the order counts as sold, also if it was refunded later. */
  isTaken: boolean;
  /** Some of the money is still with the shop, so that it can be refunded. */
  isRefundable: boolean;
  /** The money will not come by itself any more. */
  isLost: boolean;
}

/** Everything that depends on whether an order is paid. */
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

/** In cash or by card: as staff noted it when they handed the order over, or else as it was to be paid. */
export function paidMethod({ payment_method: method, paid_by: paidBy }: PaidOrder): PaymentMethod {
  if (paidBy === 'cash') return 'cash';
  return paidBy === 'terminal' ? 'card' : method;
}

/** Of an order that was paid and costs `total`, once `refunded` of that was given back; minor units. */
export function statusAfterRefunds(refunded: number, total: number): PaymentStatus {
  if (refunded === 0) return 'paid';
  return refunded >= total ? 'refunded' : 'partially_refunded';
}

/** Whether its customer may pay it online: it waits for that, or the food is still in the shop and its card was refused. */
export function mayPay({ status, ...money }: Pick<Order, 'status' | 'payment_method' | 'payment_status'>): boolean {
  if (isUnpaid(status)) return true;
  const isInShop = isInHand(status) && statuses[status].stamps !== 'left_at';
  return isInShop && isCardRefused(money);
}

/** Whether its card could not be charged, and nobody has paid it in another way. */
export function isCardRefused(order: Pick<Order, 'payment_method' | 'payment_status'>): boolean {
  return order.payment_method === 'card' && order.payment_status === 'failed';
}

export const takenPayments = /* @__PURE__ */ those(({ isTaken }) => isTaken);

/** The payments of orders that are not paid, whether the money may still come or not. */
export const owingPayments = /* @__PURE__ */ those(({ isTaken }) => !isTaken);

export const lostPayments = /* @__PURE__ */ those(({ isLost }) => isLost);

function those(isOne: (row: PaymentRow) => boolean): PaymentStatus[] {
  return (Object.keys(paymentStatuses) as PaymentStatus[]).filter((status) => isOne(paymentStatuses[status]));
}

/** Milliseconds before its end from which a hold no longer counts: the capture itself takes a moment. */
const lastMoment = 60_000;

/** Whether a hold can no longer be captured at `now`. */
export function isHoldEnded(heldUntil: Date | null, now: Date): boolean {
  return heldUntil !== null && heldUntil.getTime() - lastMoment <= now.getTime();
}

/**
 * The fields of an order that the rule needs; `heldUntil`: null while no money is held, or while its end is not known.
 */
export interface CardOrder extends Pick<Order, 'payment_method' | 'payment_status'> {
  heldUntil: Date | null;
}

/** Whether the hold of a waiting order is over, so that it cannot be accepted. */
export function isHoldOver({ payment_method, payment_status, heldUntil }: CardOrder, now: Date): boolean {
  if (payment_method !== 'card') return false;
  return payment_status === 'voided' || (payment_status === 'authorised' && isHoldEnded(heldUntil, now));
}
