import { localDate } from '#platform/date-words.ts';
import { DAY, dateOf, dayOfDate, instantAt } from '#platform/zone-clock.ts';
import type { Earliest } from '#store/earliest-ready.ts';
import { sessionsBetween, tradingDayBounds, tradingDayOf } from '#store/opening-hours.ts';
import { preorderEnd, type SlotStore } from '#store/slot-rules.ts';

/**
 * The days (YYYY-MM-DD) on which an order can be wanted, from the day of the earliest one. They are days of the calendar, as in every
 * other sentence about an order's time: 00:15 tonight is tomorrow's, though the shop counts it to this evening.
 */
export function slotDays(store: SlotStore, now: Date, earliest: Earliest | null): string[] {
  const end = preorderEnd(store, now);
  const first = dayOfDate(localDate(earliest?.at ?? now, store.timezone));
  const last = dayOfDate(localDate(new Date(end - 1), store.timezone));
  const days = Array.from({ length: last - first + 1 }, (_, ahead) => dateOf(first + ahead));
  // The last trading day ends in the morning after; that is a day only if the shop is open until after midnight.
  return days.filter((day) => tradingDaysIn(store, day, now).length > 0);
}

/** The trading days that reach into a day of the calendar: with its own, the one before if its opening goes on after midnight. */
export function tradingDaysIn(store: SlotStore, day: string, now: Date): string[] {
  const start = startOfDay(store, day);
  const end = startOfDay(store, dateOf(dayOfDate(day) + 1));
  const own = tradingDayOf(store, new Date(end - 1));
  const before = tradingDayOf(store, new Date(start));
  const today = tradingDayOf(store, now);
  const latest = tradingDayOf(store, new Date(preorderEnd(store, now) - 1));
  const morning = Date.parse(tradingDayBounds(store, before).to);
  const isOpenAfterMidnight = sessionsBetween(store, new Date(start), new Date(morning)).length > 0;
  const days = before === own ? [own] : isOpenAfterMidnight ? [before, own] : [own];
  return days.filter((each) => each >= today && each <= latest);
}

function startOfDay({ timezone }: SlotStore, day: string): number {
  return instantAt(timezone, dayOfDate(day) * DAY);
}
