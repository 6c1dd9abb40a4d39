import { dateOfDayNumber, DAY, dayNumberOf, weekdayOf } from '#platform/zone-clock.ts';

/** Returns the weeks of a date's month (YYYY-MM-DD), from Monday. null stands for a day of another month. */
export function weeksOfMonth(date: string): (string | null)[][] {
  const first = dayNumberOf(`${date.slice(0, 7)}-01`);
  const days = lastOfMonth(date) - first + 1;
  const before = weekdayOf(first);
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_week, week) =>
    Array.from({ length: 7 }, (_day, place) => {
      const index = week * 7 + place - before;
      return index < 0 || index >= days ? null : dateOfDayNumber(first + index);
    }),
  );
}

/** Returns the same day `by` months later. If the resulting month is too short, returns the last day of that month. */
export function addMonths(date: string, by: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const first = dateOfDayNumber(Date.UTC(year, month - 1 + by, 1) / DAY);
  return dateOfDayNumber(Math.min(dayNumberOf(first) + day - 1, lastOfMonth(first)));
}

/** Returns the date to which an arrow key, Home, End, PageUp or PageDown moves in a calendar; null for other keys. */
export function dateAfterArrowKey(date: string, key: string): string | null {
  const day = dayNumberOf(date);
  const weekday = weekdayOf(day);
  const days: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: 6 - weekday,
  };
  const by = days[key];
  if (by !== undefined) return dateOfDayNumber(day + by);
  if (key === 'PageUp') return addMonths(date, -1);
  return key === 'PageDown' ? addMonths(date, 1) : null;
}

function lastOfMonth(date: string): number {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return Date.UTC(year, month, 1) / DAY - 1;
}
