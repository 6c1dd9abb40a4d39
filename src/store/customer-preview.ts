import { m } from '#messages';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { closureDaysWords } from '#store/closure-rules.ts';
import { dayEntriesWords } from '#store/hours-words.ts';
import type { DeliveryZone, FulfilmentType, Slot } from '#store/contract.ts';
import {
  closureOfDay,
  hoursOfDay,
  type OpeningStore,
  type OpenState,
  openStateAt,
  sessionsBetween,
  tradingDayOf,
} from '#store/opening-hours.ts';
import { findEarliestSlot, type SlotStore } from '#store/slot-rules.ts';
import { checkRequestedTime, slotsOn } from '#store/slots.ts';
import { DAY, dayNumberOfWallTime, instantAt, MINUTE, wallTimeAt } from '#platform/zone-clock.ts';

export type PreviewedStore = SlotStore & OpeningStore;

export interface CustomerView {
  state: OpenState;
  /** Tells the owner which hours, closure or pause make the shop open or closed. */
  why: string;
  tradingDay: string;
  ways: FulfilmentView[];
}

export interface FulfilmentView {
  fulfilment: FulfilmentType;
  isOffered: boolean;
  /** The minutes until an unscheduled order is ready, or the reason why it is impossible. */
  soon: { minutes: number } | { problem: string };
  /** When the first order could be ready or delivered; null if no order can be placed. */
  earliest: string | null;
  /** The slots of the trading day. Full and paused slots are marked as unavailable. */
  slots: Slot[];
}

/** Data that a preview needs besides the store: the number of orders in each slot, and the delivery's zone. */
export interface PreviewNeeds {
  taken?: ReadonlyMap<string, number> | undefined;
  zone?: Pick<DeliveryZone, 'extra_minutes'> | undefined;
}

/**
 * Returns a customer's view of the shop at `at`, by the rules of ordering. The stored pause of the whole shop is
 * ignored if `at` is past, because the start of the pause is not stored.
 */
export function customerViewAt(stored: PreviewedStore, at: Date, now: Date, need: PreviewNeeds = {}): CustomerView {
  const store = isPreviewTimePast(at, now)
    ? { ...stored, paused_until: null, pause_reason: null, pause_cause: null }
    : stored;
  const state = openStateAt(store, at);
  return {
    state,
    why: whyWords(store, state, at),
    tradingDay: tradingDayOf(store, at),
    ways: (['collection', 'delivery'] as const).map((fulfilment) => wayAt(store, fulfilment, at, need)),
  };
}

/** Whether `at` is more than a minute before `now`. A minute is tolerated, because the owner types whole minutes. */
export function isPreviewTimePast(at: Date, now: Date): boolean {
  return at.getTime() < now.getTime() - MINUTE;
}

function wayAt(
  store: PreviewedStore,
  fulfilment: FulfilmentType,
  at: Date,
  { taken, zone }: PreviewNeeds,
): FulfilmentView {
  const isOffered = fulfilment === 'delivery' ? store.delivery_enabled : store.collection_enabled;
  const need = {
    ...(taken && { taken }),
    ...(fulfilment === 'delivery' && zone && { zoneExtraMinutes: zone.extra_minutes }),
  };
  const problem = checkRequestedTime(store, fulfilment, null, at, need);
  const earliest = findEarliestSlot(store, fulfilment, at, need)?.at ?? null;
  const minutes = earliest === null ? 0 : Math.round((Date.parse(earliest) - at.getTime()) / MINUTE);
  return {
    fulfilment,
    isOffered,
    soon: problem ? { problem: problem.message } : { minutes },
    earliest,
    slots: slotsOn(store, fulfilment, tradingDayOf(store, at), at, need),
  };
}

