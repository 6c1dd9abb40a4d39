import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a test fails if a transaction asks for a second connection', async () => {
  const { db, pool } = database;
  const read = () => db.selectFrom('stores').select('id').execute();
  await expect(inTransaction(db, read)).rejects.toThrow('A second connection');
  await expect(inTransaction(db, async () => void (await pool.query('select 1')))).rejects.toThrow('second connection');
  expect(await inTransaction(db, (tx) => tx.selectFrom('stores').select('id').execute())).toEqual([]);
  expect(await read()).toEqual([]);
});
