import { m } from '#messages';
import { nearDayWords, timeWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';
import { soonestOfAll } from '#store/web/fulfilment.ts';

/** Whether customers of a paused shop can still order for later, and from when: for staff. */
export function pausedWords(store: Store, now: Date): string {
  const next = soonestOfAll(store, now)?.at;
  if (next === undefined) return m.store_paused_none();
  return m.store_paused_ahead({
    day: nearDayWords(next, now, store.timezone),
    time: timeWords(next, store.timezone),
  });
}
