import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Role } from '#platform/http/viewer.ts';
import type { Store } from '#store/contract.ts';
import type { PageShop, PublicShop } from '#shop/public-shop.ts';
import { fetchShopWithRetries } from '#shop/web/fetch-shop.ts';
import { createShopLoader } from '#shop/web/shop-loader.ts';

const words = 'Failed to fetch store after multiple attempts';
const store = { id: 'the-id', slug: 'nonnas', name: 'Nonna’s', version: 1 };
// The store's other fields are not looked at here.
const shop: PublicShop = { store: store as Store, menus: [] };

let complaints: unknown[][];
beforeEach(() => {
  vi.useFakeTimers();
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...said) => void complaints.push(said));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface World {
  held?: PageShop | null;
  storeName?: string | null;
  role?: Role;
  answer?: () => Promise<PublicShop>;
}

function open({ held = null, storeName = 'Nonna’s', role = 'guest', answer = async () => shop }: World) {
  const asked: (string | null)[] = [];
  const shopLoader = createShopLoader({ storeName }, held, 'Nonna’s', {
    fetchShop: (name, known) =>
      fetchShopWithRetries(name, known, (wanted) => {
        asked.push(wanted);
        return answer();
      }),
    role: () => role,
  });
  return { shopLoader, asked };
}

/** The attempts begin at these milliseconds. */
const failing = (failures: number, times: number[] = []) => {
  const start = Date.now();
  return async () => {
    times.push(Date.now() - start);
    if (times.length <= failures) throw new Error('no answer');
    return shop;
  };
};

test('the store is asked for by its name, and comes at the third attempt without a complaint', async () => {
  const { shopLoader, asked } = open({ answer: failing(2) });
  const loading = shopLoader.load();
  await vi.runAllTimersAsync();
  expect(await loading).toBe(shop);
  expect(asked).toEqual(['Nonna’s', 'Nonna’s', 'Nonna’s']);
  expect(complaints).toEqual([]);
});

test('after the third failure the console is told in these very words, and nobody asks again by itself', async () => {
  const { shopLoader, asked } = open({ answer: failing(99) });
  const first = shopLoader.first();
  const end = first.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await end).toEqual(new Error('no answer'));
  expect(asked).toHaveLength(3);
  expect(complaints).toEqual([[words]]);
  // A page that renders again gets the same failure, not another load.
  expect(shopLoader.first()).toBe(first);
  await vi.runAllTimersAsync();
  expect(asked).toHaveLength(3);
});

test('Retry begins again with three attempts', async () => {
  const { shopLoader, asked } = open({ answer: failing(4) });
  const failed = shopLoader.first().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await failed).toEqual(new Error('no answer'));
  shopLoader.retry();
  const again = shopLoader.first();
  await vi.runAllTimersAsync();
  expect(await again).toBe(shop);
  expect(asked).toHaveLength(5);
  expect(complaints).toHaveLength(1);
});

describe('a load that finds another in progress', () => {
  test('looks every 100 ms and takes what that one brought', async () => {
    let arrive: (shop: PublicShop) => void = () => {};
    const { shopLoader, asked } = open({ answer: () => new Promise((resolve) => (arrive = resolve)) });
    void shopLoader.load();
    const second = shopLoader.load();
    let hasSecond = false;
    void second.then(() => (hasSecond = true));
    await vi.advanceTimersByTimeAsync(250);
    arrive(shop);
    await vi.advanceTimersByTimeAsync(49);
    expect(hasSecond).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(hasSecond).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test('waits for ten seconds and no longer', async () => {
    const { shopLoader, asked } = open({ answer: () => new Promise(() => {}) });
    void shopLoader.load();
    void shopLoader.load();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(2);
  });
});

describe('a shop that is held already', () => {
  test.each<[Role, string]>([
    ['guest', 'the-id'],
    ['guest', 'Nonna’s'],
    ['customer', 'the-id'],
    ['customer', 'Nonna’s'],
    ['customer', 'nonnas'],
  ])('is not fetched again by a %s who wants %s', async (role, storeName) => {
    const { shopLoader, asked } = open({ held: shop, role, storeName });
    expect(await shopLoader.load()).toBe(shop);
    expect(asked).toEqual([]);
  });

  test.each<Role>(['store_admin', 'admin'])('is fetched again by a %s', async (role) => {
    const { shopLoader, asked } = open({ held: shop, role });
    await shopLoader.load();
    expect(asked).toHaveLength(1);
  });

  test('is fetched when it is another one than is wanted', async () => {
    const { shopLoader, asked } = open({ held: shop, storeName: 'another-shop' });
    await shopLoader.load();
    expect(asked).toEqual(['another-shop']);
  });

  test('is fetched by whoever needs its menus, where only the store came with the page', async () => {
    const { shopLoader, asked } = open({ held: { store: shop.store } });
    expect([shopLoader.readStore(), shopLoader.read(), shopLoader.needsMenus()]).toEqual([shop.store, null, false]);
    const first = shopLoader.first();
    await Promise.resolve();
    expect(shopLoader.needsMenus()).toBe(true);
    expect(await first).toBe(shop);
    expect(asked).toHaveLength(1);
    expect(shopLoader.read()).toBe(shop);
  });

  test('is replaced by a message about itself where only the store came with the page', () => {
    const { shopLoader } = open({ held: { store: shop.store } });
    shopLoader.replaceStore({ ...shop.store, name: 'Nonna’s Kitchen' });
    expect(shopLoader.readStore()?.name).toBe('Nonna’s Kitchen');
    expect(shopLoader.read()).toBeNull();
  });

  test('is replaced by a message about itself, and by no other', () => {
    const { shopLoader } = open({ held: shop });
    shopLoader.replaceStore({ ...shop.store, id: 'other', name: 'Other' });
    expect(shopLoader.read()?.store.name).toBe('Nonna’s');
    shopLoader.replaceStore({ ...shop.store, name: 'Nonna’s Kitchen' });
    expect(shopLoader.read()?.store.name).toBe('Nonna’s Kitchen');
  });
});
