import { dayWords, localDate, timeWords } from '#platform/date-words.ts';

/** `18:30`, with its day where that is not today: an order for later takes days, and times of day alone would say nothing. */
export function whenWords(at: Date | string, now: Date, timeZone: string): string {
  const time = timeWords(at, timeZone);
  return localDate(at, timeZone) === localDate(now, timeZone) ? time : `${dayWords(at, now, timeZone)}, ${time}`;
}
