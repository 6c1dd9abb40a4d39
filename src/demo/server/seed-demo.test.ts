import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoShop } from '#demo/demo-shop.ts';
import { seedDemo } from '#demo/server/seed-demo.ts';
import { readShop } from '#shop/server/shop-cache.ts';
import { saturdayEvening as now } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('an empty database gets the demo shop once and completely, and other instances are notified', async () => {
  const { db } = database;
  expect(await Promise.all([seedDemo(db, now), seedDemo(db, now)])).toContain(true);
  expect(await seedDemo(db, now)).toBe(false);
  const { id } = await db.selectFrom('stores').select('id').executeTakeFirstOrThrow();
  const shop = await readShop(db, { PAYMENT_SANDBOX: true }, id);
  expect([shop?.isDemo, shop?.version]).toEqual([true, 1]);
  const categories = shop?.menus.flatMap((menu) => menu.categories);
  expect(categories?.map(({ items }) => items?.length)).toEqual(demoShop.categories.map(({ items }) => items.length));
  const owed = await db.selectFrom('outbox').select(['event', 'store_id']).execute();
  expect(owed).toEqual([{ event: 'store.updated', store_id: id }]);
});
