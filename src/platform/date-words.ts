import { m } from '#messages';
import { intlLocale } from '#platform/language.ts';
import { clockTextOf, dateOfDayNumber, dayNumberOfWallTime, wallTimeAt } from '#platform/zone-clock.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats the time of day in `timeZone`: `18:30`. */
export function timeWords(instant: Date | string, timeZone: string): string {
  return clockTextOf(wallTimeAt(timeZone, new Date(instant).getTime()));
}

/** Formats a day as seen from `now` in `timeZone`: `today`, `tomorrow`, or `Friday 27 November`. */
export function dayWords(instant: Date | string, now: Date, timeZone: string): string {
  return (
    nearDay(instant, now, timeZone) ?? format(timeZone, { weekday: 'long', day: 'numeric', month: 'long' }, instant)
  );
}

/** Formats a day: `today`, `tomorrow`, a weekday such as `Friday` for the next six days, otherwise the date. */
export function nearDayWords(instant: Date | string, now: Date, timeZone: string): string {
  const ahead = new Date(instant).getTime() - now.getTime();
  if (ahead < 0 || ahead > 6 * 86_400_000) return dayWords(instant, now, timeZone);
  return nearDay(instant, now, timeZone) ?? format(timeZone, { weekday: 'long' }, instant);
}

export function dateWords(instant: Date | string, timeZone: string): string {
  return format(timeZone, { day: 'numeric', month: 'long', year: 'numeric' }, instant);
}

/** Formats a date with its time for a narrow row: `21 Nov 2026, 19:05`. */
export function shortInstantWords(instant: Date | string, timeZone: string): string {
  const date = format(timeZone, { day: 'numeric', month: 'short', year: 'numeric' }, instant);
  return `${date}, ${timeWords(instant, timeZone)}`;
}

/** Formats a calendar day (`2026-11-21`), which has no time zone: `Saturday 21 November`. */
export function calendarDayWords(day: string): string {
  return format('UTC', { weekday: 'long', day: 'numeric', month: 'long' }, day);
}

/** Formats the month of a calendar day (`2026-11-21`): `November 2026`. */
export function monthWords(day: string): string {
  return format('UTC', { month: 'long', year: 'numeric' }, day);
}

/** The date in `timeZone` as YYYY-MM-DD. */
export function localDateAt(instant: Date | string, timeZone: string): string {
  return dateOfDayNumber(localDay(instant, timeZone));
}

/** The number of days from 1970 to a local day, exact although a clock change makes a day of 23 or 25 hours. */
function localDay(instant: Date | string, timeZone: string): number {
  return dayNumberOfWallTime(wallTimeAt(timeZone, new Date(instant).getTime()));
}

function nearDay(instant: Date | string, now: Date, timeZone: string): string | null {
  const day = localDay(instant, timeZone);
  const today = localDay(now, timeZone);
  if (day === today) return m.platform_today();
  return day === today + 1 ? m.platform_tomorrow() : null;
}

function format(timeZone: string, options: Intl.DateTimeFormatOptions, instant: Date | string): string {
  const locale = intlLocale();
  const key = locale + timeZone + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formats.set(key, found);
  }
  return found.format(new Date(instant));
}
