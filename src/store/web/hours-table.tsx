import { Fragment, type ReactNode } from 'react';
import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import type { Closure, OpeningEntry, Store } from '#store/contract.ts';
import { closureOn, isAllDay } from '#store/opening-hours.ts';
import { dayName } from '#store/weekday-words.ts';
import { type Weekday, weekdays } from '#database/page-values.ts';
import { dateOfDay, dayOfWallTime, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';

export function HoursTable({ store }: { store: Store }) {
  const week = hoursByDay(store, useNow());
  return (
    <dl className="num text-[0.9375rem] lg:text-base">
      {week.map((day) => (
        <div
          key={day.day}
          className={`flex flex-wrap justify-between gap-x-4 py-1 ${day.isToday ? 'font-bold text-ink' : 'text-ink-soft'}`}
          aria-current={day.isToday ? 'date' : undefined}
        >
          <dt>
            {dayName(day.day)}
            {day.isToday && <span className="block text-sm font-normal sm:inline"> {m.platform_today()}</span>}
          </dt>
          <dd className="ml-auto text-right">{hoursWords(day)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A day's opening times; a time that does not fit moves to the next line as a whole. */
function hoursWords(day: DayHours): ReactNode {
  if (day.closure)
    return day.closure.reason ? m.store_hours_closed_for({ reason: day.closure.reason }) : m.store_sign_closed();
  if (day.entries.length === 0) return m.store_sign_closed();
  return day.entries.map((entry, place) => (
    <Fragment key={entry.open}>
      {place > 0 && ', '}
      <span className="whitespace-nowrap">
        {isAllDay(entry) ? m.store_hours_all_day() : `${entry.open}–${entry.close}`}
      </span>
    </Fragment>
  ));
}

interface DayHours {
  day: Weekday;
  /** The day's date within the coming week, YYYY-MM-DD. */
  date: string;
  isToday: boolean;
  entries: OpeningEntry[];
  closure: Closure | null;
}

/** The week from Monday: each day with its opening entries in order, and a closure on its date in the coming week. */
export function hoursByDay(store: Pick<Store, 'timezone' | 'operational_hours' | 'closures'>, now: Date): DayHours[] {
  const today = dayOfWallTime(wallTimeAt(store.timezone, now.getTime()));
  return weekdays.map((day, index) => {
    const ahead = (index - weekdayOf(today) + 7) % 7;
    const entries = store.operational_hours
      .filter((entry) => entry.day === day)
      .sort((a, b) => a.open.localeCompare(b.open));
    const closure = closureOn({ ...store, operational_hours: [] }, today + ahead);
    return { day, date: dateOfDay(today + ahead), isToday: ahead === 0, entries, closure };
  });
}
