import { orderDueAt, isOnItsWay } from '#kitchen/order-urgency.ts';
import { isTestOrder } from '#ordering/next-status.ts';
import { isCalledOff, isInKitchen, isLost, orderStatusTable } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { cookingStartsAt, type PreparationSettings } from '#ordering/promise.ts';

/** The columns of the board. `lost`: rejected because nobody answered, until staff record their follow-up. */
export const boardStages = ['new', 'kitchen', 'ready', 'later', 'done', 'lost'] as const;
export type BoardStage = (typeof boardStages)[number];
export type OrdersByStage = Record<BoardStage, Order[]>;

/** Milliseconds for which a cancelled order stays in its column without a confirmation. */
const CANCELLED_SHOWN = 30 * 60_000;

/**
 * Milliseconds for which a board shows a cancellation that is older than the board's start. They are fewer than
 * `CANCELLED_SHOWN`, because other boards have already shown the cancellation.
 */
const SHOWN_AT_OPENING = 15 * 60_000;

/**
 * An order's column at `now` (epoch ms); null: the board does not show it. A scheduled order is `later` until its
 * cooking starts. `stopSeen`: somebody confirmed the stop of a cancelled order.
 */
export function boardStageOf(
  order: Order,
  times: PreparationSettings,
  now: number,
  stopSeen: boolean,
): BoardStage | null {
  if (isRemovedTest(order)) return null;
  if (isLost(order)) return 'lost';
  if (!stopSeen && mustStopCooking(order, now)) return order.packed_at === null ? 'kitchen' : 'ready';
  const isWaiting = order.requested_for !== null && now < cookingBeginsAt(order, times);
  return isInKitchen(order.status) && isWaiting ? 'later' : orderStatusTable[order.status].board;
}

export function wasCalledOffAfterAccept(order: Pick<Order, 'status' | 'accepted_at'>): boolean {
  return isCalledOff(order.status) && order.accepted_at !== null;
}

/** Whether the order is a cancelled test order, which leaves the board at once, because nobody cooks it. */
export function isRemovedTest(order: Pick<Order, 'status' | 'channel'>): boolean {
  return isTestOrder(order) && isCalledOff(order.status);
}

/** Whether a board opened at `openedAt` (epoch ms) shows a cancelled order that the kitchen may still be cooking. */
export function mustStopCooking(order: Order, now: number, openedAt = 0): boolean {
  if (isRemovedTest(order) || !wasCalledOffAfterAccept(order) || order.closed_at === null) return false;
  const closed = Date.parse(order.closed_at);
  return now - closed < CANCELLED_SHOWN && openedAt - closed < SHOWN_AT_OPENING;
}

/** When a scheduled order's cooking starts (epoch ms); 0 for an unscheduled one. */
export function cookingBeginsAt(order: Order, times: PreparationSettings): number {
  return cookingStartsAt(times, order)?.getTime() ?? 0;
}

/**
 * The sort order of tickets in the kitchen and of ready ones: by their deadline, or by the time when they were placed.
 */
export type TicketSort = 'due' | 'arrival';

/**
 * Sorts orders into columns, and each column by the earliest deadline: of the answer, the food, or the start of
 * cooking. With `sort` as `arrival`, accepted orders are sorted by the time when they were placed. Orders that a driver
 * delivers come last. `done` begins with the latest.
 */
export function groupOrdersByStage(
  orders: Iterable<Order>,
  times: PreparationSettings,
  now: number,
  stopSeen: (order: Order) => boolean,
  sort: TicketSort = 'due',
): OrdersByStage {
  const columns: OrdersByStage = { new: [], kitchen: [], ready: [], later: [], done: [], lost: [] };
  for (const order of orders) {
    const stage = boardStageOf(order, times, now, stopSeen(order));
    if (stage) columns[stage].push(order);
  }
  for (const stage of boardStages) {
    const direction = stage === 'done' ? -1 : 1;
    const places = new Map(columns[stage].map((order) => [order.id, placeOf(order, stage, times, sort)]));
    columns[stage].sort(
      (a, b) => direction * (compare(places.get(a.id), places.get(b.id)) || a.id.localeCompare(b.id)),
    );
  }
  return columns;
}

