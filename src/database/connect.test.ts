import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedStatementHint } from '#database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a statement that says so is planned once per connection, others are not kept', async () => {
  const other = `select ${randomUUID().length} as it`;
  const kept = await database.db.connection().execute(async (db) => {
    for (const value of [1, 2, 3]) {
      const { rows } = await sql<{ sum: number }>`${preparedStatementHint} select ${value}::int + 1 as sum`.execute(db);
      expect(rows).toEqual([{ sum: value + 1 }]);
      await sql.raw(other).execute(db);
    }
    const { rows } = await sql<{ statement: string; runs: string }>`
      select statement, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(db);
    return rows;
  });
  expect(kept).toEqual([{ statement: '/* prepared */ select $1::int + 1 as sum', runs: '3' }]);
});
