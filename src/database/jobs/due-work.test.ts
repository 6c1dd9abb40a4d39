import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDueWork, type DueWork } from '#database/jobs/due-work.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const log = pino({ level: 'silent' });
const clock = () => new Date('2026-11-21T18:00:00Z');

test('each work begins with what is due, and not where nothing is', async () => {
  const begun: [string, unknown][] = [];
  const work = (name: string, due: DueWork['due']): DueWork => ({
    name,
    due,
    work: async (value) => void begun.push([name, value]),
  });
  const due = startDueWork(database.db, clock, log, [
    work('a flag', () => sql`true`),
    work('no flag', () => sql`false`),
    work('nothing', () => sql`null::text`),
    work('an empty list', () => sql`array[]::text[]`),
    work('a list', () => sql`array['a', 'b']`),
    work('the time', (now) => sql`to_char(${now}::timestamptz at time zone 'utc', 'HH24:MI')`),
  ]);
  await due.look();
  await due.stop();
  expect(begun).toEqual([
    ['a flag', true],
    ['a list', ['a', 'b']],
    ['the time', '18:00'],
  ]);
});

test('work that is still being done is not begun again, and what failed is', async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const slow: DueWork = {
    name: 'slow',
    due: () => sql`true`,
    work: () => {
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    },
  };
  const due = startDueWork(database.db, clock, log, [slow]);
  await due.look();
  await due.look();
  expect(ends).toHaveLength(1);
  ends[0]?.reject(new Error('this round fails'));
  await expect.poll(() => due.look().then(() => ends.length)).toBe(2);
  ends[1]?.resolve();
  // By itself as well, without a call that asks for it.
  await expect.poll(() => ends.length).toBe(3);
  const stopped = due.stop();
  ends[2]?.resolve();
  await stopped;
});
