import type { SpecialDay } from '#store/hours-shapes.ts';
import { isDeepEqual } from '#store/store-changes.ts';
import {
  type DayEntry,
  entrySpan,
  hoursOfDay,
  type OpeningHours,
  type Session,
  sessionAtOrAfter,
  specialDayOn,
  type TradingDaySettings,
  tradingDayOf,
} from '#store/opening-hours.ts';
import { m } from '#messages';
import {
  clockTextOf,
  dateOfDayNumber,
  DAY,
  dayNumberOf,
  instantAt,
  parseClockTime,
  wallTimeAt,
} from '#platform/zone-clock.ts';

/**
 * Returns the special days, with `day` replacing the special day that has the same date and repetition; sorted by date.
 */
export function withSpecialDay(days: readonly SpecialDay[], day: SpecialDay): SpecialDay[] {
  return [...days.filter((other) => !isSameDay(other, day)), day].toSorted((a, b) => a.date.localeCompare(b.date));
}

function isSameDay(a: SpecialDay, b: SpecialDay): boolean {
  return a.date === b.date && a.repeats_yearly === b.repeats_yearly;
}

type EarlyStore = OpeningHours & TradingDaySettings;

/**
 * Returns the shop's special days, changed so that the trading day of `now` ends at `at` (HH:mm by the shop's clock).
 * This replaces an early closing that was set before. Returns `past` if the time `at` has passed, and `closed` if the
 * shop is not open after `at` anyway.
 */
export function closeEarly(store: EarlyStore, at: string, now: Date): SpecialDay[] | 'past' | 'closed' {
  const special_hours = withoutEarlyClosing(store, now);
  const closing = earlyClosingAt({ ...store, special_hours }, at, now);
  if (!closing) return 'past';
  const { today, end, resume } = closing;
  // Tomorrow's entries are needed, because an opening after midnight may belong to today's trading day.
  const before = [today, today + 1].map((day) => hoursOfDay({ ...store, special_hours }, day).entries);
  const pieces = before.flatMap((entries, ahead) =>
    entries.flatMap((entry) => withoutSpan(shifted(entrySpan(entry), ahead * DAY), end, resume)),
  );
  let next = special_hours;
  for (const [ahead, entries] of before.entries()) {
    const hours = pieces
      .filter(({ from }) => Math.floor(from / DAY) === ahead)
      .map(({ from, to }) => ({ open: clockTextOf(from), close: clockTextOf(to) }));
    if (isSameHours(hours, entries)) continue;
    const date = dateOfDayNumber(today + ahead);
    const own = specialDayOn(special_hours, date);
    const instead_of = own && !own.repeats_yearly ? { hours: own.hours, reason: own.reason } : null;
    next = withSpecialDay(next, { date, repeats_yearly: false, hours, reason: own?.reason ?? '', instead_of });
  }
  return next === special_hours ? 'closed' : next;
}

/**
 * Finds the next instant at which the shop's clock shows `at` in the trading day of `now`; null if there is none. If
 * the present opening continues into the next trading day, that day is searched as well. `today`: the number of the day
 * in which `at` was found. `end` and `resume`: the span without openings, in milliseconds after that day's midnight.
 */
function earlyClosingAt(
  store: EarlyStore,
  at: string,
  now: Date,
): { today: number; end: number; resume: number; instant: number } | null {
  const dayStart = parseClockTime(store.day_starts_at);
  const time = parseClockTime(at);
  const end = time < dayStart ? time + DAY : time;
  const first = dayNumberOf(tradingDayOf(store, now));
  const days = [{ today: first, resume: DAY + dayStart }];
  const session = sessionAtOrAfter(store, now.getTime());
  if (session && session.from <= now.getTime() && session.to - session.from < DAY) {
    const next = first + 1;
    if (tradingDayOf(store, new Date(session.to - 1)) === dateOfDayNumber(next))
      days.push({ today: next, resume: wallTimeAt(store.timezone, session.to) - next * DAY });
  }
  for (const day of days) {
    const instant = instantAt(store.timezone, day.today * DAY + end);
    if (instant > now.getTime()) return { ...day, end, instant };
  }
  return null;
}

/**
 * Removes the early closing of the trading day of `now`, and all early closings of earlier days. Returns the remaining
 * special days.
 */
export function withoutEarlyClosing(store: EarlyStore, now: Date): SpecialDay[] {
  const today = dayNumberOf(tradingDayOf(store, now));
  const dates = new Set([dateOfDayNumber(today), dateOfDayNumber(today + 1)]);
  return (store.special_hours ?? []).flatMap((day): SpecialDay[] => {
    const { instead_of: before, ...rest } = day;
    if (before === undefined || day.date > dateOfDayNumber(today + 1)) return [day];
    if (!dates.has(day.date)) return [];
    return before === null ? [] : [{ ...rest, ...before }];
  });
}

