import { isUnderWay } from '#kitchen/board-age.ts';
import { mustStop } from '#kitchen/board-columns.ts';
import type { Order } from '#ordering/order.ts';

/** Why the board sounds: an order nobody has answered, a payment that failed, or one to stop cooking. */
export type AlarmKind = 'new' | 'payment' | 'stop';

export interface Alarm {
  /** The same for one reason on one order; acknowledging remembers it. */
  key: string;
  kind: AlarmKind;
  orderId: string;
  /** Since when somebody is wanted, as epoch milliseconds. */
  since: number;
}

/** Every reason to sound at `now` (epoch ms), acknowledged or not. */
export function alarmsOf(orders: Iterable<Order>, now: number): Alarm[] {
  const alarms: Alarm[] = [];
  for (const order of orders) {
    if (order.status === 'placed') alarms.push(alarm('new', order, order.placed_at ?? order.created_at));
    if (paymentFailed(order)) alarms.push(alarm('payment', order, order.history.at(-1)?.at ?? order.created_at));
    if (mustStop(order, now)) alarms.push(alarm('stop', order, order.closed_at ?? order.created_at));
  }
  return alarms;
}

export function alarmKey(kind: AlarmKind, order: Pick<Order, 'id'>): string {
  return `${kind}:${order.id}`;
}

/** The card was not charged though the order is being made. */
export function paymentFailed(order: Pick<Order, 'status' | 'payment_status'>): boolean {
  return order.payment_status === 'failed' && isUnderWay(order);
}

const QUIET = 0.3;
const SECONDS_TO_FULL = 120;

/** The longer somebody is waited for, the louder (0–1) and the more often (`pause` in seconds between two chimes). */
export function loudnessAfter(seconds: number): { gain: number; pause: number } {
  const share = Math.min(1, Math.max(0, seconds) / SECONDS_TO_FULL);
  return { gain: QUIET + (1 - QUIET) * share, pause: 6 - 4 * share };
}

function alarm(kind: AlarmKind, order: Order, since: string): Alarm {
  return { key: alarmKey(kind, order), kind, orderId: order.id, since: Date.parse(since) };
}
