import { m } from '#messages';
import type { SpecialDay } from '#store/hours-shapes.ts';
import { type HoursOfDate, type DayEntry, isAllDay } from '#store/opening-hours.ts';
import { calendarDayWords } from '#platform/date-words.ts';

/** The openings of a day in words: `12:00–16:00, 18:00–02:00`, or that the shop is closed. */
export function dayEntriesWords(entries: readonly DayEntry[]): string {
  if (entries.length === 0) return m.store_sign_closed();
  return entries
    .map((entry) => (isAllDay(entry) ? m.store_hours_all_day() : `${entry.open}–${entry.close}`))
    .join(', ');
}

/** Returns the hours of a date in words, or that the shop is closed, with the reason. */
export function dateHoursWords({ entries, closure, special }: HoursOfDate): string {
  const words = dayEntriesWords(entries);
  const reason = (closure ?? special)?.reason;
  if (!reason) return words;
  return entries.length === 0 ? m.store_hours_closed_for({ reason }) : `${reason}: ${words}`;
}

/**
 * A special day's hours in words: `Christmas Day: 12:00–16:00`. Without a reason, the text names the day by its date.
 * `date` is YYYY-MM-DD.
 */
export function specialDayWords({ hours, reason }: Pick<SpecialDay, 'hours' | 'reason'>, date: string): string {
  return `${reason || calendarDayWords(date)}: ${dayEntriesWords(hours)}`;
}
