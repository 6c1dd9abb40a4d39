import { randomUUIDv7 } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as markedPrints from '#database/migrations/049-marked-prints.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await sql`alter table prints drop column is_marked`.execute(app.database.db);
});
afterAll(() => app.close());

test('of earlier prints the ledger tells which papers were marked', async () => {
  const { db } = app.database;
  const rows = [
    ['printed at once', 'receipt', 'printed', 0, false],
    ['printed once, without a word', 'receipt', 'unknown', 1, false],
    ['printed at the second attempt', 'receipt', 'printed', 1, true],
    ['twice without a word', 'draft', 'unknown', 2, true],
    ['a test without a word', 'test', 'unknown', 1, false],
    ['never drawn', 'receipt', 'queued', 1, false],
  ] as const;
  for (const [trigger, purpose, status, unsure] of rows) {
    await sql`insert into prints (id, store_id, copy, trigger, purpose, status, unsure, drawn_at, due_at, created_at)
      values (${randomUUIDv7()}, ${app.shop.storeId}, 'kitchen', ${trigger}, ${purpose}, ${status}, ${unsure},
        ${status === 'queued' ? null : '2026-11-21T18:00Z'}, '2026-11-21T18:00Z', '2026-11-21T18:00Z')`.execute(db);
  }
  // A migration does not use today's column types.
  await markedPrints.up(db as unknown as Kysely<unknown>);
  const found = await db.selectFrom('prints').select(['trigger', 'is_marked']).execute();
  expect(Object.fromEntries(found.map(({ trigger, is_marked: isMarked }) => [trigger, isMarked]))).toEqual(
    Object.fromEntries(rows.map(([trigger, , , , isMarked]) => [trigger, isMarked])),
  );
});
