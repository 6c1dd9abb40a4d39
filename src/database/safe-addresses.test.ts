import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { up } from '#database/migrations/012-safe-addresses.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let shop: SmallShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await seedSmallShop(database.db);
});
afterAll(() => database.drop());

/** The stored address of the shop's reviews, and of a dish's picture, after the migration. */
async function afterMigrating(address: string): Promise<{ review: string | null; picture: string | null }> {
  const { db } = database;
  await sql`update stores set google_review_url = ${address}, logo = ${address}, cover = ${address}`.execute(db);
  await sql`update items set image = ${address}`.execute(db);
  await sql`update categories set image = ${address}`.execute(db);
  // A migration is older than today's table types.
  await up(db as unknown as Kysely<unknown>);
  const store = await db.selectFrom('stores').selectAll().where('id', '=', shop.storeId).executeTakeFirstOrThrow();
  const item = await db.selectFrom('items').select('image').where('id', '=', shop.pizza).executeTakeFirstOrThrow();
  const category = await db.selectFrom('categories').select('image').executeTakeFirstOrThrow();
  expect([store.logo, store.cover, category.image]).toEqual(Array(3).fill(item.image));
  return { review: store.google_review_url, picture: item.image };
}

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '//evil.example/x',
])('%j, kept before addresses were checked, is gone', async (address) => {
  expect(await afterMigrating(address)).toEqual({ review: null, picture: null });
});

test.each(['https://shop.example/p.png', 'http://shop.example/p.png'])('%s stays', async (address) => {
  expect(await afterMigrating(address)).toEqual({ review: address, picture: address });
});

test('a picture of our own stays', async () => {
  expect(await afterMigrating('/v1/uploads/1.webp')).toMatchObject({ picture: '/v1/uploads/1.webp' });
});
