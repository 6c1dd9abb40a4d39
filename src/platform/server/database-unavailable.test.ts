import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { connect, type Connection } from '#database/connect.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { inTransaction, withStatementTimeout } from '#database/transaction.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let one: Connection;
const errors: Error[] = [];
beforeAll(async () => {
  database = await createTestDatabase('template1');
  one = connect(database.config, (error) => errors.push(error), { max: 1 });
});
afterAll(async () => {
  await one.close();
  await database.drop();
});

const backend = async () =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one.db)).rows[0]?.pid ?? 0;
const sleeping = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(one.db);

describe('a statement without an answer', () => {
  test('is given up after its timeout, with its connection, and the next one has another', async () => {
    const before = await backend();
    await expect(withStatementTimeout(200, () => sleeping(5))).rejects.toThrow(DatabaseUnavailable);
    expect(await backend()).not.toBe(before);
  });

  test('ends its transaction, and what follows in it is refused at once', async () => {
    const work = inTransaction(one.db, async (tx) => {
      await withStatementTimeout(200, () => sql`select pg_sleep(5)`.execute(tx)).catch(() => {});
      await sql`select 1`.execute(tx);
    });
    // Neither the next statement nor the rollback waited for the one that still runs.
    await expect(work).rejects.toThrow('Query read timeout');
    expect(await backend()).toBeGreaterThan(0);
  });

  test('may take as long as whoever asks can wait', async () => {
    await expect(withStatementTimeout(5_000, () => sleeping(0.3))).resolves.toBeDefined();
  });
});

test('a connection that is ended while it is in use breaks what uses it, and nothing else', async () => {
  const client = new pg.Client(database.config);
  await client.connect();
  const work = inTransaction(one.db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await client.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // Idle, but in use: the connection ends between two statements.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sql`select 1`.execute(tx);
  });
  await expect(work).rejects.toThrow(DatabaseUnavailable);
  await client.end();
  expect(await backend()).toBeGreaterThan(0);
});

test('who waits in vain for a connection is told so', async () => {
  const holding = inTransaction(one.db, () => new Promise((resolve) => setTimeout(resolve, 2_600)));
  await expect(sql`select 1`.execute(one.db)).rejects.toThrow(DatabaseUnavailable);
  await holding;
  expect(await backend()).toBeGreaterThan(0);
});

test('what PostgreSQL refuses for its own reasons stays what it is', async () => {
  const failure = await sql`select 1 / 0`.execute(one.db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(pg.DatabaseError);
  const before = await backend();
  expect(await backend()).toBe(before);
});
