import type { FulfilmentType, Store } from '#store/contract.ts';
import type { Closure, OpeningEntry, SpecialDay } from '#store/hours-shapes.ts';
import {
  clockTextOf,
  dateOfDayNumber,
  DAY,
  dayNumberOfWallTime,
  dayNumberOf,
  instantAt,
  parseClockTime,
  wallTimeAt,
  weekdayOf,
} from '#platform/zone-clock.ts';
import { weekdays } from '#database/page-values.ts';
import { m } from '#messages';

export type OpeningStore = OpeningHours &
  Pick<Store, 'is_accepting_orders' | 'paused_until' | 'pause_reason' | 'pause_cause'>;
export type TradingDaySettings = Pick<Store, 'timezone' | 'day_starts_at'>;

export interface OpenState {
  is_open: boolean;
  /** Why the shop is closed: its hours, a closure, a pause, or because it accepts no orders; null while it is open. */
  reason: null | 'closed' | 'closure' | 'paused' | 'not_accepting';
  /** The closing time while the shop is open; null if it does not close within eight days. */
  closes_at: string | null;
  /** The next opening while the shop is closed; null if it is unknown. */
  opens_at: string | null;
  /** The reason of a closure, a special day or a pause, usually in the owner's words; null if there is none. */
  detail: string | null;
}

/**
 * Returns the shop's state at `now`. The shop is open from the opening time on, and closed from the closing time on. A
 * closing time at or before its opening time is on the next day. Hours are in the shop's time zone; instants are ISO
 * 8601 in UTC.
 */
export function openStateAt(store: OpeningStore, now: Date): OpenState {
  if (!isAcceptingOrders(store))
    return shut('not_accepting', null, store.is_accepting_orders ? pauseReasonWords(store) : null);
  const at = now.getTime();
  const resumesAt = pauseEndAt(store, at);
  const session = sessionAtOrAfter(store, at);
  if (session && session.from <= at && resumesAt === at) {
    return { is_open: true, reason: null, closes_at: isoOrNull(session.to), opens_at: null, detail: null };
  }
  const next = resumesAt === at ? session : sessionAtOrAfter(store, resumesAt);
  const opensAt = next && Math.max(next.from, resumesAt);
  const { closure, special } = hoursOfDay(store, dayNumberOfWallTime(wallTimeAt(store.timezone, at)));
  if (closure) return shut('closure', opensAt, closure.reason);
  if (!session || session.from > at) return shut('closed', opensAt, special && special.reason);
  return shut('paused', opensAt, pauseReasonWords(store));
}

/**
 * Returns the sessions that overlap [from, to), uncut and in order. Closures have no sessions, and overlapping sessions
 * are merged. `closes_at` is null for a session that lasts more than eight days beyond `to`.
 */
export function sessionsBetween(
  store: OpeningHours,
  from: Date,
  to: Date,
): { opens_at: string; closes_at: string | null }[] {
  const found = [];
  for (const session of openingSessionsFrom(store, from.getTime(), to.getTime() - from.getTime() + 8 * DAY)) {
    if (session.from >= to.getTime()) break;
    found.push({ opens_at: iso(session.from), closes_at: isoOrNull(session.to) });
  }
  return found;
}

/**
 * Returns the trading day (YYYY-MM-DD) of an instant. A trading day starts at the store's `day_starts_at`, not at
 * midnight.
 */
export function tradingDayOf(store: TradingDaySettings, instant: Date): string {
  const at = instant.getTime();
  const day = dayNumberOfWallTime(wallTimeAt(store.timezone, at) - parseClockTime(store.day_starts_at));
  // If the clocks repeat the hour of `day_starts_at`, the trading day begins when the hour comes first.
  return dateOfDayNumber(at >= startOfTradingDay(store, day + 1) ? day + 1 : day);
}

/** A pause of at most this many milliseconds is a short break, even if a trading day starts during it. */
const shortBreak = 2 * 3_600_000;

/** Whether a pause until `opensAt` lasts for the rest of the trading day, and is longer than a short break. */
export function isPausedForToday(store: TradingDaySettings, now: Date, opensAt: Date): boolean {
  if (opensAt.getTime() - now.getTime() <= shortBreak) return false;
  return tradingDayOf(store, now) !== tradingDayOf(store, opensAt);
}

/** The start `from` of a trading day, and its end `to`, at which the next day starts (ISO 8601). */
export function tradingDayBounds(store: TradingDaySettings, day: string): { from: string; to: string } {
  const index = dayNumberOf(day);
  return { from: iso(startOfTradingDay(store, index)), to: iso(startOfTradingDay(store, index + 1)) };
}

/** The end of an instant's trading day (ISO 8601), when a pause "for today" ends. */
export function tradingDayEnd(store: TradingDaySettings, instant: Date): string {
  return tradingDayBounds(store, tradingDayOf(store, instant)).to;
}

