import { m } from '#messages';
import { dateWords } from '#platform/date-words.ts';
import { dateOfDayNumber, DAY, dayNumberOf, weekdayOf } from '#platform/zone-clock.ts';

/** The first and the last day of a closure, as local dates (YYYY-MM-DD). */
interface Days {
  from: string;
  to: string;
}

export interface ClosureProblem {
  index: number;
  field: 'from' | 'to';
  message: string;
}

/** Finds closures that end before they begin, or that overlap an earlier closure. */
export function closureProblems(closures: readonly Days[]): ClosureProblem[] {
  return closures.flatMap((closure, index): ClosureProblem[] => {
    if (closure.to < closure.from) return [{ index, field: 'to', message: m.store_closure_backward() }];
    const other = closures.slice(0, index).find(({ from, to }) => from <= closure.to && closure.from <= to);
    if (!other) return [];
    return [{ index, field: 'from', message: m.store_closure_overlaps({ days: closureDaysWords(other) }) }];
  });
}

/**
 * Finds special days with the same date and repetition as an earlier special day in the list; returns their indices.
 */
export function specialDayProblems(
  days: readonly { date: string; repeats_yearly: boolean }[],
): { index: number; message: string }[] {
  return days.flatMap(({ date, repeats_yearly: isYearly }, index) => {
    const isTwice = days
      .slice(0, index)
      .some(
        (day) => day.repeats_yearly === isYearly && day.date.slice(isYearly ? 4 : 0) === date.slice(isYearly ? 4 : 0),
      );
    return isTwice ? [{ index, message: m.store_special_twice({ date: localDateWords(date) }) }] : [];
  });
}

/** `24 December 2026`, or `24 December 2026 to 26 December 2026`. */
export function closureDaysWords({ from, to }: Days): string {
  return from === to
    ? localDateWords(from)
    : m.store_closure_days({ from: localDateWords(from), to: localDateWords(to) });
}

/** A local date in words: `2026-12-24` becomes `24 December 2026`; an incomplete date is returned as typed. */
export function localDateWords(date: string): string {
  const at = `${date}T00:00:00Z`;
  return Number.isNaN(Date.parse(at)) ? date : dateWords(at, 'UTC');
}

export const ukNations = ['england_wales', 'scotland', 'northern_ireland'] as const;
export type UkNation = (typeof ukNations)[number];

export type HolidayName =
  | 'new_year'
  | 'second_january'
  | 'st_patrick'
  | 'good_friday'
  | 'easter_monday'
  | 'early_may'
  | 'spring'
  | 'boyne'
  | 'summer'
  | 'st_andrew'
  | 'christmas'
  | 'boxing';

export interface BankHoliday {
  /** The holiday's date, YYYY-MM-DD. */
  date: string;
  name: HolidayName;
  /** Whether this is the substitute weekday of a holiday at a weekend. The list has the holiday itself as well. */
  isSubstitute: boolean;
}

/**
 * The bank holidays in the 365 days from `from` (YYYY-MM-DD), by the Banking and Financial Dealings Act 1971 and by
 * custom. Holidays that are proclaimed for a single year are missing.
 */
export function bankHolidaysFrom(from: string, nation: UkNation): BankHoliday[] {
  const until = dateOfDayNumber(dayNumberOf(from) + 365);
  const year = Number(from.slice(0, 4));
  return [...holidaysOf(year, nation), ...holidaysOf(year + 1, nation)]
    .filter(({ date }) => date >= from && date < until)
    .sort((a, b) => a.date.localeCompare(b.date));
}

function holidaysOf(year: number, nation: UkNation): BankHoliday[] {
  const easter = easterSunday(year);
  const on = (month: number, day: number): number => Date.UTC(year, month - 1, day) / DAY;
  const firstMonday = (month: number): number => mondayFrom(on(month, 1));
  const lastMonday = (month: number): number => mondayFrom(on(month + 1, 1)) - 7;
  const isScotland = nation === 'scotland';
  const fixed: [HolidayName, number][] = [
    ['good_friday', easter - 2],
    ['early_may', firstMonday(5)],
    ['spring', lastMonday(5)],
    ['summer', isScotland ? firstMonday(8) : lastMonday(8)],
  ];
  if (!isScotland) fixed.push(['easter_monday', easter + 1]);
  const groups: [HolidayName, number][][] = [
    isScotland
      ? [
          ['new_year', on(1, 1)],
          ['second_january', on(1, 2)],
        ]
      : [['new_year', on(1, 1)]],
    [
      ['christmas', on(12, 25)],
      ['boxing', on(12, 26)],
    ],
  ];
  if (isScotland) groups.push([['st_andrew', on(11, 30)]]);
  if (nation === 'northern_ireland') groups.push([['st_patrick', on(3, 17)]], [['boyne', on(7, 12)]]);
  return [
    ...fixed.map(([name, day]) => ({ date: dateOfDayNumber(day), name, isSubstitute: false })),
    ...groups.flatMap(withSubstitutes),
  ];
}

/**
 * Lists the given consecutive holidays. For each holiday at a weekend it lists the substitute as well: the next weekday
 * that is no holiday.
 */
function withSubstitutes(days: [HolidayName, number][]): BankHoliday[] {
  const taken = new Set(days.filter(([, day]) => !isWeekend(day)).map(([, day]) => day));
  return days.flatMap(([name, day]) => {
    const holiday = { date: dateOfDayNumber(day), name, isSubstitute: false };
    if (!isWeekend(day)) return [holiday];
    let instead = day + 1;
    while (isWeekend(instead) || taken.has(instead)) instead++;
    taken.add(instead);
    return [holiday, { date: dateOfDayNumber(instead), name, isSubstitute: true }];
  });
}

function isWeekend(day: number): boolean {
  return weekdayOf(day) > 4;
}

function mondayFrom(day: number): number {
  return day + ((7 - weekdayOf(day)) % 7);
}

/**
 * The day number of Easter Sunday, by the anonymous Gregorian algorithm. The variables have the letters of Meeus,
 * Astronomical Algorithms, chapter 8.
 */
function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const days = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1) / DAY;
}
