import type { FulfilmentType, Store } from '#store/contract.ts';
import {
  type OpeningHours,
  pauseEndAt,
  type Session,
  sessionAtOrAfter,
  openingSessionsFrom,
  isAcceptingOrders,
  tradingDayBounds,
  tradingDayOf,
} from '#store/opening-hours.ts';
import { dateOfDayNumber, DAY, dayNumberOfWallTime, dayNumberOf, MINUTE, wallTimeAt } from '#platform/zone-clock.ts';

export type SlotStore = OpeningHours &
  Pick<
    Store,
    | 'day_starts_at'
    | 'is_accepting_orders'
    | 'paused_until'
    | 'prep_minutes'
    | 'busy_extra_minutes'
    | 'last_order_minutes'
    | 'slot_minutes'
    | 'max_orders_per_slot'
    | 'preorder_days'
    | 'collection_enabled'
    | 'delivery_enabled'
  > &
  Partial<Pick<Store, 'pause_cause' | 'pauses'>>;

/** The minutes that the order itself needs, and the number of existing orders in each slot. */
export interface SlotDemand {
  /** The preparation minutes of the slowest item; they apply if they exceed the shop's. */
  itemsPrepMinutes?: number;
  /** The extra minutes of the delivery's zone; not added for a collection. */
  zoneExtraMinutes?: number;
  /** The number of orders by slot start (ISO 8601 in UTC, with milliseconds). If it is missing, no slot is full. */
  taken?: ReadonlyMap<string, number>;
}

/**
 * Returns when an unscheduled order is ready (epoch milliseconds), or why it is refused. If the slot of that time is
 * full, the order gets the next free slot. `slot_full`: no slot is free until the session stops taking orders.
 */
export function asapReadyTime(
  store: SlotStore,
  session: Session | null,
  at: number,
  fulfilment: FulfilmentType,
  need: SlotDemand,
): number | 'shop_closed' | 'shop_paused' | 'slot_full' {
  if (!session || session.from > at || !sessionTakesOrders(store, session, at)) return 'shop_closed';
  if (pauseEndAt(store, at, fulfilment) > at) return 'shop_paused';
  const ready = at + leadTimeOf(store, fulfilment, need).fromNow;
  if (store.max_orders_per_slot === null) return ready;
  let slot = slotStartAtOrBefore(store, ready);
  while (isSlotFull(store, slot, need)) {
    slot = gridFrom(store, slot + 1);
    if (!sessionTakesOrders(store, session, slot)) return 'slot_full';
  }
  return Math.max(ready, slot);
}

/**
 * Yields the slot starts in [from, until) that opening hours and `lead` allow for an order placed at `at`, including
 * full slots.
 */
export function* slotStarts(
  store: SlotStore,
  from: number,
  until: number,
  at: number,
  lead: LeadTime,
): Generator<number, void> {
  for (const session of openingSessionsFrom(store, from)) {
    if (session.from >= until) return;
    let start = gridFrom(store, Math.max(from, session.from + lead.fromOpening, at + lead.fromNow));
    while (start < until && sessionTakesOrders(store, session, start)) {
      yield start;
      start = gridFrom(store, start + 1);
    }
  }
}

export interface LeadTime {
  /** The lead time of an order that is placed now (ms), including the busy minutes. */
  fromNow: number;
  /**
   * The lead time without the busy minutes (ms). It is the time from an opening to the first slot, and from the start
   * of cooking to the promised time.
   */
  fromOpening: number;
}

/** The time that an order takes: the shop's or the slowest item's preparation, plus the drive to a delivery's zone. */
export function leadTimeOf(
  store: Pick<SlotStore, 'prep_minutes' | 'busy_extra_minutes'>,
  fulfilment: FulfilmentType,
  need: SlotDemand,
): LeadTime {
  const way = fulfilment === 'delivery' ? (need.zoneExtraMinutes ?? 0) : 0;
  const usual = Math.max(store.prep_minutes, need.itemsPrepMinutes ?? 0) + way;
  return { fromNow: (usual + store.busy_extra_minutes) * MINUTE, fromOpening: usual * MINUTE };
}

/** Whether a session takes orders at an instant: before the session's end, and not after last orders. */
export function sessionTakesOrders(store: SlotStore, session: Session, instant: number): boolean {
  return instant < session.to && instant <= lastOrdersAt(store, session.to);
}

