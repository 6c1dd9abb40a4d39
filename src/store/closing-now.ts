import { type OpeningStore, openStateAt } from '#store/opening-hours.ts';
import type { Store } from '#store/contract.ts';

export type SwitchedStore = OpeningStore & Pick<Store, 'collection_enabled' | 'delivery_enabled' | 'delivery_zones'>;

/** What a change of settings ends at once for customers: all orders, or one way to get them. null: nothing. */
export function endsNow(
  before: SwitchedStore,
  after: SwitchedStore,
  now: Date,
): 'shop' | 'collection' | 'delivery' | null {
  const [old, next] = [waysAt(before, now), waysAt(after, now)];
  const ended = old.filter((way) => !next.includes(way));
  if (ended.length === 0) return null;
  return next.length === 0 ? 'shop' : (ended[0] ?? null);
}

function waysAt(store: SwitchedStore, now: Date): ('collection' | 'delivery')[] {
  // What is not filled in yet is refused by the server.
  const operational_hours = store.operational_hours.filter(({ open, close }) => open !== '' && close !== '');
  const closures = store.closures.filter(({ from, to }) => from !== '' && to !== '');
  // A short break ends by itself.
  if (!openStateAt({ ...store, operational_hours, closures, paused_until: null }, now).is_open) return [];
  const ways: ('collection' | 'delivery')[] = [];
  if (store.collection_enabled) ways.push('collection');
  if (store.delivery_enabled && store.delivery_zones.length > 0) ways.push('delivery');
  return ways;
}
