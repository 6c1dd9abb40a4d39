import type { Availability } from '#menu/menu-shapes.ts';
import type { Store } from '#store/contract.ts';
import { DAY, dayNumberOfWallTime, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';
import { entrySpan } from '#store/opening-hours.ts';
import { weekdays } from '#database/page-values.ts';
import { weekdayName } from '#store/weekday-words.ts';

/**
 * Whether a menu is served at an instant by the shop's clock: on its days, from `from` until before `to`. As with
 * opening hours, a `to` at or before `from` is on the next day, and 23:59 is midnight. `availability` null: always.
 */
export function isWithinAvailability(
  store: Pick<Store, 'timezone'>,
  availability: Availability,
  instant: Date,
): boolean {
  if (availability === null) return true;
  const { days } = availability;
  const { from, to } = entrySpan({ open: availability.from, close: availability.to });
  const wall = wallTimeAt(store.timezone, instant.getTime());
  const day = dayNumberOfWallTime(wall);
  const time = wall - day * DAY;
  const isOn = (weekday: number) => days.some((name) => name === weekdays[weekday]);
  return (time >= from && time < to && isOn(weekdayOf(day))) || (time < to - DAY && isOn(weekdayOf(day - 1)));
}

/** The days on which a menu is served, from Monday on; null if it is served every day. */
export function servedDaysWords({ days }: NonNullable<Availability>): string | null {
  if (weekdays.every((day) => days.includes(day))) return null;
  return weekdays
    .filter((day) => days.includes(day))
    .map(weekdayName)
    .join(', ');
}
