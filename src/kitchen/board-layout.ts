import { orderDueAt, isOnItsWay } from '#kitchen/order-urgency.ts';
import { isTestOrder } from '#ordering/next-status.ts';
import { isCalledOff, isInKitchen, isLost, orderStatusTable } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { cookingStartTime, type PreparationSettings } from '#ordering/promise.ts';

/** The columns of the board. `lost`: orders rejected because nobody answered, until staff record a follow-up. */
export const boardStages = ['new', 'kitchen', 'ready', 'later', 'done', 'lost'] as const;
export type BoardStage = (typeof boardStages)[number];
export type OrdersByStage = Record<BoardStage, Order[]>;

/** The time for which a cancelled order stays in its column if staff do not confirm the stop (ms). */
const CANCELLED_SHOWN = 30 * 60_000;

/**
 * The maximum age of cancellations that a newly opened board shows (ms). Older cancellations were shown on the boards
 * that were open then.
 */
const SHOWN_AT_OPENING = 15 * 60_000;

/**
 * An order's column at `now` (epoch ms); null: not on the board. A scheduled order is `later` until its cooking starts.
 * `stopSeen`: staff confirmed the stop of a cancelled order.
 */
export function boardStageOf(
  order: Order,
  times: PreparationSettings,
  now: number,
  stopSeen: boolean,
): BoardStage | null {
  if (isCancelledTestOrder(order)) return null;
  if (isLost(order)) return 'lost';
  if (!stopSeen && mustStopCooking(order, now)) return order.packed_at === null ? 'kitchen' : 'ready';
  const isWaiting = order.requested_for !== null && now < cookingBeginsAt(order, times);
  return isInKitchen(order.status) && isWaiting ? 'later' : orderStatusTable[order.status].board;
}

export function wasCancelledAfterAccept(order: Pick<Order, 'status' | 'accepted_at'>): boolean {
  return isCalledOff(order.status) && order.accepted_at !== null;
}

/** Whether the order is a cancelled test order, which leaves the board at once, because nobody cooks it. */
export function isCancelledTestOrder(order: Pick<Order, 'status' | 'channel'>): boolean {
  return isTestOrder(order) && isCalledOff(order.status);
}

/**
 * Whether a board that was opened at `openedAt` (epoch ms) shows that an order was cancelled, because the kitchen may
 * still be cooking it.
 */
export function mustStopCooking(order: Order, now: number, openedAt = 0): boolean {
  if (isCancelledTestOrder(order) || !wasCancelledAfterAccept(order) || order.closed_at === null) return false;
  const closed = Date.parse(order.closed_at);
  return now - closed < CANCELLED_SHOWN && openedAt - closed < SHOWN_AT_OPENING;
}

/** When a scheduled order's cooking starts (epoch ms); 0 for an unscheduled order. */
export function cookingBeginsAt(order: Order, times: PreparationSettings): number {
  return cookingStartTime(times, order)?.getTime() ?? 0;
}

/** How accepted tickets are sorted: by when they are due, or by when they were ordered. */
export type TicketSort = 'due' | 'arrival';

/**
 * Groups orders into sorted columns. New orders are sorted by their answer deadline, `later` ones by the start of
 * cooking. Accepted orders are sorted by when they are due or, with the sort `arrival`, by when they were ordered.
 * Orders out for delivery come last in their column. `done` begins with the latest order.
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

/** An order's sort key in its column. If the first numbers of two keys are equal, the next ones decide. */
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

/** The ids of tickets by column, in screen order. */
export type BoardLayout = Record<BoardStage, readonly string[]>;

/**
 * The layout while columns are frozen (`held`): their tickets stay in place, and new tickets are appended. A frozen
 * column's ticket appears in no other column.
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
    // New tickets are prepended to `done`, which starts with the latest order.
    else layout[stage] = stage === 'done' ? [...others, ...shown[stage]] : [...shown[stage], ...others];
  }
  return layout;
}

export function isSameLayout(a: BoardLayout, b: BoardLayout): boolean {
  return boardStages.every(
    (stage) => a[stage].length === b[stage].length && a[stage].every((id, index) => id === b[stage][index]),
  );
}

/** The lanes of a wide screen; other stages open as an overlay. */
export const boardLanes = ['new', 'kitchen', 'ready'] as const satisfies readonly BoardStage[];

/** Each lane's share of the width; 0: a strip. */
export type LaneShares = Record<(typeof boardLanes)[number], number>;

/** A lane with more tickets than this becomes wider. */
const FEW = 2;

