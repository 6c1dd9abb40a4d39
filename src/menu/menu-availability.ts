import type { Availability } from '#menu/menu-shapes.ts';
import type { Store } from '#store/contract.ts';
import { DAY, dayOf, timeOfDay, wallTimeAt, weekdayOf } from '#platform/zone-clock.ts';
import { weekdays } from '#store/weekdays.ts';

/**
 * Whether a menu is served at an instant, by the shop's clock: on its days, from `from` until before `to`. As with opening
 * hours, a `to` at or before `from` is on the next day, which needs no entry. null is always.
 */
export function isServedAt(store: Pick<Store, 'timezone'>, availability: Availability, instant: Date): boolean {
  if (availability === null) return true;
  const { days } = availability;
  const from = timeOfDay(availability.from);
  const to = timeOfDay(availability.to);
  const wall = wallTimeAt(store.timezone, instant.getTime());
  const day = dayOf(wall);
  const time = wall - day * DAY;
  const isOn = (weekday: number) => days.some((name) => name === weekdays[weekday]);
  if (from < to) return time >= from && time < to && isOn(weekdayOf(day));
  return (time >= from && isOn(weekdayOf(day))) || (time < to && isOn(weekdayOf(day - 1)));
}
