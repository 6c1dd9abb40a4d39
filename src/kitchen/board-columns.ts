import { dueAt, isOnItsWay } from '#kitchen/board-age.ts';
import { isLost, statuses, isCalledOff, isInKitchen } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { cookingStartsAt, type PromisingStore } from '#ordering/promise.ts';

/** `lost`: rejected because nobody answered, until staff record their follow-up. */
export const boardStages = ['new', 'kitchen', 'ready', 'later', 'done', 'lost'] as const;
export type BoardStage = (typeof boardStages)[number];
export type BoardColumns = Record<BoardStage, Order[]>;

/** How long a cancelled order stays in its column when nobody has confirmed that they saw the cancellation. */
const CANCELLED_SHOWN = 30 * 60_000;

/** The same for a board that is opened afterwards: the others have shown it, and only they know who confirmed it. */
const SHOWN_AT_OPENING = 15 * 60_000;

/**
 * The column of an order at `now` (epoch ms); null: none. A scheduled order waits under `later` from its
 * acceptance until its cooking starts. `stopSeen` says whether somebody confirmed that a cancelled order was stopped.
 */
export function stageOf(order: Order, times: PromisingStore, now: number, stopSeen: boolean): BoardStage | null {
  if (isLost(order)) return 'lost';
  if (!stopSeen && mustStop(order, now)) return order.packed_at === null ? 'kitchen' : 'ready';
  const isWaiting = order.requested_for !== null && now < beginsAt(order, times);
  return isInKitchen(order.status) && isWaiting ? 'later' : statuses[order.status].board;
}

/** Whether it was called off after the shop had accepted it. */
export function wasStopped(order: Pick<Order, 'status' | 'accepted_at'>): boolean {
  return isCalledOff(order.status) && order.accepted_at !== null;
}

/** A cancelled order that the kitchen may still be cooking, on a board that was opened at `openedAt` (epoch ms). */
export function mustStop(order: Order, now: number, openedAt = 0): boolean {
  if (!wasStopped(order) || order.closed_at === null) return false;
  const closed = Date.parse(order.closed_at);
  return now - closed < CANCELLED_SHOWN && openedAt - closed < SHOWN_AT_OPENING;
}

/** When the kitchen has to start a scheduled order, as epoch ms; 0 for one as soon as possible. */
export function beginsAt(order: Order, times: PromisingStore): number {
  return cookingStartsAt(times, order)?.getTime() ?? 0;
}

/**
 * Sorts orders into columns, in each by the earliest deadline: an answer, the food, the start of cooking. Orders on
 * their way come after all that still wait in the shop. `done` starts with the latest.
 */
export function groupOrders(
  orders: Iterable<Order>,
  times: PromisingStore,
  now: number,
  stopSeen: (order: Order) => boolean,
): BoardColumns {
  const columns: BoardColumns = { new: [], kitchen: [], ready: [], later: [], done: [], lost: [] };
  for (const order of orders) {
    const stage = stageOf(order, times, now, stopSeen(order));
    if (stage) columns[stage].push(order);
  }
  for (const stage of boardStages) {
    const direction = stage === 'done' ? -1 : 1;
    const places = new Map(columns[stage].map((order) => [order.id, placeOf(order, stage, times)]));
    columns[stage].sort(
      (a, b) => direction * (compare(places.get(a.id), places.get(b.id)) || a.id.localeCompare(b.id)),
    );
  }
  return columns;
}

/** The sort key of an order within its column: the first number counts before the others. */
function placeOf(order: Order, stage: BoardStage, times: PromisingStore): readonly number[] {
  const placed = at(order.placed_at ?? order.created_at);
  const due = dueAt(order, times);
  switch (stage) {
    case 'new':
      return [order.answer_by === null ? placed : at(order.answer_by), placed];
    case 'kitchen':
      return [due ?? at(order.accepted_at), at(order.accepted_at)];
    case 'ready':
      return [isOnItsWay(order) ? 1 : 0, due ?? at(order.packed_at), at(order.packed_at)];
    case 'later':
      return [beginsAt(order, times)];
    case 'done':
      return [at(order.completed_at ?? order.closed_at)];
    case 'lost':
      return [at(order.closed_at)];
  }
}

function compare(a: readonly number[] = [], b: readonly number[] = []): number {
  const first = a.findIndex((value, index) => value !== b[index]);
  return first < 0 ? 0 : (a[first] ?? 0) - (b[first] ?? 0);
}

function at(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}
