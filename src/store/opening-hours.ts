import type { Closure, OpeningEntry, Store } from '#store/contract.ts';
import { dateOf, DAY, dayOf, dayOfDate, instantAt, timeOfDay, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';
import { weekdays } from '#database/page-values.ts';
import { m } from '#messages';

export type OpeningStore = Hours & Pick<Store, 'is_accepting_orders' | 'paused_until' | 'pause_reason' | 'pause_cause'>;
export type TradingStore = Pick<Store, 'timezone' | 'day_starts_at'>;

export interface OpenState {
  is_open: boolean;
  /** Why it is closed: outside the hours, a closure, a pause, or orders are switched off. */
  reason: null | 'closed' | 'closure' | 'paused' | 'not_accepting';
  /** While open: when it closes; null if it does not close within eight days. */
  closes_at: string | null;
  /** While closed: when it opens, or resumes; null if that is not known. */
  opens_at: string | null;
  /** Why there is a closure or a pause, if it is known: mostly the owner's text. */
  detail: string | null;
}

/**
 * Whether the shop takes orders at `now`. The opening time is included, the closing time is not; a close at or before its open is on the
 * next day; all in the store's time zone. Instants in the result are ISO 8601 in UTC.
 */
export function openStateAt(store: OpeningStore, now: Date): OpenState {
  if (!store.is_accepting_orders) return shut('not_accepting', null, null);
  const at = now.getTime();
  const resumesAt = pauseEnd(store, at);
  const session = sessionAtOrAfter(store, at);
  if (session && session.from <= at && resumesAt === at) {
    return { is_open: true, reason: null, closes_at: isoOrNull(session.to), opens_at: null, detail: null };
  }
  const next = resumesAt === at ? session : sessionAtOrAfter(store, resumesAt);
  const opensAt = next && Math.max(next.from, resumesAt);
  const closure = closureOn(store, dayOf(wallTimeAt(store.timezone, at)));
  if (closure) return shut('closure', opensAt, closure.reason);
  if (!session || session.from > at) return shut('closed', opensAt, null);
  return shut('paused', opensAt, pauseReason(store));
}

/**
 * The sessions that touch [from, to), whole, in order: without closures, and with overlapping and touching entries merged.
 * `closes_at` is null for a session that goes on for more than eight days after `to`.
 */
export function sessionsBetween(store: Hours, from: Date, to: Date): { opens_at: string; closes_at: string | null }[] {
  const found = [];
  for (const session of sessionsFrom(store, from.getTime(), to.getTime() - from.getTime() + 8 * DAY)) {
    if (session.from >= to.getTime()) break;
    found.push({ opens_at: iso(session.from), closes_at: isoOrNull(session.to) });
  }
  return found;
}

/** The trading day (YYYY-MM-DD) of an instant: it starts at the store's `day_starts_at`, not at midnight. */
export function tradingDayOf(store: TradingStore, instant: Date): string {
  const at = instant.getTime();
  const day = dayOf(wallTimeAt(store.timezone, at) - timeOfDay(store.day_starts_at));
  // In the hour that a clock change repeats, the day begins at the first occurrence of the time.
  return dateOf(at >= startOfTradingDay(store, day + 1) ? day + 1 : day);
}

/** Milliseconds of a break that is short, also over the start of a trading day. */
const shortBreak = 2 * 3_600_000;

/** Whether a pause until `opensAt` is one for the rest of the trading day, and no short break. */
export function isPausedForToday(store: TradingStore, now: Date, opensAt: Date): boolean {
  if (opensAt.getTime() - now.getTime() <= shortBreak) return false;
  return tradingDayOf(store, now) !== tradingDayOf(store, opensAt);
}

/** The instants of a trading day: `from` belongs to it, `to` is the start of the next. */
export function tradingDayBounds(store: TradingStore, day: string): { from: string; to: string } {
  const index = dayOfDate(day);
  return { from: iso(startOfTradingDay(store, index)), to: iso(startOfTradingDay(store, index + 1)) };
}

/** When the trading day of an instant ends (ISO 8601): until then "for today" lasts. */
export function tradingDayEnd(store: TradingStore, instant: Date): string {
  return tradingDayBounds(store, tradingDayOf(store, instant)).to;
}

/** The end of a pause that is on at `instant` (epoch milliseconds); otherwise `instant` itself. */
export function pauseEnd(store: Pick<Store, 'paused_until'>, instant: number): number {
  return store.paused_until === null ? instant : Math.max(instant, Date.parse(store.paused_until));
}

function startOfTradingDay(store: TradingStore, day: number): number {
  return instantAt(store.timezone, day * DAY + timeOfDay(store.day_starts_at));
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

export type Hours = Pick<Store, 'timezone' | 'operational_hours' | 'closures'>;

/** Epoch milliseconds. `from` belongs to it, `to` does not; Infinity when no end is near. */
export interface Session {
  from: number;
  to: number;
}

/**
 * The shop's opening sessions in order, from the first that ends after `instant`, endlessly: the caller stops reading.
 * Entries that overlap or touch make one session. A closed date has no sessions of its own, nor their part after midnight,
 * and cuts off the part of the night before. A session that lasts `longest` after `instant` counts as endless.
 */
export function* sessionsFrom(store: Hours, instant: number, longest = 8 * DAY): Generator<Session, void> {
  if (store.operational_hours.length === 0) return;
  let current: Session | null = null;
  const firstDay = dayOf(wallTimeAt(store.timezone, instant)) - 2;
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
}

/** The session at `instant`, or else the next one; null for a shop without any. */
export function sessionAtOrAfter(store: Hours, instant: number): Session | null {
  for (const session of sessionsFrom(store, instant)) return session;
  return null;
}

/** The closure that contains a local date. */
export function closureOn(store: Hours, day: number): Closure | null {
  if (store.closures.length === 0) return null;
  const date = dateOf(day);
  return store.closures.find((closure) => closure.from <= date && date <= closure.to) ?? null;
}

/**
 * When an entry begins and ends, in milliseconds after the midnight that its day begins with. An end at or before the beginning is
 * on the next day. People who mean midnight also write 23:59.
 */
export function spanOf({ open, close }: Pick<OpeningEntry, 'open' | 'close'>): Session {
  const from = timeOfDay(open);
  if (close === '23:59' && open !== close) return { from, to: DAY };
  const to = timeOfDay(close);
  return { from, to: to > from ? to : to + DAY };
}

/** Whether an entry is open for all 24 hours. */
export function isAllDay(entry: Pick<OpeningEntry, 'open' | 'close'>): boolean {
  const { from, to } = spanOf(entry);
  return to - from === DAY;
}

/** Enough for a shop that is closed for some years, and a limit for one that never opens. */
const searchedDays = 2000;

function sessionsOf(store: Hours, day: number): Session[] {
  const weekday = weekdays[weekdayOf(day)];
  const sessions: Session[] = [];
  for (const entry of store.operational_hours) {
    if (entry.day !== weekday) continue;
    const { from, to } = spanOf(entry);
    sessions.push({ from: instantAt(store.timezone, day * DAY + from), to: instantAt(store.timezone, day * DAY + to) });
  }
  if (sessions.length === 0 || closureOn(store, day)) return [];
  if (closureOn(store, day + 1)) {
    const midnight = instantAt(store.timezone, (day + 1) * DAY);
    for (const session of sessions) session.to = Math.min(session.to, midnight);
  }
  return sessions.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
}

/** Why a shop is paused, in the reader's language: the text of people, or else the cause of its own pause. */
export function pauseReason({ pause_reason, pause_cause }: Pick<Store, 'pause_reason' | 'pause_cause'>): string | null {
  return pause_reason || (pause_cause && m.store_pause_no_board());
}

/** The end of a pause: `until` as given, or so many minutes from now; null if neither is in the future. */
export function pauseUntil(
  pause: { minutes?: number | undefined; until?: string | undefined },
  now: Date,
): Date | null {
  if (pause.until !== undefined) {
    const until = new Date(pause.until);
    return until > now ? until : null;
  }
  return pause.minutes === undefined ? null : new Date(now.getTime() + pause.minutes * 60_000);
}

/** A longer break is a closure, which customers see in advance. */
export const maxPauseDays = 14;

export function isTooLong(until: Date, now: Date): boolean {
  return until.getTime() - now.getTime() > maxPauseDays * 24 * 3_600_000;
}
