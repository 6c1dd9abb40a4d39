import { isHoldOver } from '#ordering/payment-status.ts';
import type { Order } from '#ordering/order.ts';
import { isUnanswered } from '#ordering/order-status.ts';

type Held = Pick<Order, 'status' | 'payment'>;

/** Milliseconds before the end of a hold from which the board says when it ends. */
const soon = 60 * 60_000;

/**
 * Whether the money of an order that waits for its answer is not held any more, so that it cannot be accepted, or will not be
 * for long; null if there is nothing to say. `now` in milliseconds.
 */
export function holdStateOf({ status, payment }: Held, now: number): 'ended' | 'ends_soon' | null {
  if (!isUnanswered(status)) return null;
  const { method, status: money, held_until } = payment;
  const heldUntil = held_until === null ? null : new Date(held_until);
  if (isHoldOver({ payment_method: method, payment_status: money, heldUntil }, new Date(now))) return 'ended';
  if (method !== 'card' || money !== 'authorised' || heldUntil === null) return null;
  return heldUntil.getTime() - now <= soon ? 'ends_soon' : null;
}
