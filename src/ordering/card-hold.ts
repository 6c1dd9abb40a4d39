import type { Order } from '#ordering/order.ts';

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
