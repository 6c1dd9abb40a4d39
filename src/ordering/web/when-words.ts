import { dayWords, localDate, timeWords } from '#platform/date-words.ts';

/** `18:30`, with its day if that is not today: an order may be for another day. */
export function whenWords(at: Date | string, now: Date, timeZone: string): string {
  const time = timeWords(at, timeZone);
  return localDate(at, timeZone) === localDate(now, timeZone) ? time : `${dayWords(at, now, timeZone)}, ${time}`;
}
