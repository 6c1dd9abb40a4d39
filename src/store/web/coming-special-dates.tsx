import type { Store } from '#store/contract.ts';
import type { Closure } from '#store/hours-shapes.ts';
import { dateHoursWords } from '#store/hours-words.ts';
import { hoursOfDay, type OpeningHours } from '#store/opening-hours.ts';
import { calendarDayWords } from '#platform/date-words.ts';
import { dateOfDayNumber, dayNumberOfWallTime, wallTimeAt } from '#platform/zone-clock.ts';

export function ComingSpecialDates({ store, now }: { store: Store; now: Date }) {
  return (
    <dl className="num text-[0.9375rem] lg:text-base">
      {specialDatesAfterWeek(store, now).map(({ date, days, words }) => (
        <div key={date} className="flex flex-wrap justify-between gap-x-4 py-1">
          <dt>{days}</dt>
          <dd className="ml-auto text-right">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A date with hours that differ from the week's hours, or all dates of a closure. */
export interface SpecialDate {
  date: string;
  days: string;
  words: string;
}

/** The number of days ahead for which customers see special days and closures. */
const daysAhead = 60;

/** Returns the special days and closures after the coming week, in order. A closure of several days is one entry. */
export function specialDatesAfterWeek(store: OpeningHours, now: Date): SpecialDate[] {
  const today = dayNumberOfWallTime(wallTimeAt(store.timezone, now.getTime()));
  const found: SpecialDate[] = [];
  let last: Closure | null = null;
  for (let day = today + 7; day < today + daysAhead; day++) {
    const hours = hoursOfDay(store, day);
    const { closure, special } = hours;
    const date = dateOfDayNumber(day);
    if (special || (closure && closure !== last))
      found.push({ date, days: datesWords(closure ?? { from: date, to: date }), words: dateHoursWords(hours) });
    last = closure;
  }
  return found;
}

function datesWords({ from, to }: Pick<Closure, 'from' | 'to'>): string {
  const first = calendarDayWords(from);
  return from === to ? first : `${first} – ${calendarDayWords(to)}`;
}
