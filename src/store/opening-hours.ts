import type { Store } from '#store/contract.ts';
import { closureOn, type Hours, sessionAtOrAfter, sessionsFrom } from '#store/sessions.ts';
import { pauseReason } from '#store/pause.ts';
import { DAY, dateOf, dayOf, dayOfDate, instantAt, timeOfDay, wallTimeAt } from '#platform/zone-clock.ts';

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
