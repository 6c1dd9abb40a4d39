import type { OpeningEntry } from '#store/contract.ts';
import { spanOf } from '#store/sessions.ts';
import { type Weekday, weekdays } from '#store/weekdays.ts';
import { DAY, MINUTE } from '#platform/zone-clock.ts';

const minutesADay = DAY / MINUTE;
const minutesAWeek = 7 * minutesADay;

/** A piece of an opening session on one day of the week, in minutes after midnight. */
export interface WeekBar {
  day: Weekday;
  from: number;
  to: number;
  /** Which entry it comes from. */
  entry: number;
  /** The rest of a session that began the evening before. */
  isAfterMidnight: boolean;
}

/** Opening entries as bars of an ordinary week: a session over midnight is a bar on each of its two days. */
export function weekBars(entries: readonly OpeningEntry[]): WeekBar[] {
  return entries.flatMap(({ day, ...times }, entry): WeekBar[] => {
    const from = spanOf(times).from / MINUTE;
    const to = spanOf(times).to / MINUTE;
    if (to <= minutesADay) return [{ day, from, to, entry, isAfterMidnight: false }];
    const evening: WeekBar = { day, from, to: minutesADay, entry, isAfterMidnight: false };
    return [evening, { day: dayAfter(day), from: 0, to: to - minutesADay, entry, isAfterMidnight: true }];
  });
}

/** Entries that overlap an earlier one, by index. They count as one session, so they need no correction. */
export function overlappingEntries(entries: readonly OpeningEntry[]): { entry: number; with: number }[] {
  const spans = entries.map(spanOfWeek);
  return spans.flatMap((span, entry) => {
    const other = spans.slice(0, entry).findIndex((earlier) => doOverlap(span, earlier));
    return other < 0 ? [] : [{ entry, with: other }];
  });
}

/** The other days' entries, and those of `from` for each of `to` in place of its own. */
export function copyDay(entries: readonly OpeningEntry[], from: Weekday, to: readonly Weekday[]): OpeningEntry[] {
  const copied = entries.filter(({ day }) => day === from);
  const targets = to.filter((day) => day !== from);
  return [
    ...entries.filter(({ day }) => !targets.includes(day)),
    ...targets.flatMap((day) => copied.map((entry) => ({ ...entry, day }))),
  ].sort((a, b) => weekdays.indexOf(a.day) - weekdays.indexOf(b.day) || a.open.localeCompare(b.open));
}

function spanOfWeek(entry: OpeningEntry): { from: number; to: number } {
  const { from, to } = spanOf(entry);
  const start = weekdays.indexOf(entry.day) * DAY;
  return { from: (start + from) / MINUTE, to: (start + to) / MINUTE };
}

/** Sunday's night continues on Monday, so the week is a circle. */
function doOverlap(a: { from: number; to: number }, b: { from: number; to: number }): boolean {
  return [-minutesAWeek, 0, minutesAWeek].some((shift) => a.from + shift < b.to && b.from < a.to + shift);
}

function dayAfter(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + 1) % 7] ?? day;
}
