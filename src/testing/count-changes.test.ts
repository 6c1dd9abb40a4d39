import { afterAll, beforeAll, expect, test } from 'vitest';
import { countChanges } from '#testing/count-changes.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let shop: SmallShop;
let changes: () => Promise<number>;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await seedSmallShop(database.db);
  changes = await countChanges(database.db, { items: 'all', options: ['name'], menus: [] });
});
afterAll(() => database.drop());

const rename = (by: Pick<TestDatabase['db'], 'updateTable'>, name: string) =>
  by.updateTable('items').set({ name }).where('id', '=', shop.chips).execute();

test('written rows count; rolled-back writes and writes of the same values do not', async () => {
  const { db } = database;
  const before = await changes();
  await rename(db, 'Fries');
  expect(await changes()).toBe(before + 1);
  const undone = db.transaction().execute(async (tx) => {
    await rename(tx, 'Wedges');
    throw new Error('rolled back');
  });
  await expect(undone).rejects.toThrow('rolled back');
  await rename(db, 'Fries');
  expect(await changes()).toBe(before + 1);
  await db.updateTable('items').set({ price: 100 }).execute();
  expect(await changes()).toBe(before + 3);
});

test('in a table with watched columns, other columns do not count', async () => {
  const { db } = database;
  const before = await changes();
  await db.updateTable('options').set({ price: 77 }).where('id', '=', shop.size.large).execute();
  await db.updateTable('menus').set({ name: 'Lunch' }).execute();
  expect(await changes()).toBe(before);
  await db.updateTable('options').set({ name: 'Huge' }).where('id', '=', shop.size.large).execute();
  expect(await changes()).toBe(before + 1);
  await db.deleteFrom('menus').execute();
  expect(await changes()).toBe(before + 2);
});