export function isClosedEarly(store: EarlyStore, now: Date): boolean {
  const today = dayNumberOf(tradingDayOf(store, now));
  // Early closing of an opening after midnight is stored in tomorrow's special day, so both dates are searched.
  const dates = new Set([dateOfDayNumber(today), dateOfDayNumber(today + 1)]);
  return (store.special_hours ?? []).some((day) => dates.has(day.date) && day.instead_of !== undefined);
}

/**
 * Returns the full hours (HH:mm) at which the shop could close early in this trading day; at most the last four. The
 * hour that was already chosen is left out.
 */
export function earlyClosingTimes(store: EarlyStore, now: Date): string[] {
  const planned = { ...store, special_hours: withoutEarlyClosing(store, now) };
  return Array.from({ length: 24 }, (_, hour) => clockTextOf((hour * DAY) / 24))
    .filter((at) => endsOpening(store, at, now))
    .map((at) => ({ at, instant: earlyClosingAt(planned, at, now)?.instant ?? 0 }))
    .toSorted((a, b) => a.instant - b.instant)
    .map(({ at }) => at)
    .slice(-4);
}

/** Whether closing at `at` would end an opening: the shop is open just before `at`. */
function endsOpening(store: EarlyStore, at: string, now: Date): boolean {
  const today = dayNumberOf(tradingDayOf(store, now));
  const closed = closeEarly(store, at, now);
  if (!Array.isArray(closed) || isDeepEqual(closed, store.special_hours)) return false;
  const days = [today, today + 1].map((day) => hoursOfDay({ ...store, special_hours: closed }, day).entries);
  return days.some((entries) => entries.some(({ close }) => close === at));
}

function shifted({ from, to }: Session, by: number): Session {
  return { from: from + by, to: to + by };
}

/**
 * Returns the parts of a span outside the closed time from `end` to `resume`. All are in milliseconds after the same
 * midnight.
 */
function withoutSpan({ from, to }: Session, end: number, resume: number): Session[] {
  if (to <= end) return [{ from, to }];
  const before = from < end ? [{ from, to: end }] : [];
  return to > resume ? [...before, { from: Math.max(from, resume), to }] : before;
}

function isSameHours(hours: readonly DayEntry[], entries: readonly DayEntry[]): boolean {
  // Spans are compared, and not the texts of times, because 23:59 is read as midnight.
  const spans = (all: readonly DayEntry[]) => JSON.stringify(all.map(({ open, close }) => entrySpan({ open, close })));
  return spans(hours) === spans(entries);
}

/**
 * Returns the problem of the first opening that a clock change skips entirely; null if there is none. Unchanged special
 * days are not checked.
 */
export function skippedOpeningProblem(
  zone: string,
  days: readonly SpecialDay[],
  stored: readonly SpecialDay[],
): { field: string; message: string } | null {
  for (const [index, day] of days.entries()) {
    if (stored.some((other) => isDeepEqual(other, day))) continue;
    const at = day.hours.findIndex((entry) => isSkipped(zone, day.date, entry));
    if (at >= 0) return { field: `special_hours.${index}.hours.${at}.open`, message: m.store_manage_clocks_none() };
  }
  return null;
}

function isSkipped(zone: string, date: string, entry: DayEntry): boolean {
  const { from, to } = entrySpan(entry);
  const day = dayNumberOf(date) * DAY;
  return instantAt(zone, day + from) === instantAt(zone, day + to);
}

/** Explains how a clock change affects an opening's `field` on `date`; null if the time is unaffected or missing. */
export function clockChangeWords(zone: string, date: string, entry: DayEntry, field: 'open' | 'close'): string | null {
  if (entry.open === '' || entry.close === '') return null;
  const { from, to } = entrySpan(entry);
  const day = dayNumberOf(date) * DAY;
  const wall = day + (field === 'open' ? from : to);
  const time = clockTextOf(wall);
  const first = instantAt(zone, wall);
  const at = clockTextOf(wallTimeAt(zone, first));
  if (at !== time) {
    if (isSkipped(zone, date, entry)) return m.store_manage_clocks_none();
    return m.store_manage_clocks_forward({ time, at, field });
  }
  // If the clock shows the time again within three hours, a clock change repeats the time.
  const again = [1, 2, 3, 4, 5, 6].some((half) => wallTimeAt(zone, first + half * (DAY / 48)) === wall);
  return again ? m.store_manage_clocks_back({ time, field }) : null;
}
