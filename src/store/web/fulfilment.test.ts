import { expect, test } from 'vitest';
import { aStore, aZone } from '#ordering/testing/samples.ts';
import {
  earliestTimeWords,
  findSoonestReadyTime,
  soonestReadyTimeWords,
  canPlaceOrder,
  orderingWaysWords,
} from '#store/web/fulfilment.ts';

const now = new Date('2026-11-18T18:00:00Z');
const open = { is_accepting_orders: true, collection_enabled: true, delivery_enabled: true };

test('a shop without delivery zones has no delivery time, and its collection time is valid', () => {
  const store = aStore({ ...open, delivery_zones: [] });
  expect(findSoonestReadyTime(store, 'delivery', '', now)).toBeNull();
  expect(Date.parse(findSoonestReadyTime(store, 'collection', '', now)?.at ?? '')).toBeGreaterThanOrEqual(
    now.getTime(),
  );
});

test.each([
  [{ collection_enabled: true, delivery_enabled: true }, ' Brought to your door, or ready when you walk in.'],
  [{ collection_enabled: true, delivery_enabled: false }, ' Ready when you walk in.'],
  [{ collection_enabled: false, delivery_enabled: true }, ' Brought to your door.'],
  [{ collection_enabled: false, delivery_enabled: false }, ''],
])('the home page promises only the ways that the shop offers: %j', (ways, words) => {
  const store = aStore({ ...ways, delivery_zones: [aZone(['CV21'])] });
  expect(orderingWaysWords(store)).toBe(`Cooked when you order it.${words}`);
});

test('before the postcode is known the nearest zone counts', () => {
  const far = aStore({ ...open, delivery_zones: [aZone(['CV22'], { extra_minutes: 30 })] });
  const both = aStore({
    ...open,
    delivery_zones: [aZone(['CV22'], { extra_minutes: 30 }), aZone(['CV21'], { extra_minutes: 0 })],
  });
  const at = (store: typeof far) => Date.parse(findSoonestReadyTime(store, 'delivery', '', now)?.at ?? '');
  expect(at(both)).toBeLessThan(at(far));
});

test("the postcode's zone and the slowest dish count, and a later start is shown as a time, not in minutes", () => {
  const store = aStore({
    ...open,
    prep_minutes: 20,
    delivery_zones: [aZone(['CV21'], { extra_minutes: 10 }), aZone(['CV23'], { extra_minutes: 25 })],
  });
  const words = (way: 'collection' | 'delivery', postcode: string, prep?: number, shop = store) =>
    soonestReadyTimeWords(shop, way, postcode, now, prep);
  expect(words('delivery', '')).toBe('about 30 min');
  expect(words('delivery', 'cv23 9aa')).toBe('about 45 min');
  expect(words('delivery', 'CV23 9AA', 40)).toBe('about 65 min');
  expect(words('collection', 'CV23 9AA', 40)).toBe('about 40 min');
  const paused = { ...store, paused_until: '2026-11-18T18:10:00Z' };
  expect(words('collection', '', 0, paused)).toMatch(/^from 18:\d\d$/);
});

test('a shop that is closed takes orders for later, a shop that has switched orders off takes none', () => {
  const night = new Date('2026-11-18T03:00:00Z');
  expect(canPlaceOrder(aStore(open), now)).toBe(true);
  expect(canPlaceOrder(aStore(open), night)).toBe(true);
  expect(canPlaceOrder(aStore({ ...open, paused_until: '2026-11-18T18:30:00Z' }), now)).toBe(true);
  expect(canPlaceOrder(aStore({ ...open, is_accepting_orders: false }), now)).toBe(false);
});

const readyNow = new Date('2026-11-21T13:00:00Z');
const zone = 'Europe/London';

test.each([
  ['2026-11-21T13:02:00Z', true, /\b5 min/],
  ['2026-11-21T13:21:00Z', true, /\b25 min/],
  ['2026-11-21T13:30:00Z', false, /^from 13:30$/],
  ['2026-11-21T17:30:00Z', false, /^from 17:30$/],
  ['2026-11-22T12:00:00Z', false, /tomorrow.*12:00/],
  ['2026-11-24T12:00:00Z', false, /Tuesday.*12:00/],
])('what is ready at %s, at once: %s, is said as %s', (at, isSoon, expected) => {
  expect(earliestTimeWords({ at, isSoon }, readyNow, zone)).toMatch(expected);
});
