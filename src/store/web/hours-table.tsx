import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { type DayHours, hoursByDay } from '#store/hours-by-day.ts';
import type { Weekday } from '#store/weekdays.ts';

/** The week's opening hours, today marked. */
export function HoursTable({ store }: { store: Store }) {
  const week = hoursByDay(store, useNow());
  return (
    <table className="num w-full text-[0.9375rem] lg:text-base">
      <tbody>
        {week.map((day) => (
          <tr
            key={day.day}
            className={day.isToday ? 'font-bold text-ink' : 'text-ink-soft'}
            aria-current={day.isToday ? 'date' : undefined}
          >
            <th scope="row" className="py-1 pr-4 text-left align-top font-[inherit]">
              {dayName(day.day)}
              {day.isToday && <span className="text-sm font-normal"> {m.platform_today()}</span>}
            </th>
            <td className={`py-1 text-right ${isShort(day) ? 'min-[22rem]:whitespace-nowrap' : ''}`}>
              {hoursWords(day)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Two times a day stand beside its name on most phones; a reason, or more of them, goes on below. */
function isShort({ closure, entries }: DayHours): boolean {
  return !closure && entries.length <= 2;
}

function hoursWords(day: DayHours): string {
  if (day.closure)
    return day.closure.reason ? m.store_hours_closed_for({ reason: day.closure.reason }) : m.store_sign_closed();
  if (day.entries.length === 0) return m.store_sign_closed();
  return day.entries
    .map(({ open, close }) => (open === close ? m.store_hours_all_day() : `${open}–${close}`))
    .join(', ');
}

export function dayName(day: Weekday): string {
  const names: Record<Weekday, () => string> = {
    Monday: m.platform_monday,
    Tuesday: m.platform_tuesday,
    Wednesday: m.platform_wednesday,
    Thursday: m.platform_thursday,
    Friday: m.platform_friday,
    Saturday: m.platform_saturday,
    Sunday: m.platform_sunday,
  };
  return names[day]();
}
