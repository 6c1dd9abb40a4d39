import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { startPushService, type PushService, type TestBrowser } from '#push/testing/push-service.ts';
import { connectToApp, type PusherClient } from '#realtime/testing/clients.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { pushNewOrders, selectStoresWithOrdersToPush } from '#watch/server/push-new-orders.ts';

const pusher = { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' };
let service: PushService;
let app: TestApp;
let staff: string;
let browser: TestBrowser;
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({ name: 'Nonna’s', answer_minutes: 10 }, { ...pusher, ...service.settings });
  staff = await app.signIn('store_admin', [app.shop.storeId]);
  browser = await newBrowser(staff);
  const elsewhere = await app.signIn('store_admin', []);
  elsewhereBrowser = await newBrowser(elsewhere);
});
let elsewhereBrowser: TestBrowser;
afterAll(async () => {
  await app.close();
  await service.stop();
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('orders').execute();
  await app.database.db.deleteFrom('board_watches').execute();
  await quiet();
  browser.received.length = 0;
});

const patient = { timeout: 60_000, interval: 50 };

async function newBrowser(token: string): Promise<TestBrowser> {
  const { body } = await app.request('GET', '/v1/push/key');
  const made = service.subscribe(body.data.public_key);
  const wish = { subscription: made.subscription, new_orders: true };
  expect((await app.request('POST', '/v1/push/devices', { token, body: wish })).status).toBe(200);
  return made;
}
const place = async () => {
  const { status, body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  expect(status).toBe(201);
  return body.data as { id: string; number: string };
};
async function look() {
  const { rows } = await sql<{ stores: string[] | null }>`
    select (${selectStoresWithOrdersToPush(app.clock.now)}) as stores`.execute(app.database.db);
  await pushNewOrders(app.services, rows[0]?.stores ?? []);
}
const quiet = () =>
  expect
    .poll(async () => {
      const open = `select 1 from pgboss.job where name = 'push' and state < 'completed'`;
      return (await app.database.pool.query(open)).rowCount;
    }, patient)
    .toBe(0);
const later = (minutes: number) => (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000));

test('devices hear of an order once while no board is on, and again until it is answered', async () => {
  const order = await place();
  await Promise.all([look(), look(), look()]);
  await expect.poll(() => browser.received.length, patient).toBe(1);
  await quiet();
  expect(browser.received).toMatchObject([
    {
      data: {
        title: 'An order is waiting at Nonna’s',
        body: `#${order.number}. No order board is on. Answer by 18:10.`,
        url: '/store/orders',
      },
      urgency: 'high',
      ttl: 120,
    },
  ]);
  expect(service.wrong).toEqual([]);
  later(1);
  await look();
  later(1);
  await look();
  await expect.poll(() => browser.received.length, patient).toBe(2);
  const answer = await app.request('POST', `/v1/orders/${order.id}/accept`, { body: {}, token: staff });
  expect(answer.status).toBe(200);
  later(2);
  await look();
  await quiet();
  expect(browser.received).toHaveLength(2);
  // Staff of another store hear nothing.
  expect(elsewhereBrowser.received).toEqual([]);
});

test('two orders are one message', async () => {
  const [one, two] = [await place(), await place()];
  await app.database.db.deleteFrom('order_watches').execute();
  await look();
  const both = () => browser.received.some(({ data }) => data['title'] === '2 orders are waiting at Nonna’s');
  await expect.poll(both, patient).toBe(true);
  const last = browser.received.at(-1)?.data['body'] ?? '';
  expect([last.includes(`#${one.number}`), last.includes(`#${two.number}`)]).toEqual([true, true]);
});

test('a board that another instance sees keeps devices quiet, until it is gone for half a minute', async () => {
  const seen = { store_id: app.shop.storeId, seen_at: app.clock.now };
  await app.database.db.insertInto('board_watches').values(seen).execute();
  await place();
  await look();
  await quiet();
  expect(browser.received).toEqual([]);
  later(0.5);
  await look();
  await expect.poll(() => browser.received.length, patient).toBe(1);
});

test('a board that is on here keeps devices quiet', async () => {
  const board: PusherClient = connectToApp(app.url, staff);
  board.subscribe(storeBoardsChannel(app.shop.storeId));
  const members = () => app.services.realtime.countMembers(storeBoardsChannel(app.shop.storeId));
  await expect.poll(members, patient).toBe(1);
  await place();
  await look();
  await quiet();
  expect(browser.received).toEqual([]);
  board.disconnect();
  await expect.poll(members, patient).toBe(0);
});