export type PausableStore = Pick<Store, 'paused_until'> & Partial<Pick<Store, 'pauses'>>;

/**
 * Returns the end of the pause that applies at `instant` (epoch milliseconds); without a pause, `instant` itself. With
 * `way`, a pause of that fulfilment type counts in addition to a pause of the whole shop.
 */
export function pauseEndAt(store: PausableStore, instant: number, way?: FulfilmentType): number {
  const ends = (store.pauses ?? []).flatMap(({ fulfilment_type: of, until }) =>
    of === way ? [Date.parse(until)] : [],
  );
  if (store.paused_until !== null) ends.push(Date.parse(store.paused_until));
  return Math.max(instant, ...ends);
}

function startOfTradingDay(store: TradingDaySettings, day: number): number {
  return instantAt(store.timezone, day * DAY + parseClockTime(store.day_starts_at));
}

function shut(reason: OpenState['reason'], opensAt: number | null, detail: string | null): OpenState {
  return {
    is_open: false,
    reason,
    closes_at: null,
    opens_at: opensAt === null ? null : iso(opensAt),
    detail: detail || null,
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function isoOrNull(instant: number): string | null {
  return instant === Infinity ? null : iso(instant);
}

/**
 * `special_hours` may be missing, because a page may have cached the shop of an earlier release, which lacked this
 * field.
 */
export type OpeningHours = Pick<Store, 'timezone' | 'operational_hours' | 'closures'> &
  Partial<Pick<Store, 'special_hours'>>;

export type DayEntry = Pick<OpeningEntry, 'open' | 'close'>;

/** The hours of one date, and the reason if they are not the week's hours. */
export interface HoursOfDate {
  /** The openings that begin on the date, in order; empty on a closed date. */
  entries: readonly DayEntry[];
  closure: Closure | null;
  special: SpecialDay | null;
}

/**
 * Decides the hours of a local day, counted from 1970-01-01. A closure takes precedence over a special day, and a
 * special day over the week. A special day of a single date takes precedence over a yearly special day. Openings of the
 * night before are not included, even if they last into this day.
 */
export function hoursOfDay(
  store: Omit<OpeningHours, 'timezone'> & Partial<Pick<Store, 'timezone'>>,
  day: number,
): HoursOfDate {
  const closure = closureOfDay(store, day);
  if (closure) return { entries: [], closure, special: null };
  const special = store.special_hours?.length ? specialDayOn(store.special_hours, dateOfDayNumber(day)) : null;
  const weekday = weekdays[weekdayOf(day)];
  const planned: readonly DayEntry[] =
    special?.hours ?? store.operational_hours.filter((entry) => entry.day === weekday);
  const entries = mergedEntries(
    store.timezone === undefined ? planned : withoutSkippedHour(store.timezone, day, planned),
  );
  return { entries, closure, special: special && { ...special, hours: entries } };
}

/**
 * Returns the entries of a day in order, with overlapping or touching entries merged. Entries that together last more
 * than 24 hours are not merged, because one entry cannot express such a span.
 */
export function mergedEntries<E extends DayEntry>(entries: readonly E[]): E[] {
  const merged: E[] = [];
  for (const entry of entries.toSorted((a, b) => a.open.localeCompare(b.open))) {
    const last = merged.at(-1);
    const span = last && entrySpan(last);
    const { from, to } = entrySpan(entry);
    if (last && span && from <= span.to && to - span.from <= DAY) {
      if (to > span.to) merged[merged.length - 1] = { ...last, close: entry.close };
    } else merged.push(entry);
  }
  return merged;
}

/**
 * Adapts the entries of a day on which the clocks may go forward. A time in the skipped hour becomes the time after the
 * hour; an entry within the hour is dropped. Returns `entries` itself on other days.
 */
function withoutSkippedHour(zone: string, day: number, entries: readonly DayEntry[]): readonly DayEntry[] {
  if (instantAt(zone, (day + 2) * DAY) - instantAt(zone, day * DAY) >= 2 * DAY) return entries;
  const shown = (time: number) => wallTimeAt(zone, instantAt(zone, day * DAY + time)) - day * DAY;
  return entries.flatMap((entry) => {
    const { from, to } = entrySpan(entry);
    const [open, close] = [shown(from), shown(to)];
    if (open === close) return [];
    return {
      ...entry,
      ...(open !== from && { open: clockTextOf(open) }),
      ...(close !== to && { close: clockTextOf(close) }),
    };
  });
}

/**
 * Returns the special day of a date (YYYY-MM-DD); null if there is none. A yearly special day applies from its own year
 * on.
 */
export function specialDayOn(days: readonly SpecialDay[], date: string): SpecialDay | null {
  return (
    days.find((day) => !day.repeats_yearly && day.date === date) ??
    days.find((day) => day.repeats_yearly && day.date.slice(4) === date.slice(4) && day.date <= date) ??
    null
  );
}

/**
 * One period of opening hours, in epoch milliseconds. It includes `from` and excludes `to`. `to` is Infinity if the end
 * is farther away than the search looks ahead.
 */
export interface Session {
  from: number;
  to: number;
}

/**
 * Yields the opening sessions from `instant` on, in order. The search goes on for years, so the caller must stop
 * iterating. Overlapping entries are one session, whose end is Infinity if it lasts longer than `longest` milliseconds.
 * A closure has no session, and ends the previous night's session at midnight.
 */
export function* openingSessionsFrom(
  store: OpeningHours,
  instant: number,
  longest = 8 * DAY,
): Generator<Session, void> {
  if (store.operational_hours.length === 0 && !store.special_hours?.length) return;
  let current: Session | null = null;
  const firstDay = dayNumberOfWallTime(wallTimeAt(store.timezone, instant)) - 2;
  for (let day = firstDay; day < firstDay + searchedDays; day++) {
    for (const next of sessionsOf(store, day)) {
      if (current && next.from <= current.to) {
        current.to = Math.max(current.to, next.to);
        if (current.to - Math.max(current.from, instant) < longest) continue;
        current.to = Infinity;
        yield current;
        return;
      }
      if (current && current.to > instant) yield current;
      current = next;
    }
  }
  // The loop yields a session only when it finds the next one. The last session, for example of a shop that opens only
  // on special days, is yielded here.
  if (current && current.to > instant) yield current;
}

export function sessionAtOrAfter(store: OpeningHours, instant: number): Session | null {
  for (const session of openingSessionsFrom(store, instant)) return session;
  return null;
}

/** The closure that contains a local day, counted from 1970-01-01; null without one. */
export function closureOfDay(store: Pick<Store, 'closures'>, day: number): Closure | null {
  if (store.closures.length === 0) return null;
  const date = dateOfDayNumber(day);
  return store.closures.find((closure) => closure.from <= date && date <= closure.to) ?? null;
}

/**
 * Returns an entry's span in milliseconds after its day's midnight. An end at or before the beginning is on the next
 * day; 23:59 means midnight.
 */
export function entrySpan({ open, close }: Pick<OpeningEntry, 'open' | 'close'>): Session {
  const from = parseClockTime(open);
  if (close === '23:59' && open !== close) return { from, to: DAY };
  const to = parseClockTime(close);
  return { from, to: to > from ? to : to + DAY };
}

export function isAllDay(entry: Pick<OpeningEntry, 'open' | 'close'>): boolean {
  const { from, to } = entrySpan(entry);
  return to - from === DAY;
}

/**
 * The number of days in which sessions are searched. The limit is longer than a closure of some years, and ends the
 * search for a shop that never opens.
 */
const searchedDays = 2000;

function sessionsOf(store: OpeningHours, day: number): Session[] {
  const sessions = hoursOfDay(store, day).entries.map((entry): Session => {
    const { from, to } = entrySpan(entry);
    return { from: instantAt(store.timezone, day * DAY + from), to: instantAt(store.timezone, day * DAY + to) };
  });
  if (sessions.length === 0) return sessions;
  if (closureOfDay(store, day + 1)) {
    const midnight = instantAt(store.timezone, (day + 1) * DAY);
    for (const session of sessions) session.to = Math.min(session.to, midnight);
  }
  return sessions.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
}

/** Whether the owner accepts orders, and no restore from a backup has paused the shop. */
export function isAcceptingOrders(
  store: Pick<Store, 'is_accepting_orders'> & Partial<Pick<Store, 'pause_cause'>>,
): boolean {
  return store.is_accepting_orders && store.pause_cause !== 'restored';
}

/** Returns a pause's reason in the reader's language: a person's text, or else the words for its cause. */
export function pauseReasonWords({
  pause_reason,
  pause_cause,
}: Pick<Store, 'pause_reason' | 'pause_cause'>): string | null {
  if (pause_reason) return pause_reason;
  return pause_cause && { no_board: m.store_pause_no_board, restored: m.store_pause_restored }[pause_cause]();
}

/** Returns a pause's end: `until`, or the given minutes from now. null without either, or if `until` is past. */
export function requestedPauseEnd(
  pause: { minutes?: number | undefined; until?: string | undefined },
  now: Date,
): Date | null {
  if (pause.until !== undefined) {
    const until = new Date(pause.until);
    return until > now ? until : null;
  }
  return pause.minutes === undefined ? null : new Date(now.getTime() + pause.minutes * 60_000);
}

/** The longest pause, in days. A longer break must be a closure, which customers see in advance. */
export const maxPauseDays = 14;

export function isPauseTooLong(until: Date, now: Date): boolean {
  return until.getTime() - now.getTime() > maxPauseDays * 24 * 3_600_000;
}
