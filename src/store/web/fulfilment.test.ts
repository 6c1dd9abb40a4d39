import { expect, test } from 'vitest';
import { aStore, aZone } from '#ordering/testing.ts';
import { soonestReady, takesOrders } from '#store/web/fulfilment.ts';

const now = new Date('2026-11-18T18:00:00Z');
const open = { is_accepting_orders: true, collection_enabled: true, delivery_enabled: true };

test('a shop without delivery zones names no time of delivery, and its time of collection is a time', () => {
  const store = aStore({ ...open, delivery_zones: [] });
  expect(soonestReady(store, 'delivery', '', now)).toBeNull();
  expect(Date.parse(soonestReady(store, 'collection', '', now) ?? '')).toBeGreaterThanOrEqual(now.getTime());
});

test('before the postcode is known the nearest door counts', () => {
  const far = aStore({ ...open, delivery_zones: [aZone(['CV22'], { extra_minutes: 30 })] });
  const both = aStore({
    ...open,
    delivery_zones: [aZone(['CV22'], { extra_minutes: 30 }), aZone(['CV21'], { extra_minutes: 0 })],
  });
  const at = (store: typeof far) => Date.parse(soonestReady(store, 'delivery', '', now) ?? '');
  expect(at(both)).toBeLessThan(at(far));
});

test('a shop that is closed takes orders for later, one that has switched them off takes none', () => {
  const night = new Date('2026-11-18T03:00:00Z');
  expect(takesOrders(aStore(open), now)).toBe(true);
  expect(takesOrders(aStore(open), night)).toBe(true);
  expect(takesOrders(aStore({ ...open, paused_until: '2026-11-18T18:30:00Z' }), now)).toBe(true);
  expect(takesOrders(aStore({ ...open, is_accepting_orders: false }), now)).toBe(false);
});
