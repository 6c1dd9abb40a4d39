import type { Order } from '#ordering/order.ts';
import { isUnanswered } from '#ordering/order-status.ts';
import { isHoldEnded } from '#payment/payment-methods.ts';

type Held = Pick<Order, 'status' | 'payment'>;

/** Milliseconds before the end of a hold from which the board says when it ends. */
const soon = 60 * 60_000;

/**
 * Whether the money of an order that waits for its answer is not held any more, so that it cannot be accepted, or will not be
 * for long; null if there is nothing to say. `now` in milliseconds.
 */
export function holdStateOf({ status, payment }: Held, now: number): 'ended' | 'ends_soon' | null {
  if (!isUnanswered(status) || payment.method !== 'card') return null;
  if (payment.status === 'voided') return 'ended';
  if (payment.status !== 'authorised' || payment.held_until === null) return null;
  const until = new Date(payment.held_until);
  if (isHoldEnded(until, new Date(now))) return 'ended';
  return until.getTime() - now <= soon ? 'ends_soon' : null;
}
