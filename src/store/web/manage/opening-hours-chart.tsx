import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import type { OpeningEntry } from '#store/hours-shapes.ts';
import { hoursOfComingWeek } from '#store/web/hours-table.tsx';
import { dayEntriesWords } from '#store/hours-words.ts';
import { type DayEntry, entrySpan, isAllDay, mergedEntries } from '#store/opening-hours.ts';
import { withoutIncompleteHours } from '#store/store-changes.ts';
import { weekdayName } from '#store/weekday-words.ts';
import classes from '#store/web/manage/opening-hours-chart.module.css';
import { clockTextOf, DAY, dayNumberOfWallTime, MINUTE, parseClockTime, wallTimeAt } from '#platform/zone-clock.ts';
import { type Weekday, weekdays } from '#database/page-values.ts';

const marks = ['00', '06', '12', '18', '24'];

/** A chart of the week's openings by the shop's clock, with a table for screen readers. */
export function OpeningHoursChart({ store }: { store: Store }) {
  const now = useNow();
  const typed = withoutIncompleteHours(store);
  const entries = typed.operational_hours;
  const week = hoursOfComingWeek(typed, now);
  const bars = weekBars(entries);
  const wall = wallTimeAt(store.timezone, now.getTime());
  const minute = (wall - dayNumberOfWallTime(wall) * DAY) / MINUTE;
  const dayStart = store.day_starts_at === '' ? 0 : parseClockTime(store.day_starts_at) / MINUTE;

  return (
    <figure className={classes.figure}>
      <div aria-hidden="true" className={classes.picture}>
        {week.map(({ day, isToday, closure }) => (
          <div key={day} className={classes.day} data-today={isToday || undefined}>
            <span>{weekdayName(day).slice(0, 3)}</span>
            <div className={classes.track} data-closed={closure !== null || undefined}>
              {bars
                .filter((bar) => bar.day === day)
                .map((bar) => (
                  <i
                    key={`${bar.entry} ${bar.from}`}
                    data-night={bar.isAfterMidnight || undefined}
                    style={{ left: share(bar.from), width: share(bar.to - bar.from) }}
                  />
                ))}
              <b style={{ left: share(dayStart) }} />
              {isToday && <u style={{ left: share(minute) }} />}
            </div>
          </div>
        ))}
        <div className={classes.scale}>
          {marks.map((mark) => (
            <span key={mark}>{mark}</span>
          ))}
        </div>
      </div>
      <figcaption className={classes.legend}>
        <span data-mark="open">{m.store_manage_week_open()}</span>
        <span data-mark="night">{m.store_manage_week_night()}</span>
        <span data-mark="day">{m.store_manage_week_day({ time: store.day_starts_at })}</span>
        <span data-mark="now">{m.store_manage_week_now({ time: clockTextOf(wall) })}</span>
        {week.some(({ closure }) => closure) && <span data-mark="closed">{m.store_manage_week_closed()}</span>}
      </figcaption>
      <details className={classes.details}>
        <summary>{m.store_manage_week_table()}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{m.store_manage_week_weekday()}</th>
              <th scope="col">{m.store_manage_week_open()}</th>
            </tr>
          </thead>
          <tbody>
            {week.map(({ day, closure, special }) => (
              <tr key={day}>
                <th scope="row">{weekdayName(day)}</th>
                <td>
                  {weekEntriesWords(entries, day)}
                  {special && ` · ${m.store_manage_week_special({ hours: dayEntriesWords(special.hours) })}`}
                  {closure && ` · ${m.store_manage_week_closure({ reason: closure.reason || m.store_sign_closed() })}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function weekEntriesWords(entries: readonly OpeningEntry[], day: Weekday): string {
  const own = mergedEntries(entries.filter((entry) => entry.day === day));
  return own.length === 0 ? m.store_sign_closed() : own.map(sessionWords).join(', ');
}

function sessionWords(entry: DayEntry): string {
  const { open, close } = entry;
  if (isAllDay(entry)) return m.store_hours_all_day();
  return close < open ? m.store_manage_week_overnight({ open, close }) : `${open}–${close}`;
}

function share(minutes: number): string {
  return `${(minutes / 1440) * 100}%`;
}

const minutesADay = DAY / MINUTE;
const minutesAWeek = 7 * minutesADay;

/** The part of an opening session on one day of the week, in minutes after midnight. */
export interface WeekBar {
  day: Weekday;
  from: number;
  to: number;
  entry: number;
  /** Whether this bar is the part after midnight of the previous day's session. */
  isAfterMidnight: boolean;
}

/** Converts entries to bars of an ordinary week. A session over midnight has two bars. */
export function weekBars(entries: readonly OpeningEntry[]): WeekBar[] {
  return entries.flatMap(({ day, ...times }, entry): WeekBar[] => {
    const from = entrySpan(times).from / MINUTE;
    const to = entrySpan(times).to / MINUTE;
    if (to <= minutesADay) return [{ day, from, to, entry, isAfterMidnight: false }];
    const evening: WeekBar = { day, from, to: minutesADay, entry, isAfterMidnight: false };
    return [evening, { day: dayAfter(day), from: 0, to: to - minutesADay, entry, isAfterMidnight: true }];
  });
}

/**
 * Returns the entries that overlap an earlier entry. `entry` is the later entry's index, and `with` the earlier one's.
 * Overlapping entries are valid and count as one session.
 */
export function overlappingEntries(entries: readonly OpeningEntry[]): { entry: number; with: number }[] {
  const spans = entries.map(spanOfWeek);
  return spans.flatMap((span, entry) => {
    const other = spans.slice(0, entry).findIndex((earlier) => doOverlap(span, earlier));
    return other < 0 ? [] : [{ entry, with: other }];
  });
}

/** Copies the entries of `from` to each day of `to`, and drops the entries that these days had before. */
export function copyDay(entries: readonly OpeningEntry[], from: Weekday, to: readonly Weekday[]): OpeningEntry[] {
  const copied = entries.filter(({ day }) => day === from);
  const targets = to.filter((day) => day !== from);
  return [
    ...entries.filter(({ day }) => !targets.includes(day)),
    ...targets.flatMap((day) => copied.map((entry) => ({ ...entry, day }))),
  ].sort((a, b) => weekdays.indexOf(a.day) - weekdays.indexOf(b.day) || a.open.localeCompare(b.open));
}

function spanOfWeek(entry: OpeningEntry): { from: number; to: number } {
  const { from, to } = entrySpan(entry);
  const start = weekdays.indexOf(entry.day) * DAY;
  return { from: (start + from) / MINUTE, to: (start + to) / MINUTE };
}

/** Whether two spans of a week overlap. Sunday's night continues on Monday. */
function doOverlap(a: { from: number; to: number }, b: { from: number; to: number }): boolean {
  return [-minutesAWeek, 0, minutesAWeek].some((shift) => a.from + shift < b.to && b.from < a.to + shift);
}

function dayAfter(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + 1) % 7] ?? day;
}
