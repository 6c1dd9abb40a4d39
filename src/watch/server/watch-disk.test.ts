import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { checkDisk } from '#watch/server/watch.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.signIn('admin');
});
afterAll(() => app.close());

/** The mails that the owner was owed. */
async function warnings(): Promise<number> {
  const { rows } = await app.database.pool.query(
    `select count(*)::int as count from mails where subject like '%is nearly full%'`,
  );
  return rows[0].count;
}
const look = (free: number) => checkDisk(app.services, { room: async () => ({ free, all: 100e9 }) });

test('the owner hears once that the disk is nearly full, and again only after there was room', async () => {
  await look(50e9);
  expect(await warnings()).toBe(0);
  await look(4e9);
  expect(await warnings()).toBe(1);
  await look(3e9);
  // A little more than what counts as low is no room yet.
  await look(5.5e9);
  await look(4e9);
  expect(await warnings()).toBe(1);
  await look(50e9);
  await look(4e9);
  expect(await warnings()).toBe(2);
});
