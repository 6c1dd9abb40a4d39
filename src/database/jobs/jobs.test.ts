import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startDueWork } from '#database/jobs/due-work.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import type { Sweep } from '#platform/server/sweep.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let jobs: Awaited<ReturnType<typeof startJobs>>;
let dueWork: Sweep;
beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await startJobs(database.config, () => {}, 1);
  dueWork = startDueWork(database.db, () => new Date(), pino({ level: 'silent' }), [jobs.due]);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await dueWork.stop();
  await jobs.stop();
  await database.drop();
});

test('jobs are done soon after their transaction commits, all of a burst, and none of one that was rolled back', async () => {
  const done: number[] = [];
  await jobs.work<{ n: number }>('test.burst', async ({ n }) => void done.push(n));
  await database.db
    .transaction()
    .execute(async (tx) => {
      await jobs.send(tx, 'test.burst', { n: -1 });
      throw new Error('rolled back');
    })
    .catch(() => {});
  for (let n = 0; n < 10; n += 1) {
    await database.db.transaction().execute((tx) => jobs.send(tx, 'test.burst', { n }));
  }
  await expect.poll(() => done.length).toBe(10);
  expect(done.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test.each([1, 20])(
  'jobs sent at once are done one after another, taken %i at a time',
  async (batchSize) => {
    // Without the periodic check that finds jobs without a notification.
    const alone = await startJobs(database.config, () => {});
    const done: number[] = [];
    const all = Array.from({ length: 30 }, (_, n) => n);
    const queue = `test.at-once-${batchSize}`;
    await alone.work<{ n: number }>(queue, async ({ n }) => void done.push(n), { batchSize });
    await database.db.transaction().execute(async (tx) => {
      for (const n of all) await alone.send(tx, queue, { n });
    });
    await expect.poll(() => done.toSorted((a, b) => a - b)).toEqual(all);
    await alone.stop();
  },
  30_000,
);

test('a job that fails is tried again', async () => {
  let tries = 0;
  await jobs.work('test.again', async () => {
    tries += 1;
    if (tries < 2) throw new Error('not yet');
  });
  await database.db.transaction().execute((tx) => jobs.send(tx, 'test.again', {}));
  await expect.poll(() => tries).toBe(2);
});

test('a job for later is done when its time has come, though nobody is notified then', async () => {
  const done: number[] = [];
  await jobs.work<{ n: number }>('test.later', async ({ n }) => void done.push(n));
  const startAfter = new Date(Date.now() + 1_500);
  await database.db.transaction().execute((tx) => jobs.send(tx, 'test.later', { n: 1 }, { startAfter }));
  await expect.poll(() => done).toEqual([1]);
  expect(Date.now()).toBeGreaterThanOrEqual(startAfter.getTime());
});

test('a job in the hands of a process that is silent is taken over', async () => {
  const done: number[] = [];
  await database.db.transaction().execute((tx) => jobs.send(tx, 'test.orphan', { n: 7 }));
  await database.pool.query(
    `update pgboss.job set state = 'active', started_on = now() - interval '11 seconds',
       heartbeat_on = now() - interval '11 seconds' where name = 'test.orphan'`,
  );
  await jobs.work<{ n: number }>('test.orphan', async ({ n }) => void done.push(n));
  await expect.poll(() => done).toEqual([7]);
});

test.each(['stays right', 'is put back by forty days'])(
  'a job that is done is soon gone, also if the clock %s: nothing keeps what a mail said and to whom',
  async (clock) => {
    const left = async () => {
      const rows = await database.db
        .withSchema('pgboss')
        .selectFrom('job' as never)
        .selectAll()
        .execute();
      return JSON.stringify(rows).includes('ada@example.com');
    };
    const done: string[] = [];
    await jobs.work<{ to: string }>(`test.gone-${clock.length}`, async ({ to }) => void done.push(to));
    const realNow = Date.now;
    if (clock !== 'stays right') vi.spyOn(Date, 'now').mockImplementation(() => realNow() - 40 * 86_400_000);
    await database.db
      .transaction()
      .execute((tx) => jobs.send(tx, `test.gone-${clock.length}`, { to: 'ada@example.com' }));
    expect(await left()).toBe(true);
    await expect.poll(() => done).toEqual(['ada@example.com']);
    await expect.poll(left).toBe(false);
  },
  60_000,
);