/** An order's sort key in its column; the first number takes precedence. */
function placeOf(order: Order, stage: BoardStage, times: PreparationSettings, sort: TicketSort): readonly number[] {
  const placed = at(order.placed_at ?? order.created_at);
  const due = sort === 'arrival' ? placed : orderDueAt(order, times);
  switch (stage) {
    case 'new':
      return [order.answer_by === null ? placed : at(order.answer_by), placed];
    case 'kitchen':
      return [due ?? at(order.accepted_at), at(order.accepted_at)];
    case 'ready':
      return [isOnItsWay(order) ? 1 : 0, due ?? at(order.packed_at), at(order.packed_at)];
    case 'later':
      return [cookingBeginsAt(order, times)];
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

/** The tickets' ids by column, in screen order. */
export type BoardLayout = Record<BoardStage, readonly string[]>;

/**
 * The layout while some columns (`held`) are frozen: their tickets do not move, and new tickets are appended. A ticket
 * in a frozen column is in no other column.
 */
export function layoutWithFrozenColumns(
  shown: BoardLayout,
  wanted: BoardLayout,
  held: readonly BoardStage[],
): BoardLayout {
  const kept = new Set(held.flatMap((stage) => shown[stage]));
  const layout = { ...wanted };
  for (const stage of boardStages) {
    const others = wanted[stage].filter((id) => !kept.has(id));
    if (!held.includes(stage)) layout[stage] = others;
    // New orders go to the front of `done`, which starts with the latest.
    else layout[stage] = stage === 'done' ? [...others, ...shown[stage]] : [...shown[stage], ...others];
  }
  return layout;
}

export function isSameLayout(a: BoardLayout, b: BoardLayout): boolean {
  return boardStages.every(
    (stage) => a[stage].length === b[stage].length && a[stage].every((id, index) => id === b[stage][index]),
  );
}

/** The lanes of a wide screen; other stages open over them. */
export const boardLanes = ['new', 'kitchen', 'ready'] as const satisfies readonly BoardStage[];

/** Each lane's weight; 0: a strip. */
export type LaneShares = Record<(typeof boardLanes)[number], number>;

/** A lane with more tickets than this is wider. */
const FEW = 2;

/**
 * The lanes' weights; 0: a strip, for a lane without tickets. The lane of new orders is the
 * widest, and is no strip even if empty. If the kitchen lane has far more orders, it is the widest instead.
 */
export function laneShares(layout: BoardLayout): LaneShares {
  const isQuiet = boardLanes.every((lane) => layout[lane].length === 0);
  const share = (stage: (typeof boardLanes)[number], most: number): number => {
    const count = layout[stage].length;
    if (count > FEW) return most;
    return count > 0 || isQuiet || stage === 'new' ? 1 : 0;
  };
  const isCrowded = layout.kitchen.length > 2 * Math.max(FEW, layout.new.length);
  return {
    new: share('new', isCrowded ? 1 : 3),
    kitchen: share('kitchen', isCrowded ? 3 : 2),
    ready: share('ready', isCrowded ? 1 : 2),
  };
}

/** The number of ticket columns in each lane; 0: the lane is a strip. */
export type LaneColumns = Record<(typeof boardLanes)[number], number>;

/**
 * Divides the ticket columns that a screen has room for among the lanes. Ready orders need one narrow column, and get
 * more only where no other order needs them.
 */
export function laneColumns({ new: fresh, kitchen, ready }: LaneShares, room: number): LaneColumns {
  if (kitchen === 0 && ready > fresh) return { new: 1, kitchen: 0, ready: Math.max(1, room - 1) };
  const all = Math.max(room, kitchen > 0 ? 2 : 1);
  const ofKitchen = kitchen > 0 ? Math.min(Math.max(1, Math.round((all * kitchen) / (fresh + kitchen))), all - 1) : 0;
  return { new: all - ofKitchen, kitchen: ofKitchen, ready: Math.sign(ready) };
}

/** Milliseconds for which a lane's tickets do not move after a tap in it, and after a ticket was removed from it. */
const still = 3000;
/** Milliseconds after which a lane's tickets move even while it is tapped. */
const longest = 10_000;

interface Hold {
  since: number;
  until: number;
  /** The ids of shown tickets whose orders belong in another lane now, or in none. */
  gone: readonly string[];
}

/** The shown layout and its holds. Times in milliseconds of one clock. */
export interface FrozenBoard {
  layout: BoardLayout;
  shares: LaneShares;
  holds: Partial<Record<BoardStage, Hold>>;
  /** Since when a finger has been on the board; null without one. */
  pressedAt: number | null;
}

export function newFrozenBoard(wanted: BoardLayout): FrozenBoard {
  return { layout: wanted, shares: laneShares(wanted), holds: {}, pressedAt: null };
}

/** The board after a finger has touched it: nothing moves. */
export function boardAfterPress(board: FrozenBoard, now: number): FrozenBoard {
  return { ...board, pressedAt: now };
}

/** The board after the finger has left these lanes, whose tickets do not move for a while. */
export function boardAfterRelease(board: FrozenBoard, touched: readonly BoardStage[], now: number): FrozenBoard {
  const holds = { ...board.holds };
  for (const stage of touched) {
    const { since = now, gone = [] } = holds[stage] ?? {};
    holds[stage] = { since, until: endOf(since, now), gone };
  }
  // Another finger may have touched the board since.
  const pressedAt = board.pressedAt !== null && board.pressedAt > now ? board.pressedAt : null;
  return { ...board, holds, pressedAt };
}

/** Ends all holds, because the lanes are out of sight. */
export function boardWithoutHolds(board: FrozenBoard): FrozenBoard {
  const holds = { ...board.holds };
  for (const stage of boardStages) if (holds[stage]) holds[stage] = { ...holds[stage], until: -Infinity };
  return { ...board, holds, pressedAt: null };
}

/**
 * The board at `now`; `wanted` is the layout by the orders alone. A ticket that leaves a lane remains for a while,
 * because its removal would move the next ticket under a finger. Returns the same object if nothing changes.
 */
export function advanceFrozenBoard(board: FrozenBoard, wanted: BoardLayout, now: number): FrozenBoard {
  const isPressed = isDown(board, now);
  const holds: FrozenBoard['holds'] = {};
  for (const stage of boardStages) {
    const hold = board.holds[stage];
    const gone = leaving(board.layout[stage], wanted[stage]);
    const isNews = gone.some((id) => !hold?.gone.includes(id));
    if (hold && now >= hold.until && !isPressed) continue;
    if (hold) holds[stage] = isNews ? { ...hold, gone, until: Math.max(hold.until, endOf(hold.since, now)) } : hold;
    else if (isNews) holds[stage] = { since: now, until: now + still, gone };
  }
  const held = isPressed ? boardStages : boardStages.filter((stage) => holds[stage]);
  const layout = layoutWithFrozenColumns(board.layout, wanted, held);
  const shares = boardLanes.some((lane) => held.includes(lane)) ? board.shares : laneShares(layout);
  const isSame =
    isSameLayout(board.layout, layout) &&
    boardStages.every((stage) => board.holds[stage] === holds[stage]) &&
    boardLanes.every((lane) => board.shares[lane] === shares[lane]);
  return isSame ? board : { ...board, layout, shares, holds };
}

export function isColumnFrozen(board: FrozenBoard, stage: BoardStage, now: number): boolean {
  return isDown(board, now) || board.holds[stage] !== undefined;
}

/** When the next lane may move; null if every lane may. */
export function nextThawAt(board: FrozenBoard, now: number): number | null {
  if (board.pressedAt !== null && isDown(board, now)) return board.pressedAt + longest;
  const ends = Object.values(board.holds).map(({ until }) => until);
  return ends.length > 0 ? Math.min(...ends) : null;
}

function isDown({ pressedAt }: FrozenBoard, now: number): boolean {
  return pressedAt !== null && now < pressedAt + longest;
}

function endOf(since: number, now: number): number {
  return Math.min(now + still, since + longest);
}

function leaving(shown: readonly string[], wanted: readonly string[]): string[] {
  const stays = new Set(wanted);
  return shown.filter((id) => !stays.has(id));
}
