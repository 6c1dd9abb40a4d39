import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inTransaction, runAfterCommit } from '#database/transaction.ts';
import {
  recordIfSlowStatement,
  poolWaitFeed,
  type SlowStatement,
  slowStatementFeed,
  transactionOutcomeFeed,
  statementWithoutValues,
} from '#database/usage-metrics.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const lines: string[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, {}, (line) => lines.push(line));
});
afterAll(() => app.close());

function listenTo<T>(measure: { listen(listener: (value: T) => void): () => void }): T[] {
  const found: T[] = [];
  onTestFinished(measure.listen((value) => found.push(value)));
  return found;
}

test.each([
  ["select * from users where email = 'ada@example.com'", 'select * from users where email = ?'],
  ["select 'it''s', e'\\n' || name from items where id = $1", 'select ?, ? || name from items where id = $1'],
  ['select a1, 42, -3.5 from t2 where n > 17 -- Ada\n limit 5', 'select a1, ?, -? from t2 where n > ? limit ?'],
  ['/* prepared */\n  select\n 1', 'select ?'],
  ['do $body$ begin secret end $body$', 'do ?'],
])('%s is told without its values', (text, told) => {
  expect(statementWithoutValues(text)).toBe(told);
});

test('a long statement is told in part', () => {
  expect(statementWithoutValues(`select ${'a, '.repeat(500)} b`)).toHaveLength(300);
});

test('a slow statement is in the log with its sender and without values', async () => {
  const slow = sql`select ${'Ada Byron'}::text as name, 'Park Road' as street, pg_sleep(0.25)`;
  await slow.execute(app.database.db);
  const line = lines
    .map((each) => JSON.parse(each) as SlowStatement & { msg: string })
    .find(({ msg }) => msg === 'slow statement');
  expect(line).toMatchObject({
    statement: 'select $1::text as name, ? as street, pg_sleep(?)',
    from: expect.stringMatching(/^src\/database\/usage-metrics\.test\.ts:\d+$/),
  });
  expect(line?.ms).toBeGreaterThanOrEqual(200);
  expect(lines.join()).not.toMatch(/Ada|Park/);
});

test('a quick statement is not', () => {
  const found = listenTo(slowStatementFeed);
  recordIfSlowStatement('select 1', 199.9);
  expect(found).toEqual([]);
  recordIfSlowStatement('select 1', 200);
  expect(found).toHaveLength(1);
});

test('transactions are noted with their outcome, and what they count only once they are committed', async () => {
  const found = listenTo(transactionOutcomeFeed);
  const counted: number[] = [];
  let tries = 0;
  await inTransaction(app.database.db, async () => {
    tries += 1;
    runAfterCommit(() => counted.push(tries));
    if (tries === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    expect(counted).toEqual([]);
  });
  expect(counted).toEqual([2]);
  const failing = inTransaction(app.database.db, async () => {
    runAfterCommit(() => counted.push(0));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(counted).toEqual([2]);
  expect(found).toEqual(['retried', 'committed', 'rolled_back']);
  runAfterCommit(() => counted.push(3));
  expect(counted).toEqual([2, 3]);
});

test('the wait for a connection is noted with its pool', async () => {
  const found = listenTo(poolWaitFeed);
  await sql`select 1`.execute(app.database.db);
  expect(found).toEqual([{ pool: app.database.pool, seconds: expect.any(Number) }]);
});
