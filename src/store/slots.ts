import type { FulfilmentType, Slot, Store } from '#store/contract.ts';
import {
  findEarliestSlot,
  slotStartAtOrBefore,
  isSlotFull,
  isFulfilmentOffered,
  isSlotStart,
  leadTimeOf,
  preorderEnd,
  asapReadyTime,
  type SlotDemand,
  slotStarts,
  type SlotStore,
  sessionTakesOrders,
} from '#store/slot-rules.ts';
import {
  type OpeningHours,
  isPausedForToday,
  pauseEndAt,
  sessionAtOrAfter,
  tradingDayBounds,
  tradingDayOf,
  isAcceptingOrders,
} from '#store/opening-hours.ts';
import { type TimeRefusal, timeRefusalWords } from '#store/time-refusal.ts';
import { clockTextOf, dayNumberOfWallTime, MINUTE, wallTimeAt } from '#platform/zone-clock.ts';

export interface TimeProblem {
  code: 'slot_past' | 'slot_unavailable' | 'slot_full' | 'shop_closed' | 'shop_paused' | 'not_accepting_orders';
  message: string;
  /** The content of `message` as data, from which pages write the message in other languages. */
  details: TimeRefusal;
}

/**
 * Returns the slots of a trading day (YYYY-MM-DD) for an order placed at `now`. Full and paused slots are unavailable.
 * Slots start at multiples of `slot_minutes`. The first slot starts after the preparation time. The last slot starts
 * `last_order_minutes` or more before closing.
 */
export function slotsOn(
  store: SlotStore,
  fulfilment: FulfilmentType,
  date: string,
  now: Date,
  need: SlotDemand = {},
): Slot[] {
  if (!isAcceptingOrders(store) || !isFulfilmentOffered(store, fulfilment)) return [];
  const day = tradingDayBounds(store, date);
  const at = now.getTime();
  const resumes = pauseEndAt(store, at, fulfilment);
  const until = Math.min(Date.parse(day.to), preorderEnd(store, now));
  const slots: Slot[] = [];
  for (const start of slotStarts(store, Date.parse(day.from), until, at, leadTimeOf(store, fulfilment, need))) {
    slots.push({
      starts_at: iso(start),
      ends_at: iso(start + store.slot_minutes * MINUTE),
      is_available: start >= resumes && !isSlotFull(store, start, need),
    });
  }
  return slots;
}

/**
 * Returns the reason why an order placed at `now` is impossible at `requestedFor`; null if it is possible.
 * `requestedFor` is ISO 8601, or null for as soon as possible. While the shop is closed, later slots can be ordered, up
 * to `preorder_days` ahead.
 */
export function checkRequestedTime(
  store: SlotStore,
  fulfilment: FulfilmentType,
  requestedFor: string | null,
  now: Date,
  need: SlotDemand = {},
): TimeProblem | null {
  const at = now.getTime();
  const start = Date.parse(requestedFor ?? '');
  // The past is checked first, because staff may override all other problems.
  if (start <= at) return problem('slot_past', { kind: 'past' });
  if (!isAcceptingOrders(store)) return problem('not_accepting_orders', { kind: 'not_accepting' });
  if (requestedFor === null) return checkSoon(store, fulfilment, at, need);
  const unavailable = problem('slot_unavailable', { kind: 'unavailable' });
  // The comparison is negated, so that it refuses an unreadable time (NaN).
  if (!(start < preorderEnd(store, now))) return unavailable;
  if (start < pauseEndAt(store, at, fulfilment)) return pausedProblem(store, at, fulfilment);
  const lead = leadTimeOf(store, fulfilment, need);
  if (start < at + lead.fromNow) {
    return tooSoonProblem(store, start, findEarliestSlot(store, fulfilment, now, need)?.at ?? null) ?? unavailable;
  }
  if (!isServed(store, start, lead.fromOpening) || !isSlotStart(store, start)) return unavailable;
  return isSlotFull(store, start, need)
    ? problem('slot_full', { kind: 'slot_full', time: clockAt(store, start) })
    : null;
}

/** Whether the slot is within opening hours, and at least `fromOpening` milliseconds after the opening. */
function isServed(store: SlotStore, start: number, fromOpening: number): boolean {
  const session = sessionAtOrAfter(store, start);
  return session !== null && start >= session.from + fromOpening && sessionTakesOrders(store, session, start);
}

/**
 * Returns the start (ISO 8601 in UTC) of the slot for an order that is ready at `ready` (ISO 8601). The order uses the
 * capacity of this slot.
 */
export function slotStartOf(store: Pick<SlotStore, 'timezone' | 'slot_minutes'>, ready: string): string {
  return iso(slotStartAtOrBefore(store, Date.parse(ready)));
}

/**
 * Returns when an unanswered order is rejected: `answer_minutes` after it was placed, or after the next opening. A
 * pause does not postpone the deadline, because staff are present during a pause.
 */
export function answerDeadline(store: OpeningHours & Pick<Store, 'answer_minutes'>, placedAt: Date): Date {
  const session = sessionAtOrAfter(store, placedAt.getTime());
  const from = Math.max(placedAt.getTime(), session?.from ?? 0);
  return new Date(from + store.answer_minutes * MINUTE);
}

function checkSoon(store: SlotStore, fulfilment: FulfilmentType, at: number, need: SlotDemand): TimeProblem | null {
  const session = sessionAtOrAfter(store, at);
  const soon = asapReadyTime(store, session, at, fulfilment, need);
  if (typeof soon === 'number') return null;
  if (soon === 'slot_full') return problem(soon, { kind: 'fully_booked' });
  if (soon === 'shop_paused') return pausedProblem(store, at, fulfilment);
  if (session && session.from <= at) return problem(soon, { kind: 'last_orders' });
  const opensToday =
    session &&
    dayNumberOfWallTime(wallTimeAt(store.timezone, session.from)) ===
      dayNumberOfWallTime(wallTimeAt(store.timezone, at));
  return problem(soon, opensToday ? { kind: 'closed_until', time: clockAt(store, session.from) } : { kind: 'closed' });
}

function problem(code: TimeProblem['code'], details: TimeRefusal): TimeProblem {
  return { code, message: timeRefusalWords(details), details };
}

/**
 * Returns the problem of a paused shop, or of a paused fulfilment type. A pause's end is named only if it is today,
 * because readers would take another day's time for today's.
 */
function pausedProblem(store: SlotStore, at: number, way: FulfilmentType): TimeProblem {
  const until = pauseEndAt(store, at, way);
  const isForToday = isPausedForToday(store, new Date(at), new Date(until));
  const time = clockAt(store, until);
  if (until > pauseEndAt(store, at))
    return problem('shop_paused', { kind: 'paused', time, way: isForToday ? `${way}_today` : way });
  return problem('shop_paused', isForToday ? { kind: 'closed' } : { kind: 'paused', time });
}

/**
 * Returns the problem of a requested time before the earliest possible time. Returns null if there is no earliest time,
 * or if the earliest time is on another trading day.
 */
function tooSoonProblem(store: SlotStore, start: number, earliest: string | null): TimeProblem | null {
  if (earliest === null) return null;
  const at = Date.parse(earliest);
  if (tradingDayOf(store, new Date(at)) !== tradingDayOf(store, new Date(start))) return null;
  return problem('slot_unavailable', {
    kind: 'too_soon',
    time: clockAt(store, start),
    earliest: clockAt(store, at),
  });
}

function clockAt(store: Pick<Store, 'timezone'>, instant: number): string {
  return clockTextOf(wallTimeAt(store.timezone, instant));
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
