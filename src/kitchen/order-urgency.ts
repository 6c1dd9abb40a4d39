import { isInHand, isUnanswered, orderStatusTable } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { kitchenDepartureTime, type PreparationSettings } from '#ordering/promise.ts';
import { isOrderHoldOver } from '#ordering/payment-status.ts';
import type { Store } from '#store/contract.ts';

type Zones = Pick<PreparationSettings, 'delivery_zones'>;

export type OrderUrgency = 'calm' | 'soon' | 'late';

const SOON = 5 * 60_000;

export function isOnItsWay({ status }: Pick<Order, 'status'>): boolean {
  return orderStatusTable[status].stamps === 'left_at';
}

/**
 * When an accepted order is due (epoch ms): when it must leave the kitchen, or its promised time once it is on its way.
 * Null: no promise.
 */
export function orderDueAt(order: Order, store: Zones): number | null {
  if (order.promised_at === null) return null;
  return isOnItsWay(order) ? Date.parse(order.promised_at) : (kitchenDepartureTime(store, order)?.getTime() ?? null);
}

/**
 * An order's urgency at `now` (epoch ms). An unanswered order's urgency grows as its answer time elapses. An accepted
 * order is `soon` from five minutes before its due time, and `late` after it. All other orders are calm.
 */
export function orderUrgency(order: Order, store: Zones, now: number): OrderUrgency {
  if (isUnanswered(order.status)) return answerLevel(order, now);
  const due = isInHand(order.status) ? orderDueAt(order, store) : null;
  if (due === null) return 'calm';
  const left = due - now;
  if (left < 0) return 'late';
  return left < SOON ? 'soon' : 'calm';
}

/** Whole minutes until the order is due, negative when late; null: no promise. */
export function minutesUntilDue(order: Order, store: Zones, now: number): number | null {
  const due = orderDueAt(order, store);
  if (due === null) return null;
  const left = (due - now) / 60_000;
  return left < 0 ? Math.floor(left) : Math.ceil(left);
}

export function minutesSincePlaced(order: Pick<Order, 'placed_at' | 'created_at'>, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(order.placed_at ?? order.created_at)) / 60_000));
}

/**
 * The orders, without answer deadlines while a restored shop is held, because a held shop rejects no order
 * automatically.
 */
export function withoutDeadlinesWhileHeld(
  orders: ReadonlyMap<string, Order>,
  { pause_cause: cause }: Pick<Store, 'pause_cause'>,
): ReadonlyMap<string, Order> {
  if (cause !== 'restored') return orders;
  return new Map([...orders].map(([id, order]) => [id, { ...order, answer_by: null }]));
}

/** Whole seconds until the answer deadline, at least 0; null: no deadline. */
export function secondsToAnswer(order: Pick<Order, 'answer_by'>, now: number): number | null {
  return order.answer_by === null ? null : Math.max(0, Math.ceil((Date.parse(order.answer_by) - now) / 1000));
}

/** Formats seconds as a countdown: `65` becomes `1:05`, `3605` becomes `1:00:05`. */
export function countdownWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function answerLevel(order: Order, now: number): OrderUrgency {
  if (order.answer_by === null || order.placed_at === null) return 'calm';
  const left = Date.parse(order.answer_by) - now;
  const whole = Date.parse(order.answer_by) - Date.parse(order.placed_at);
  // A scheduled order that was placed at night has hours to its deadline, so at most ten minutes count as its answer
  // time.
  const share = Math.min(whole, 10 * 60_000);
  if (left <= share * 0.3) return 'late';
  return left <= share * 0.6 ? 'soon' : 'calm';
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

type Held = Pick<Order, 'status' | 'payment'>;

/** The board warns of a card hold that ends within this time (ms). */
const soon = 60 * 60_000;

/**
 * Whether an unanswered order's card hold has ended (the order can no longer be accepted) or ends soon; null: neither.
 * `now` in epoch ms.
 */
export function cardHoldState({ status, payment }: Held, now: number): 'ended' | 'ends_soon' | null {
  if (!isUnanswered(status)) return null;
  const { method, status: money, held_until } = payment;
  const heldUntil = held_until === null ? null : new Date(held_until);
  if (isOrderHoldOver({ payment_method: method, payment_status: money, heldUntil }, new Date(now))) return 'ended';
  if (method !== 'card' || money !== 'authorised' || heldUntil === null) return null;
  return heldUntil.getTime() - now <= soon ? 'ends_soon' : null;
}
