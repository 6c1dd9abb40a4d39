import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as pauseCause from '#database/migrations/042-pause-cause.ts';
import { pauseReasonWords } from '#store/opening-hours.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const sentence = 'We cannot take orders right now.';
const until = '2026-11-21T23:00:00.000Z';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** As the last release wrote it: `watched` is the end of the shop's own pause. */
async function migrated({ reason, watched }: { reason: string | null; watched: string | null }) {
  const { db } = app.database;
  const id = app.shop.storeId;
  await sql`alter table stores drop column pause_cause`.execute(db);
  await sql`update stores set paused_until = ${until}, pause_reason = ${reason} where id = ${id}`.execute(db);
  await sql`delete from board_watches`.execute(db);
  await sql`insert into board_watches (store_id, paused_until) values (${id}, ${watched})`.execute(db);
  // A migration does not use today's column types.
  await pauseCause.up(db as unknown as Kysely<unknown>);
  const { rows } = await sql<{ pause_reason: string | null; pause_cause: 'no_board' | null }>`
    select pause_reason, pause_cause from stores where id = ${id}`.execute(db);
  const [row = { pause_reason: null, pause_cause: null }] = rows;
  return { ...row, english: pauseReasonWords(row), polish: runInLanguage('pl', () => pauseReasonWords(row)) };
}

test("the shop's own pause is a cause, read in the reader's language", async () => {
  expect(await migrated({ reason: sentence, watched: until })).toEqual({
    pause_reason: null,
    pause_cause: 'no_board',
    english: sentence,
    polish: 'W tej chwili nie możemy przyjmować zamówień.',
  });
});

test.each([
  ['a text of people', { reason: 'Oven broken', watched: until }],
  ['the same words, typed by somebody', { reason: sentence, watched: null }],
  ['a pause of people after the own one', { reason: sentence, watched: '2026-11-21T20:00:00.000Z' }],
  ['no reason', { reason: null, watched: null }],
])('%s stays as it was written', async (_, was) => {
  const { reason } = was;
  expect(await migrated(was)).toEqual({ pause_reason: reason, pause_cause: null, english: reason, polish: reason });
});

test('what an instance of the last release writes over it is shown: its staff pause the shop', async () => {
  await migrated({ reason: sentence, watched: until });
  await sql`update stores set pause_reason = 'Oven broken' where id = ${app.shop.storeId}`.execute(app.database.db);
  const { body } = await app.request('GET', `/v1/stores/${app.shop.storeId}`);
  expect(pauseReasonWords(body.data)).toBe('Oven broken');
});
