import { dateOfDayNumber, dayNumberOf, weekdayOf } from '#platform/zone-clock.ts';

/** Trading days, both included, e.g. `2026-11-16` to `2026-11-22`. */
export interface DateRange {
  from: string;
  to: string;
}

export const rangePresets = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
] as const;
export type RangePreset = (typeof rangePresets)[number];

/** The maximum number of days of one report: three years, with room for leap days. */
export const maxRangeDays = 1100;

/** The number of days from `from` to `to`, both included. */
export function rangeLength(from: string, to: string): number {
  return dayNumberOf(to) - dayNumberOf(from) + 1;
}

export function datesInRange({ from, to }: DateRange): string[] {
  const first = dayNumberOf(from);
  return Array.from({ length: Math.max(0, rangeLength(from, to)) }, (_, index) => dateOfDayNumber(first + index));
}

/** The range of a preset on the trading day `today`. Weeks begin on Monday; current periods end today. */
export function presetRange(preset: RangePreset, today: string): DateRange {
  const day = dayNumberOf(today);
  const monday = day - weekdayOf(day);
  const month = monthOf(today);
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: dateOfDayNumber(day - 1), to: dateOfDayNumber(day - 1) };
    case 'this_week':
      return { from: dateOfDayNumber(monday), to: today };
    case 'last_week':
      return { from: dateOfDayNumber(monday - 7), to: dateOfDayNumber(monday - 1) };
    case 'this_month':
      return { from: month, to: today };
    case 'last_month': {
      const last = dateOfDayNumber(dayNumberOf(month) - 1);
      return { from: monthOf(last), to: last };
    }
    case 'this_quarter':
      return { from: quarterOf(today), to: today };
    case 'last_quarter': {
      const last = dateOfDayNumber(dayNumberOf(quarterOf(today)) - 1);
      return { from: quarterOf(last), to: last };
    }
  }
}

/** The preset that equals this range today; null for other ranges. */
export function presetOfRange(range: DateRange, today: string): RangePreset | null {
  return (
    rangePresets.find((preset) => {
      const { from, to } = presetRange(preset, today);
      return from === range.from && to === range.to;
    }) ?? null
  );
}

/**
 * The range to compare with. A range of up to a week is compared with the same weekdays a week earlier. A month, or its
 * first days, is compared with the same part of the previous month. Other ranges are compared with as many days just
 * before.
 */
export function previousRange({ from, to }: DateRange): DateRange {
  const [first, last] = [dayNumberOf(from), dayNumberOf(to)];
  const length = last - first + 1;
  if (length <= 7) return { from: dateOfDayNumber(first - 7), to: dateOfDayNumber(last - 7) };
  if (from === monthOf(from) && monthOf(to) === from) {
    const endOfPrevious = first - 1;
    const start = dayNumberOf(monthOf(dateOfDayNumber(endOfPrevious)));
    const isWholeMonth = monthOf(dateOfDayNumber(last + 1)) !== from;
    return {
      from: dateOfDayNumber(start),
      to: dateOfDayNumber(isWholeMonth ? endOfPrevious : Math.min(endOfPrevious, start + length - 1)),
    };
  }
  return { from: dateOfDayNumber(first - length), to: dateOfDayNumber(first - 1) };
}

/** Reads the range from the query parameters `from` and `to`, or the preset from `range`. The default is today. */
export function readRangeFromQuery(search: string, today: string): DateRange {
  const parameters = new URLSearchParams(search);
  const [from, to] = [parameters.get('from') ?? '', parameters.get('to') ?? ''];
  if (isDate(from) && isDate(to) && from <= to && rangeLength(from, to) <= maxRangeDays) return { from, to };
  const preset = rangePresets.find((name) => name === parameters.get('range'));
  return presetRange(preset ?? 'today', today);
}

/**
 * Formats a range, or the name of a preset, as a query string. A preset's dates are computed when the address is read.
 */
export function rangeToQuery(range: DateRange | RangePreset): string {
  return typeof range === 'string' ? `?range=${range}` : `?from=${range.from}&to=${range.to}`;
}

function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dateOfDayNumber(dayNumberOf(text)) === text
  );
}

/** The first day of a date's quarter. Quarters begin in January, as most VAT periods do. */
function quarterOf(date: string): string {
  const month = Number(date.slice(5, 7));
  return `${date.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
}

function monthOf(date: string): string {
  return `${date.slice(0, 8)}01`;
}
