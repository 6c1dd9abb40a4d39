import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { changeWithEffects } from '#database/transaction.ts';
import { openShopCache, type ShopCache } from '#shop/server/shop-cache.ts';
import { changeStore } from '#store/server/change-store.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let small: SmallShop;
let cache: ShopCache;
/** Milliseconds of the monotonic clock. */
let at: number;
beforeAll(async () => {
  database = await createTestDatabase();
  small = await seedSmallShop(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  at = 50_000;
  vi.spyOn(performance, 'now').mockImplementation(() => at);
  cache = await openCache();
});
afterEach(() => cache.stop());

const openCache = () =>
  openShopCache({
    database: database.config,
    config: { PAYMENT_SANDBOX: true },
    onError: (error) => expect.fail(String(error)),
  });
/** As another instance does it, or as this one with `menus`. */
const rename = (name: string, menus: Pick<ShopCache, 'forget'> = { forget() {} }) =>
  changeWithEffects({ db: database.db, log: { error: () => {} } }, (tx, afterCommit) =>
    changeStore(
      { menus, outbox: { add: () => Promise.resolve(), wake: () => {} } },
      { db: tx, afterCommit },
      small.storeId,
      'menu',
      () => tx.updateTable('items').set({ name }).where('id', '=', small.chips).execute(),
    ),
  );
const nameIn = (shop: Awaited<ReturnType<ShopCache['shop']>>) => shop?.index.items.get(small.chips)?.item.name;
const onPages = async () => nameIn(await cache.forPages());
const newest = async () => [nameIn(await cache.shop(small.storeId)), nameIn(await cache.find(small.storeId))];

test('a change alone is on the pages at once', async () => {
  await rename('Chips', cache);
  expect(await onPages()).toBe('Chips');
  await rename('Thin chips', cache);
  expect(await onPages()).toBe('Thin chips');
  at += 1000;
  await rename('Thick chips', cache);
  expect(await onPages()).toBe('Thick chips');
});

test('pages show a second change once the first has been there for a second; everything else has it at once', async () => {
  await onPages();
  await rename('First', cache);
  expect(await onPages()).toBe('First');
  at += 100;
  await rename('Second', cache);
  at += 899;
  expect(await onPages()).toBe('First');
  expect(await newest()).toEqual(['Second', 'Second']);
  expect(nameIn(await database.db.transaction().execute((tx) => cache.shopIn(tx, small.storeId)))).toBe('Second');
  await rename('Third', cache);
  expect(await onPages()).toBe('First');
  expect(await newest()).toEqual(['Third', 'Third']);
  at += 1;
  expect(await onPages()).toBe('Third');
});

test('a version that pages show no longer is not the current one', async () => {
  await onPages();
  await rename('First', cache);
  const first = await cache.forPages();
  if (!first) throw new Error('The shop is there.');
  expect(cache.isCurrent(first)).toBe(true);
  await rename('Second', cache);
  expect(await cache.forPages()).toBe(first);
  expect(cache.isCurrent(first)).toBe(false);
});

test('a change of another instance is heard of', async () => {
  await rename('Ours', cache);
  expect(await onPages()).toBe('Ours');
  let hears = 0;
  cache.onChange(() => (hears += 1));
  await rename('Theirs');
  await expect.poll(() => hears).toBe(1);
  expect(await onPages()).toBe('Theirs');
  expect(await newest()).toEqual(['Theirs', 'Theirs']);
});

test('callers at the same time read the shop once', async () => {
  const [one, two] = await Promise.all([cache.shop(small.storeId), cache.shop(small.storeId)]);
  expect(one).not.toBeNull();
  expect(one).toBe(two);
});
