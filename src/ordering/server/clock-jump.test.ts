import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import { watchClock } from '#database/clock-watch.ts';
import { readNewestOrderTime } from '#ordering/server/order-views.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const place = async () => (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id as string;
const statuses = async (ids: string[]) => {
  const answers = await Promise.all(ids.map((id) => app.request('GET', `/v1/orders/${id}`, { token: admin })));
  return [...new Set(answers.map(({ body }) => body.data.status))];
};
const clock = async () =>
  (await app.request('GET', `/v1/stores/${app.shop.storeId}/clock`, { token: admin })).body.data;

test('orders that wait are not given up because the clock jumped, until staff say that the time is right', async () => {
  const orders = await Promise.all(Array.from({ length: 18 }, place));
  app.clock.uptime = app.clock.now.getTime();
  app.clock.now = new Date(saturdayEvening.getTime() + 26 * 3_600_000);
  expect(await endOrdersPastDeadline(app.services)).toBe(0);
  expect(await statuses(orders)).toEqual(['placed']);
  await expect.poll(clock).toEqual({ now: app.clock.now.toISOString(), ahead_seconds: 93_600 });
  expect(await statuses(orders)).toEqual(['placed']);

  const confirmed = await app.request('POST', `/v1/stores/${app.shop.storeId}/clock/confirm`, { token: admin });
  expect(confirmed.body.data.ahead_seconds).toBeNull();
  await expect.poll(() => statuses(orders)).toEqual(['rejected']);
});

test('a machine that starts with a clock behind the newest order is not believed until its time is later', async () => {
  await place();
  let now = new Date(app.clock.now.getTime() - 3_600_000);
  const machine = { name: 'another', boot: 'first', uptime: () => 1_000 };
  const log = app.services.log;
  const late = await watchClock({ db: app.database.db, log, now: () => now, newest: readNewestOrderTime, machine });
  expect(late.isTrusted()).toBe(false);
  now = new Date(app.clock.now.getTime() + 24 * 3_600_000);
  expect(late.isTrusted()).toBe(true);
});

test('an order that was taken while the clock was ahead is no reason to doubt it later, whoever starts the shop again', async () => {
  const machine = { name: 'third', boot: 'first', uptime: () => 1_000 };
  const options = {
    db: app.database.db,
    log: app.services.log,
    now: () => saturdayEvening,
    newest: readNewestOrderTime,
    machine,
  };
  // The newest order is of a day later; somebody says that the time is right all the same.
  const clock = await watchClock(options);
  expect(clock.isTrusted()).toBe(false);
  clock.confirm();
  await app.database.db
    .updateTable('clock_watches')
    .set({ ahead_seconds: null })
    .where('machine', '=', 'third')
    .execute();
  await clock.due.work({ ahead_seconds: null });
  expect((await watchClock(options)).isTrusted()).toBe(true);
});

test('customers are not asked about the clock', async () => {
  for (const token of [await app.signIn('customer'), undefined]) {
    const { status } = await app.request('POST', `/v1/stores/${app.shop.storeId}/clock/confirm`, {
      ...(token && { token }),
    });
    expect(status).toBe(token ? 403 : 401);
  }
});
