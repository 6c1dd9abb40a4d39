import { Fragment, type ReactNode } from 'react';
import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { type DayHours, hoursByDay } from '#store/hours-by-day.ts';
import { isAllDay } from '#store/opening-hours.ts';
import { dayName } from '#store/weekday-words.ts';

/** The week's opening hours, with today marked. */
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

/** Times that do not fit side by side continue on the next line; no time is broken. */
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
