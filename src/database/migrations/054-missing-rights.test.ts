import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as missingRights from '#database/migrations/054-missing-rights.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the right that an earlier problem named is the first of its list; other problems stay', async () => {
  const { db } = app.database;
  const before = [
    ['right', { kind: 'missing_right', right: 'rak_charge_read' }],
    ['other', { kind: 'keys_refused' }],
    ['none', null],
  ] as const;
  for (const [id, problem] of before) {
    await sql`insert into payment_key_sets (id, provider, source, mode, key_hint, key_hash, problem, created_at, replaced_at)
      values (${id}, 'stripe', 'typed', 'test', '', '', ${problem === null ? null : JSON.stringify(problem)}::jsonb, now(), now())`.execute(
      db,
    );
  }
  // A migration does not use today's column types.
  await missingRights.up(db as unknown as Kysely<unknown>);
  const found = await db.selectFrom('payment_key_sets').select(['id', 'problem']).execute();
  expect(Object.fromEntries(found.map(({ id, problem }) => [id, problem]))).toEqual({
    right: { kind: 'missing_right', rights: ['rak_charge_read'] },
    other: { kind: 'keys_refused' },
    none: null,
  });
});
