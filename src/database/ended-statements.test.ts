import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#database/connect.ts';
import { withCallerSignal, inSnapshot, withStatementTimeout } from '#database/transaction.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const sleeping = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()`.execute(
    database.db,
  );
  return rows[0]?.count;
};

test('a read ends in the database when its caller has gone, and others go on', async () => {
  const gone = new AbortController();
  const theirs = withCallerSignal(gone.signal, () =>
    withStatementTimeout(60_000, () => sql`select pg_sleep(60)`.execute(database.db).catch((error: unknown) => error)),
  );
  const other = withStatementTimeout(60_000, () => sql`select pg_sleep(2), 7 as seven`.execute(database.db));
  await expect.poll(sleeping).toBe(2);
  gone.abort();
  expect(await theirs).toBeInstanceOf(DatabaseUnavailable);
  await expect.poll(sleeping).toBeLessThan(2);
  expect((await other).rows).toMatchObject([{ seven: 7 }]);
});

test('a statement that takes too long ends in the database as well', async () => {
  const late = withStatementTimeout(100, () => sql`select pg_sleep(60)`.execute(database.db));
  await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect.poll(sleeping).toBe(0);
});

test('a transaction whose caller goes between two statements is ended, and its connection used again', async () => {
  const gone = new AbortController();
  const theirs = withCallerSignal(gone.signal, () =>
    inSnapshot(database.db, async (tx) => {
      await sql`select 1`.execute(tx);
      gone.abort();
      await sql`select 2`.execute(tx);
    }),
  );
  await expect(theirs).rejects.toBeInstanceOf(DatabaseUnavailable);
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`.execute(
    database.db,
  );
  expect(rows).toEqual([]);
});

test('nothing is asked for a caller who has gone before', async () => {
  const asked = withCallerSignal(AbortSignal.abort(), () => sql`select 1`.execute(database.db));
  await expect(asked).rejects.toBeInstanceOf(DatabaseUnavailable);
});

test('the end of a read never reaches the next statement of its connection', async () => {
  const { db, close } = connect(database.config, () => {}, { max: 1 });
  try {
    for (let round = 0; round < 30; round += 1) {
      const gone = new AbortController();
      const theirs = withCallerSignal(gone.signal, () => sql`select pg_sleep(0.002)`.execute(db).catch(() => {}));
      setTimeout(() => gone.abort(), 2);
      await theirs;
      const { rows } = await sql`select pg_sleep(0.02), 7 as seven`.execute(db);
      expect(rows).toMatchObject([{ seven: 7 }]);
    }
  } finally {
    await close();
  }
});
