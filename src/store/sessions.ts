import type { Closure, OpeningEntry, Store } from '#store/contract.ts';
import { weekdays } from '#store/weekdays.ts';
import { DAY, dateOf, dayOf, instantAt, timeOfDay, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';

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