/** The last instant at which a session that ends at `closes` takes orders (epoch milliseconds). */
export function lastOrdersAt(store: Pick<Store, 'last_order_minutes'>, closes: number): number {
  return closes - store.last_order_minutes * MINUTE;
}

export function isFulfilmentOffered(store: SlotStore, fulfilment: FulfilmentType): boolean {
  return fulfilment === 'delivery' ? store.delivery_enabled : store.collection_enabled;
}

/** Whether the slot that starts at `start` (epoch milliseconds) has as many orders as the shop takes. */
export function isSlotFull(
  store: Pick<SlotStore, 'max_orders_per_slot'>,
  start: number,
  { taken }: SlotDemand,
): boolean {
  if (store.max_orders_per_slot === null || !taken || taken.size === 0) return false;
  return (taken.get(new Date(start).toISOString()) ?? 0) >= store.max_orders_per_slot;
}

/** Returns the end of the last trading day for which customers can order, in epoch milliseconds. */
export function preorderEnd(store: SlotStore, now: Date): number {
  const lastDay = dayNumberOf(tradingDayOf(store, now)) + store.preorder_days;
  return Date.parse(tradingDayBounds(store, dateOfDayNumber(lastDay)).to);
}

export type SlotSpacing = Pick<Store, 'timezone' | 'slot_minutes'>;

/** Whether a slot starts at the instant (epoch milliseconds): at a multiple of `slot_minutes` after midnight. */
export function isSlotStart(store: SlotSpacing, instant: number): boolean {
  return sinceGrid(store, instant) === 0;
}

export function slotStartAtOrBefore(store: SlotSpacing, instant: number): number {
  const start = instant - sinceGrid(store, instant);
  if (isSlotStart(store, start)) return start;
  // The clocks have changed since `start` by a time that is no multiple of `slot_minutes`, so each minute is checked.
  return lookMinutewise(store, Math.floor(instant / MINUTE) * MINUTE, -MINUTE);
}

/** The first start of a slot at or after the instant. */
function gridFrom(store: SlotSpacing, instant: number): number {
  const since = sinceGrid(store, instant);
  if (since === 0) return instant;
  const wall = wallTimeAt(store.timezone, instant);
  const next = Math.min(store.slot_minutes * MINUTE - since, (dayNumberOfWallTime(wall) + 1) * DAY - wall);
  // Slot starts follow the clocks, so `instant + next` is no slot start if the clocks change before it.
  if (wallTimeAt(store.timezone, instant + next) === wall + next) return instant + next;
  return lookMinutewise(store, Math.ceil(instant / MINUTE) * MINUTE, MINUTE);
}

/** Milliseconds since the last multiple of `slot_minutes` after the shop's midnight. */
function sinceGrid(store: SlotSpacing, instant: number): number {
  const wall = wallTimeAt(store.timezone, instant);
  return (wall - dayNumberOfWallTime(wall) * DAY) % (store.slot_minutes * MINUTE);
}

function lookMinutewise(store: SlotSpacing, from: number, step: number): number {
  let instant = from;
  while (!isSlotStart(store, instant)) instant += step;
  return instant;
}

export interface EarliestSlot {
  /** The time, ISO 8601 in UTC. */
  at: string;
  /** Whether the kitchen can start at once. Otherwise `at` is a later slot. */
  isSoon: boolean;
}

/**
 * Returns when an order placed at `now` could be ready or delivered; null if it cannot be placed. While unscheduled
 * orders are taken, this is as soon as possible, otherwise the first free slot.
 */
export function findEarliestSlot(
  store: SlotStore,
  fulfilment: FulfilmentType,
  now: Date,
  need: SlotDemand = {},
): EarliestSlot | null {
  if (!isAcceptingOrders(store) || !isFulfilmentOffered(store, fulfilment)) return null;
  const at = now.getTime();
  const soon = asapReadyTime(store, sessionAtOrAfter(store, at), at, fulfilment, need);
  if (typeof soon === 'number') return { at: new Date(soon).toISOString(), isSoon: true };
  const from = pauseEndAt(store, at, fulfilment);
  for (const start of slotStarts(store, from, preorderEnd(store, now), at, leadTimeOf(store, fulfilment, need))) {
    if (!isSlotFull(store, start, need)) return { at: new Date(start).toISOString(), isSoon: false };
  }
  return null;
}
