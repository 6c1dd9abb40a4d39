import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { knownMigrations } from '#database/data-version.ts';
import { migrate } from '#database/migrate.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase } from '#testing/test-database.ts';

test('every file of the folder is a migration with a number of its own, and each has run on a new database', async () => {
  const names = [...knownMigrations()];
  const files = readdirSync(join(import.meta.dirname, 'migrations')).filter((file) => !file.endsWith('.test.ts'));
  expect(names.map((name) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
  const numbers = names.map((name) => name.slice(0, 3));
  // Three numbers were used twice at one time; data folders have run both of each pair by these names.
  expect(numbers.filter((number, at) => numbers.indexOf(number) < at)).toEqual(['106', '109', '112']);
  for (const name of names) expect(await import(`./migrations/${name}.ts`)).toHaveProperty('up', expect.any(Function));
  const { db, drop } = await createTestDatabase();
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(names.toSorted());
  } finally {
    await drop();
  }
});

test('a migration that was added below newer ones, which ran already, is run', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    await sql`alter table orders drop column followed_up`.execute(db);
    await sql`delete from kysely_migration where name = '016-follow-ups'`.execute(db);
    await migrate(db);
    expect(await db.selectFrom('orders').select('followed_up').execute()).toEqual([]);
    const { rows } = await sql`select name from kysely_migration where name = '016-follow-ups'`.execute(db);
    expect(rows).toHaveLength(1);
  } finally {
    await drop();
  }
});

test('of shops from before, one that moved its pin has confirmed it, and one with the default has not', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    await seedSmallShop(db);
    const moved = await seedSmallShop(db);
    await sql`update stores set latitude = 51.5, longitude = -0.12 where id = ${moved.storeId}`.execute(db);
    await sql`alter table stores drop column location_confirmed`.execute(db);
    await sql`delete from kysely_migration where name = '077-confirmed-locations'`.execute(db);
    await migrate(db);
    const stores = await db.selectFrom('stores').select(['id', 'location_confirmed']).execute();
    expect(stores.filter((store) => store.location_confirmed).map(({ id }) => id)).toEqual([moved.storeId]);
    expect(stores).toHaveLength(2);
  } finally {
    await drop();
  }
});
