import { m } from '#messages';
import { nearDayWords, localDate, timeWords } from '#platform/date-words.ts';
import type { Earliest } from '#store/earliest-ready.ts';

/**
 * How soon it is available: `about 25 min`, or, if it cannot be made immediately and a time must be chosen,
 * `from 17:30`, `tomorrow from 12:00`.
 */
export function readyWords({ at: ready, isSoon }: Earliest, now: Date, timeZone: string): string {
  const minutes = Math.round((Date.parse(ready) - now.getTime()) / 60_000);
  if (isSoon && minutes < 100) return m.store_ready_in({ minutes: Math.max(5, Math.ceil(minutes / 5) * 5) });
  const time = timeWords(ready, timeZone);
  if (localDate(ready, timeZone) === localDate(now, timeZone)) return m.store_ready_from({ time });
  return m.store_ready_day_from({ day: nearDayWords(ready, now, timeZone), time });
}
