import { type ComponentType, Fragment, type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { dateHoursWords } from '#store/hours-words.ts';
import { type HoursOfDate, hoursOfDay, type OpeningHours } from '#store/opening-hours.ts';
import { weekdayName } from '#store/weekday-words.ts';
import { type Weekday, weekdays } from '#database/page-values.ts';
import { dateOfDayNumber, dayNumberOfWallTime, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';

/** The week's hours. Below them are later dates with other hours, up to two months ahead. */
export function HoursTable({ store }: { store: Store }) {
  const now = useNow();
  const [Dates, setDates] = useState<ComponentType<{ store: Store; now: Date }> | null>(null);
  const hasDates = store.closures.length > 0 || !!store.special_hours?.length;
  // The list of dates is far down the page, so its code is loaded later. Without a connection the page omits the list.
  useEffect(() => {
    if (hasDates)
      import('#store/web/coming-special-dates.tsx').then(
        (code) => setDates(() => code.ComingSpecialDates),
        () => {},
      );
  }, [hasDates]);
  return (
    <>
      <dl className="num text-[0.9375rem] lg:text-base">
        {hoursOfComingWeek(store, now).map((day) => (
          <div
            key={day.day}
            className={`flex flex-wrap justify-between gap-x-4 py-1 ${day.isToday ? 'font-bold text-ink' : 'text-ink-soft'}`}
            aria-current={day.isToday ? 'date' : undefined}
          >
            <dt>
              {weekdayName(day.day)}
              {day.isToday && <span className="block text-sm font-normal sm:inline"> {m.platform_today()}</span>}
            </dt>
            <dd className="ml-auto text-right">{hoursWords(day)}</dd>
          </div>
        ))}
      </dl>
      {Dates && <Dates store={store} now={now} />}
    </>
  );
}

/** A day's opening times. A line breaks only between two times. */
function hoursWords(day: WeekdayHours): ReactNode {
  return dateHoursWords(day)
    .split(', ')
    .map((words, place) => (
      <Fragment key={words}>
        {place > 0 && ', '}
        <span className={day.closure || day.special ? undefined : 'whitespace-nowrap'}>{words}</span>
      </Fragment>
    ));
}

export interface WeekdayHours extends HoursOfDate {
  day: Weekday;
  /** The date, YYYY-MM-DD, that has this weekday among the next seven days, including today. */
  date: string;
  isToday: boolean;
}

/** Returns the opening hours of the next seven days, including today. The days are sorted from Monday to Sunday. */
export function hoursOfComingWeek(store: OpeningHours, now: Date): WeekdayHours[] {
  const today = todayOf(store, now);
  return weekdays.map((day, index) => {
    const ahead = (index - weekdayOf(today) + 7) % 7;
    return { day, date: dateOfDayNumber(today + ahead), isToday: ahead === 0, ...hoursOfDay(store, today + ahead) };
  });
}

function todayOf({ timezone }: OpeningHours, now: Date): number {
  return dayNumberOfWallTime(wallTimeAt(timezone, now.getTime()));
}
