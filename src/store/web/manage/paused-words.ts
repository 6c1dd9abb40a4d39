import { m } from '#messages';
import { nearDayWords, timeWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';
import { earliestOfAnyFulfilment } from '#store/web/fulfilment.ts';

/** A text for staff that says whether customers of a paused shop can order for later, and from when. */
export function pausedWords(store: Store, now: Date): string {
  const next = earliestOfAnyFulfilment(store, now)?.at;
  if (next === undefined) return m.store_paused_none();
  return m.store_paused_ahead({
    day: nearDayWords(next, now, store.timezone),
    time: timeWords(next, store.timezone),
  });
}