function whyWords(store: PreviewedStore, state: OpenState, at: Date): string {
  const zone = store.timezone;
  if (state.is_open) {
    const [session] = sessionsBetween(store, at, new Date(at.getTime() + 1));
    const opened = session ? timeAndDayWords(session.opens_at, at, zone) : '';
    return state.closes_at === null
      ? m.store_why_always_open()
      : m.store_why_open({ from: opened, to: timeAndDayWords(state.closes_at, at, zone) });
  }
  switch (state.reason) {
    case 'not_accepting':
      return m.store_why_not_accepting();
    case 'paused': {
      const until = timeAndDayWords(store.paused_until ?? at, at, zone);
      return state.detail ? m.store_why_paused_reason({ until, reason: state.detail }) : m.store_why_paused({ until });
    }
    case 'closure': {
      const closure = closureOfDay(store, dayNumberOfWallTime(wallTimeAt(zone, at.getTime())));
      const days = closure ? closureDaysWords(closure) : '';
      return state.detail ? m.store_why_closure_reason({ days, reason: state.detail }) : m.store_why_closure({ days });
    }
    default:
      return hoursWords(store, at);
  }
}

/**
 * Explains a time outside the opening hours. It names the date's special hours, or the end of the last session in the
 * week before.
 */
function hoursWords(store: PreviewedStore, at: Date): string {
  const { special } = hoursOfDay(store, dayNumberOfWallTime(wallTimeAt(store.timezone, at.getTime())));
  if (special) {
    const hours = dayEntriesWords(special.hours);
    const { reason } = special;
    return reason ? m.store_why_special_reason({ hours, reason }) : m.store_why_special({ hours });
  }
  const last = sessionsBetween(store, new Date(at.getTime() - 7 * DAY), at).at(-1);
  const closed = last?.closes_at && Date.parse(last.closes_at) <= at.getTime() ? last.closes_at : null;
  if (store.operational_hours.length === 0) return m.store_why_no_hours();
  return closed === null
    ? m.store_why_outside_hours()
    : m.store_why_closed_since({ since: timeAndDayWords(closed, at, store.timezone) });
}

/** A time with its day in words: `18:00 today`, `02:00 tomorrow`, `23:00 on Friday 20 November`. */
export function timeAndDayWords(instant: string | Date, seenFrom: Date, zone: string): string {
  const time = timeWords(instant, zone);
  const day = dayWords(instant, seenFrom, zone);
  return day === m.platform_today() || day === m.platform_tomorrow()
    ? m.store_when_near({ time, day })
    : m.store_when({ time, day });
}

/**
 * A local date and time in a zone. If the clocks skip the time, `instant` is the moment of the clock change. If the
 * clocks repeat the time, `instants` has both occurrences in order.
 */
export type LocalTime =
  | { kind: 'once'; instant: Date }
  | { kind: 'skipped'; instant: Date }
  | { kind: 'twice'; instants: [Date, Date] };

/** Reads `2026-10-25T01:30` in an IANA zone; null for an invalid date and time. */
export function parseLocalTime(zone: string, text: string): LocalTime | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const wall = Date.parse(`${text}:00Z`);
  // 30 February is parsed as 2 March, so the result must format back to the input.
  const isDate = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(text);
  if (!isDate || wall < DAY || wall >= Date.UTC(2999, 11, 31)) return null;
  const first = instantAt(zone, wall);
  if (wallTimeAt(zone, first) !== wall) return { kind: 'skipped', instant: new Date(first) };
  const later = wall + 13 * 60 * MINUTE;
  const second = wall - (wallTimeAt(zone, later) - later);
  return second > first && wallTimeAt(zone, second) === wall
    ? { kind: 'twice', instants: [new Date(first), new Date(second)] }
    : { kind: 'once', instant: new Date(first) };
}

/** An instant as `2026-10-25T01:30` on the zone's clocks: the value of a date and time input. */
export function formatLocalTime(zone: string, instant: Date): string {
  return new Date(wallTimeAt(zone, instant.getTime())).toISOString().slice(0, 16);
}

/** The zone's offset from GMT at an instant, as a text for pages: `GMT`, `GMT+1`. */
export function gmtOffsetWords(zone: string, instant: Date): string {
  const minutes = Math.round((wallTimeAt(zone, instant.getTime()) - instant.getTime()) / MINUTE);
  if (minutes === 0) return 'GMT';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `GMT${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
