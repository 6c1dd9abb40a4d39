import { m } from '#messages';
import type { FulfilmentType, Store } from '#store/contract.ts';
import { deliveryExtraMinutes } from '#store/delivery-zones.ts';
import { type EarliestSlot, findEarliestSlot } from '#store/slot-rules.ts';
import { localDateAt, nearDayWords, timeWords } from '#platform/date-words.ts';

export function offeredFulfilments(store: Store): FulfilmentType[] {
  const offered: FulfilmentType[] = [];
  if (store.delivery_enabled && store.delivery_zones.length > 0) offered.push('delivery');
  if (store.collection_enabled) offered.push('collection');
  return offered;
}

/** The home page's text for a shop without its own text. It names only the fulfilment types that the shop offers. */
export function orderingWaysWords(store: Store): string {
  const [first, second] = offeredFulfilments(store);
  return m.store_home_promise({ ways: second ? 'both' : (first ?? 'none') });
}

export function chosenFulfilment(
  store: Store,
  { fulfilment_type }: { fulfilment_type: FulfilmentType | null },
): FulfilmentType {
  const offered = offeredFulfilments(store);
  if (fulfilment_type && offered.includes(fulfilment_type)) return fulfilment_type;
  return offered[0] ?? 'collection';
}

/**
 * Returns the earliest time of an order; null if no order can be placed. Without a postcode, the zone with the fewest
 * extra minutes counts. `itemsPrepMinutes`: the slowest dish's minutes, which may exceed the shop's.
 */
export function findSoonestReadyTime(
  store: Store,
  fulfilment: FulfilmentType,
  postcode: string,
  now: Date,
  itemsPrepMinutes = 0,
): EarliestSlot | null {
  const zones = store.delivery_zones;
  if (fulfilment === 'delivery' && zones.length === 0) return null;
  return findEarliestSlot(store, fulfilment, now, {
    itemsPrepMinutes,
    zoneExtraMinutes: deliveryExtraMinutes(zones, postcode),
  });
}

export function soonestReadyTimeWords(...asked: Parameters<typeof findSoonestReadyTime>): string {
  const [store, , , now] = asked;
  const ready = findSoonestReadyTime(...asked);
  return ready ? earliestTimeWords(ready, now, store.timezone) : m.store_ready_never();
}

/** Returns null if no order can be placed. */
export function earliestOfAnyFulfilment(store: Store, now: Date): EarliestSlot | null {
  const found = offeredFulfilments(store).flatMap((type) => findSoonestReadyTime(store, type, '', now) ?? []);
  return found.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))[0] ?? null;
}

export function canPlaceOrder(store: Store, now: Date): boolean {
  return earliestOfAnyFulfilment(store, now) !== null;
}

/**
 * An earliest time in words: `about 25 min` if the kitchen can start at once, otherwise `from 17:30` or `tomorrow from
 * 12:00`.
 */
export function earliestTimeWords({ at: ready, isSoon }: EarliestSlot, now: Date, timeZone: string): string {
  const minutes = Math.round((Date.parse(ready) - now.getTime()) / 60_000);
  if (isSoon && minutes < 100) return m.store_ready_in({ minutes: Math.max(5, Math.ceil(minutes / 5) * 5) });
  const time = timeWords(ready, timeZone);
  if (localDateAt(ready, timeZone) === localDateAt(now, timeZone)) return m.store_ready_from({ time });
  return m.store_ready_day_from({ day: nearDayWords(ready, now, timeZone), time });
}
