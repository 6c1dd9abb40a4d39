import type { Availability } from '#menu/menu-shapes.ts';
import { dayName } from '#store/weekday-words.ts';
import { weekdays } from '#store/weekdays.ts';

/** The days on which a menu is served, from Monday on; null where that is every day. */
export function servedDays({ days }: NonNullable<Availability>): string | null {
  if (weekdays.every((day) => days.includes(day))) return null;
  return weekdays
    .filter((day) => days.includes(day))
    .map(dayName)
    .join(', ');
}
