import { beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#accounts/contract.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { aMenu, anItem, aStore } from '#ordering/testing/samples.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});
vi.stubGlobal('location', { pathname: '/', search: '' });
vi.stubGlobal('document', { getElementById: () => null });
vi.useFakeTimers({ now: new Date('2026-11-21T19:00:00Z'), toFake: ['Date'] });
vi.resetModules();
const { quickAdd } = await import('#ordering/web/menu/quick-add.ts');
const { readBasket } = await import('#ordering/web/basket/basket-store.ts');
const { clearBasket } = await import('#ordering/web/basket/basket-edits.ts');
const { clearUser, setUser } = await import('#accounts/web/session.ts');
const { setMenuFilter } = await import('#ordering/web/menu/menu-filter.ts');

beforeEach(() => {
  clearBasket();
  clearUser();
  setMenuFilter({ allergens: [] });
  stored.delete('token');
});

const signIn = (allergies: User['allergies']) => {
  stored.set('token', 'x');
  setUser({ role: 'customer', allergies } as User);
};

/** Taps the button of a dish once; returns whether its sheet opened, and how many of it the basket has. */
function tap(dish: Partial<Item> = {}, shop = aStore()): { isOpened: boolean; count: number } {
  let isOpened = false;
  const menus = [aMenu([anItem('paneer', { allergens: { contains: ['milk'], may_contain: [] }, ...dish })])];
  quickAdd({ store: shop, menus, itemId: 'paneer', open: () => (isOpened = true) });
  return { isOpened, count: readBasket().lines.reduce((sum, { quantity }) => sum + quantity, 0) };
}

const opened = { isOpened: true, count: 0 };

test('a tap adds one piece at its price, up to the most of an order', () => {
  signIn(['nuts']);
  expect(tap({ max_per_order: 2 })).toEqual({ isOpened: false, count: 1 });
  expect(readBasket().lines).toMatchObject([{ item_id: 'paneer', quantity: 1, seen_price: 1000, options: [] }]);
  expect(tap({ max_per_order: 2 })).toEqual({ isOpened: false, count: 2 });
  expect(tap({ max_per_order: 2 })).toEqual({ isOpened: true, count: 2 });
});

test('a tap opens the sheet of a dish that is sold out by then, and of any dish of a shop that takes no orders', () => {
  expect(tap({ portions_left: 0 })).toEqual(opened);
  expect(tap({ is_available: false, unavailable_until: '2026-11-21T19:00:01Z' })).toEqual(opened);
  expect(tap({ is_available: false, unavailable_until: '2026-11-21T19:00:00Z' })).toEqual({
    isOpened: false,
    count: 1,
  });
  clearBasket();
  expect(tap({}, aStore({ is_accepting_orders: false }))).toEqual(opened);
});

test('a tap opens the sheet if the customer avoids an allergen of the dish, or is not known yet', () => {
  signIn(['milk']);
  expect(tap()).toEqual(opened);
  clearUser();
  expect(tap()).toEqual(opened);
  stored.delete('token');
  setMenuFilter({ allergens: ['milk'] });
  expect(tap()).toEqual(opened);
});
