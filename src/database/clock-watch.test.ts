import { pino } from 'pino';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClockWatch, watchClock } from '#database/clock-watch.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom('clock_watches').execute();
});

const minutes = 60_000;
const hours = 60 * minutes;

/** A machine: time passes, its clock is set, it is restarted. */
function aMachine() {
  let wall = Date.parse('2026-11-21T18:00:00Z');
  let up = 5 * hours;
  let boots = 1;
  return {
    pass(milliseconds: number) {
      wall += milliseconds;
      up += milliseconds;
    },
    set(by: number) {
      wall += by;
    },
    boot() {
      up = 0;
      boots += 1;
    },
    watch: () =>
      watchClock({
        newest: async () => null,
        db: database.db,
        log: pino({ level: 'silent' }),
        now: () => new Date(wall),
        machine: { name: 'oven', boot: `boot ${boots}`, uptime: () => up },
      }),
  };
}

/** One check of what the database says, as made every two seconds. */
async function look({ due }: ClockWatch): Promise<void> {
  const { rows } = await sql<{ row: { ahead_seconds: number | null } }>`
    select (${due.due(new Date())}) as row`.execute(database.db);
  if (rows[0]) await due.work(rows[0].row);
}
const written = async () =>
  (await database.db.selectFrom('clock_watches').select('ahead_seconds').executeTakeFirst())?.ahead_seconds;

test('a clock that goes is believed, however long, and when it is put right little by little', async () => {
  const machine = aMachine();
  const clock = await machine.watch();
  for (let day = 0; day < 20; day += 1) {
    machine.pass(24 * hours);
    machine.set(50_000);
    expect(clock.isTrusted()).toBe(true);
    await look(clock);
  }
  // Another process of the same machine has no question either.
  expect((await machine.watch()).isTrusted()).toBe(true);
});

test.each([
  ['ahead', 26 * hours],
  ['back', -2 * minutes],
])('a clock that jumps %s is not believed until it is right again', async (_way, by) => {
  const machine = aMachine();
  const clock = await machine.watch();
  machine.set(by);
  expect(clock.isTrusted()).toBe(false);
  await look(clock);
  expect(await written()).toBe(by / 1000);
  machine.pass(hours);
  expect(clock.isTrusted()).toBe(false);
  machine.set(-by);
  expect(clock.isTrusted()).toBe(true);
  await look(clock);
  expect(await written()).toBeNull();
});

test('somebody may say that the time is right, at whichever instance', async () => {
  const machine = aMachine();
  const clock = await machine.watch();
  machine.set(26 * hours);
  await look(clock);
  await look(clock);
  expect(clock.isTrusted()).toBe(false);
  await database.db.updateTable('clock_watches').set({ ahead_seconds: null }).execute();
  await look(clock);
  expect(clock.isTrusted()).toBe(true);
  // From then on that time counts.
  machine.set(-26 * hours);
  expect(clock.isTrusted()).toBe(false);
});

test('a jump is found while the shop was closed, and is not forgotten by a restart of shop or machine', async () => {
  const machine = aMachine();
  await machine.watch();
  machine.set(3 * hours);
  expect((await machine.watch()).isTrusted()).toBe(false);
  expect((await machine.watch()).isTrusted()).toBe(false);
  machine.boot();
  const clock = await machine.watch();
  expect(clock.isTrusted()).toBe(false);
  await look(clock);
  await database.db.updateTable('clock_watches').set({ ahead_seconds: null }).execute();
  await look(clock);
  expect(clock.isTrusted()).toBe(true);
});
