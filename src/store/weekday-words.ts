import { m } from '#messages';
import type { Weekday } from '#database/page-values.ts';

export function weekdayName(day: Weekday): string {
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
