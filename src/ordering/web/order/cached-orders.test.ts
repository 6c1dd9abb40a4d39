import { beforeEach, expect, test, vi } from 'vitest';
import type { GuestOrder, Order } from '#ordering/order.ts';
import { cacheOrder, readCachedOrder } from '#ordering/web/order/cached-orders.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

beforeEach(() => stored.clear());

const anOrder = (id: string, more: Partial<Order> = {}) =>
  ({
    id,
    number: '7',
    status: 'placed',
    lines: [{ name: 'Burger', note: 'No onion for Ada', allergen_conflicts: [{ code: 'nuts', kind: 'contains' }] }],
    removed: [],
    ...more,
  }) as Partial<Order> as Order;

test('an order is kept as it was last seen, without what only its customer may see', () => {
  const contact = { name: 'Ada Byron', phone: '07700 900123', email: '' };
  cacheOrder(anOrder('a', { contact, note: 'Ring Ada', allergy_note: 'nuts' }), 1000);
  cacheOrder(anOrder('a', { contact, status: 'accepted', allergies: ['nuts'] }), 2000);
  expect(readCachedOrder('a')).toMatchObject({ at: 2000, order: { number: '7', status: 'accepted' } });
  expect([...stored.values()].join()).not.toMatch(/Ada|nuts/);
});

test('ten are kept, the ones seen last, and what is broken is none', () => {
  for (let each = 0; each < 12; each += 1) cacheOrder(anOrder(String(each)) as GuestOrder, each);
  expect(readCachedOrder('1')).toBeNull();
  expect(readCachedOrder('2')).not.toBeNull();
  stored.set('seen_orders', 'no json');
  expect(readCachedOrder('2')).toBeNull();
});
