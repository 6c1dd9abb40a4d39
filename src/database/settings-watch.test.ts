import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { announceSettingsChange, openSettingsWatch } from '#database/listen.ts';
import { inTransaction } from '#database/transaction.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const channels = ['hatch_colours', 'hatch_shapes'];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function open() {
  const log = pino({ level: 'silent' });
  const watch = await openSettingsWatch({ database: database.config, log, channels });
  onTestFinished(() => watch.stop());
  return watch;
}
const announce = (channel: string) => inTransaction(database.db, (tx) => announceSettingsChange(tx, channel));

test('settings are read at the start, and again when any instance has changed them', async () => {
  const [here, there] = [await open(), await open()];
  const read = { here: 0, there: 0, shapes: 0 };
  await here.keep('hatch_colours', async () => void (read.here += 1));
  await there.keep('hatch_colours', async () => void (read.there += 1));
  await there.keep('hatch_shapes', async () => void (read.shapes += 1));
  expect(read).toEqual({ here: 1, there: 1, shapes: 1 });
  await announce('hatch_colours');
  await expect.poll(() => read).toEqual({ here: 2, there: 2, shapes: 1 });
});

test('a change that is not committed is not announced', async () => {
  const watch = await open();
  let reads = 0;
  await watch.keep('hatch_colours', async () => void (reads += 1));
  const failed = inTransaction(database.db, async (tx) => {
    await announceSettingsChange(tx, 'hatch_colours');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await announce('hatch_colours');
  await expect.poll(() => reads).toBe(2);
});

test('they are read again after a lost connection, because a change may have been missed', async () => {
  const watch = await open();
  let reads = 0;
  await watch.keep('hatch_colours', async () => void (reads += 1));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'hatch-settings'`.execute(database.db);
  await expect.poll(() => reads).toBeGreaterThan(1);
});

test('one run follows the other, also after one that failed', async () => {
  const watch = await open();
  const steps: string[] = [];
  let runs = 0;
  const reload = await watch.keep('hatch_colours', async () => {
    runs += 1;
    const run = runs;
    steps.push(`begin ${run}`);
    await new Promise(setImmediate);
    if (run === 2) throw new Error('away');
    steps.push(`end ${run}`);
  });
  const second = reload().then(
    () => '',
    (error: Error) => error.message,
  );
  while (!steps.includes('begin 2')) await new Promise(setImmediate);
  const third = reload();
  expect(await second).toBe('away');
  await third;
  expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'begin 3', 'end 3']);
});

test('a start without the database says so', async () => {
  const log = pino({ level: 'silent' });
  const away = { ...database.config, database: 'no_such_database' };
  await expect(openSettingsWatch({ database: away, log, channels })).rejects.toThrow('no_such_database');
});

test('who follows a channel hears each text, and that some may be missing', async () => {
  const watch = await open();
  const told: string[] = [];
  watch.follow('hatch_colours', { heard: (text) => told.push(text), missed: () => told.push('missed') });
  await inTransaction(database.db, (tx) => announceSettingsChange(tx, 'hatch_colours', 'red'));
  await expect.poll(() => told).toEqual(['red']);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'hatch-settings'`.execute(database.db);
  // Once at the loss, and once when it listens again.
  await expect.poll(() => told).toEqual(['red', 'missed', 'missed']);
});

test('changes that come while they are read cost one more reading, which finds all of them', async () => {
  const watch = await open();
  let reads = 0;
  let go = () => {};
  const reload = await watch.keep('hatch_colours', () => {
    reads += 1;
    return reads === 2 ? new Promise<void>((resolve) => (go = resolve)) : Promise.resolve();
  });
  const first = reload();
  await expect.poll(() => reads).toBe(2);
  const later = Array.from({ length: 50 }, reload);
  go();
  await Promise.all([first, ...later]);
  expect(reads).toBe(3);
});
