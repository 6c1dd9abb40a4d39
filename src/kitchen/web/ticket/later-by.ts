import { shopNow } from '#platform/web/clock.ts';
import type { Order } from '#ordering/order.ts';

/** This many minutes after the current promise, or after now if that has passed. Epoch milliseconds. */
export function laterBy(order: Pick<Order, 'promised_at'>, minutes: number): number {
  const from = order.promised_at === null ? 0 : Date.parse(order.promised_at);
  return Math.max(from, shopNow()) + minutes * 60_000;
}
