import type { Closure, OpeningEntry, Store } from '#store/contract.ts';
import { closureOn } from '#store/opening-hours.ts';
import { type Weekday, weekdays } from '#database/page-values.ts';
import { dateOf, dayOf, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';

export interface DayHours {
  day: Weekday;
  /** YYYY-MM-DD of the day within the coming week. */
  date: string;
  isToday: boolean;
  entries: OpeningEntry[];
  closure: Closure | null;
}

/** The week from Monday, each day with its opening entries in order and its next closure. */
export function hoursByDay(store: Pick<Store, 'timezone' | 'operational_hours' | 'closures'>, now: Date): DayHours[] {
  const today = dayOf(wallTimeAt(store.timezone, now.getTime()));
  return weekdays.map((day, index) => {
    const ahead = (index - weekdayOf(today) + 7) % 7;
    const entries = store.operational_hours
      .filter((entry) => entry.day === day)
      .sort((a, b) => a.open.localeCompare(b.open));
    const closure = closureOn({ ...store, operational_hours: [] }, today + ahead);
    return { day, date: dateOf(today + ahead), isToday: ahead === 0, entries, closure };
  });
}
