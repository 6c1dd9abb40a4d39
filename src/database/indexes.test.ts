import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { largeIndexes, buildLargeIndexes, startBuildingLargeIndexes } from '#database/indexes.ts';
import * as withoutWaiting from '#database/migrations/047-indexes-without-waiting-rows.ts';
import { forgetRequests } from '#payment/testing/refunds.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // A migration of indexes names the table of refunds of its time.
  await forgetRequests(database.db);
});
afterAll(() => database.drop());

const wordIndexes = async () => {
  const { rows } = await sql<{ name: string; options: string[] | null }>`
    select c.relname as name, c.reloptions as options
    from pg_class c join pg_am on pg_am.oid = c.relam
    where pg_am.amname = 'gin' and c.relnamespace = 'public'::regnamespace order by c.relname`.execute(database.db);
  return rows;
};

/** Rows that wait would be read from end to end by every search. */
test('indexes of words keep no list of rows that wait, also those of an earlier release', async () => {
  const names = largeIndexes.filter(({ needsTrigrams }) => needsTrigrams).map(({ name }) => name);
  const made = await wordIndexes();
  expect(made.map(({ name }) => name)).toEqual(names.toSorted());
  for (const { options } of made) expect(options).toEqual(['fastupdate=off']);

  await sql`create index users_words on users using gin (name gin_trgm_ops)`.execute(database.db);
  await withoutWaiting.up(database.db as unknown as Kysely<unknown>);
  for (const { options } of await wordIndexes()) expect(options).toEqual(['fastupdate=off']);
  await buildLargeIndexes(database.db, console);
  expect((await wordIndexes()).map(({ name }) => name)).toEqual(names.toSorted());
});

test('a database without them yet is migrated as well, and gets them', async () => {
  await sql`drop index order_search_digits, users_folded, users_digits`.execute(database.db);
  await withoutWaiting.up(database.db as unknown as Kysely<unknown>);
  await buildLargeIndexes(database.db, console);
  expect((await wordIndexes()).map(({ options }) => options)).toEqual(Array(5).fill(['fastupdate=off']));
});

test('a stop while they wait says nothing of a missing extension', async () => {
  const other = await createTestDatabase();
  const said: unknown[] = [];
  const log = { warn: (...words: unknown[]) => said.push(words), error: (...words: unknown[]) => said.push(words) };
  try {
    await sql`drop extension pg_trgm cascade`.execute(other.db);
    const isWaiting = async () =>
      (
        await sql`
          select from pg_stat_activity
          where datname = current_database() and query like 'create extension%' and wait_event_type = 'Lock'`.execute(
          other.db,
        )
      ).rows.length > 0;
    const tx = await other.db.startTransaction().execute();
    await sql`create extension pg_trgm`.execute(tx);
    const making = startBuildingLargeIndexes(other.config, log);
    await expect.poll(isWaiting).toBe(true);
    await making.stop();
    await tx.rollback().execute();
  } finally {
    await other.drop();
  }
  expect(said).toEqual([]);
});
