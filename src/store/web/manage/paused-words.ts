import { m } from '#messages';
import { nearDayWords, timeWords } from '#platform/date-words.ts';
import type { FulfilmentType, StaffStore, Store } from '#store/contract.ts';
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

/** A text for staff after `way` was paused. It says whether the other fulfilment type continues. */
export function wayPausedWords(store: StaffStore, way: FulfilmentType, now: Date): string {
  const isPaused = [
    store.paused_until,
    ...store.pauses.filter((pause) => pause.fulfilment_type !== way).map(({ until }) => until),
  ].some((until) => until !== null && Date.parse(until) > now.getTime());
  return isPaused ? m.office_ways_paused() : m.office_way_paused({ way });
}