/**
 * The lanes' shares of the width. A lane without tickets is a strip (0), except the lane of new orders. Lanes with
 * several tickets get more, the lane of new orders most. If the kitchen's lane has far more tickets than the lane of
 * new orders, the kitchen's lane gets most.
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

/** The number of ticket columns in each lane; 0: a strip. */
export type LaneColumnCounts = Record<(typeof boardLanes)[number], number>;

/**
 * Divides the ticket columns that fit the screen among the lanes. The lane of ready orders gets at most one column. If
 * the kitchen's lane is a strip, and ready orders have a larger share than new ones, their lane gets all columns but
 * one.
 */
export function laneColumnCounts({ new: fresh, kitchen, ready }: LaneShares, room: number): LaneColumnCounts {
  if (kitchen === 0 && ready > fresh) return { new: 1, kitchen: 0, ready: Math.max(1, room - 1) };
  const all = Math.max(room, kitchen > 0 ? 2 : 1);
  const ofKitchen = kitchen > 0 ? Math.min(Math.max(1, Math.round((all * kitchen) / (fresh + kitchen))), all - 1) : 0;
  return { new: all - ofKitchen, kitchen: ofKitchen, ready: Math.sign(ready) };
}

/** The time (ms) for which a lane stays frozen after a tap in the lane, and after a ticket left the lane. */
const still = 3000;
/** The maximum time for which a lane stays frozen while it is tapped (ms). */
const longest = 10_000;

interface Hold {
  since: number;
  until: number;
  /** The ids of shown tickets whose orders now belong in another lane, or in no lane. */
  gone: readonly string[];
}

/** The shown layout and its frozen lanes. All times are milliseconds of one clock. */
export interface FreezableBoard {
  layout: BoardLayout;
  shares: LaneShares;
  holds: Partial<Record<BoardStage, Hold>>;
  /** Since when a finger has been on the board; null: no finger. */
  pressedAt: number | null;
}

export function createFreezableBoard(wanted: BoardLayout): FreezableBoard {
  return { layout: wanted, shares: laneShares(wanted), holds: {}, pressedAt: null };
}

/** The board after a finger has touched it, which freezes all lanes. */
export function boardAfterPress(board: FreezableBoard, now: number): FreezableBoard {
  return { ...board, pressedAt: now };
}

/** The board after a finger was lifted. The lanes that the finger touched stay frozen for a while. */
export function boardAfterRelease(board: FreezableBoard, touched: readonly BoardStage[], now: number): FreezableBoard {
  const holds = { ...board.holds };
  for (const stage of touched) {
    const { since = now, gone = [] } = holds[stage] ?? {};
    holds[stage] = { since, until: endOf(since, now), gone };
  }
  // The press of a second finger stays, if it began after this release.
  const pressedAt = board.pressedAt !== null && board.pressedAt > now ? board.pressedAt : null;
  return { ...board, holds, pressedAt };
}

/** Unfreezes all lanes, for example when a tab hides them. */
export function boardWithoutFrozenLanes(board: FreezableBoard): FreezableBoard {
  const holds = { ...board.holds };
  for (const stage of boardStages) if (holds[stage]) holds[stage] = { ...holds[stage], until: -Infinity };
  return { ...board, holds, pressedAt: null };
}

/**
 * The board at `now`; `wanted` is the layout that follows from the orders alone. A leaving ticket stays for a while,
 * because its removal would move the next ticket under a finger. Returns the same object if nothing changes.
 */
export function advanceFreezableBoard(board: FreezableBoard, wanted: BoardLayout, now: number): FreezableBoard {
  const isPressed = isDown(board, now);
  const holds: FreezableBoard['holds'] = {};
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

export function isColumnFrozen(board: FreezableBoard, stage: BoardStage, now: number): boolean {
  return isDown(board, now) || board.holds[stage] !== undefined;
}

/** When the next lane unfreezes; null: no lane is frozen. */
export function nextThawAt(board: FreezableBoard, now: number): number | null {
  if (board.pressedAt !== null && isDown(board, now)) return board.pressedAt + longest;
  const ends = Object.values(board.holds).map(({ until }) => until);
  return ends.length > 0 ? Math.min(...ends) : null;
}

function isDown({ pressedAt }: FreezableBoard, now: number): boolean {
  return pressedAt !== null && now < pressedAt + longest;
}

function endOf(since: number, now: number): number {
  return Math.min(now + still, since + longest);
}

function leaving(shown: readonly string[], wanted: readonly string[]): string[] {
  const stays = new Set(wanted);
  return shown.filter((id) => !stays.has(id));
}
