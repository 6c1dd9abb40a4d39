import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseOldGuests } from '#ordering/server/erase-guests.ts';
import { ordersEndedBefore } from '#ordering/server/order-views.ts';
import { deleteOrderFollows, deleteUnusedPushDevices } from '#push/server/follows.ts';
import { startPushService, type PushService, type TestBrowser } from '#push/testing/push-service.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let service: PushService;
let app: TestApp;
let other: TestApp;
let staff: string;
let publicKey: string;
beforeAll(async () => {
  service = await startPushService();
  // Two instances, which share the key by SECRETS_KEY: each must be able to send.
  const environment = { ...service.settings, SECRETS_KEY: 'a key of tests, which is long enough' };
  app = await startTestApp({ name: 'Nonna’s' }, environment);
  other = await startAppOn(app.database, app.shop, environment);
  staff = await app.signIn('admin');
  publicKey = (await app.request('GET', '/v1/push/key')).body.data.public_key;
});
afterAll(async () => {
  await other.stop();
  await app.close();
  await service.stop();
});
beforeEach(() => {
  app.clock.now = saturdayEvening;
  service.wrong.length = 0;
  service.requests.length = 0;
});

const patient = { timeout: 60_000, interval: 50 };

async function place(change: Record<string, unknown> = {}, token?: string) {
  const body = app.orderBody({ session: randomUUID(), ...change });
  const answer = await app.request('POST', '/v1/orders', { body, ...(token && { token }) });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: string; session: string; number: string };
}
type Placed = Awaited<ReturnType<typeof place>>;

/** A guest's browser that follows the order. */
async function followed({ id, session }: Placed, options: { language?: string; browser?: TestBrowser } = {}) {
  const browser = options.browser ?? service.subscribe(publicKey);
  const answer = await app.request('POST', `/v1/orders/${id}/push`, {
    body: { subscription: browser.subscription },
    headers: { 'x-order-session': session, 'accept-language': options.language ?? 'en' },
  });
  expect(answer.status).toBe(204);
  return browser;
}
async function step({ id }: Placed, call: string, body: unknown = {}) {
  const answer = await app.request('POST', `/v1/orders/${id}/${call}`, { body, token: staff });
  expect(answer.status).toBeLessThan(300);
}
/** Waits until so many have come, and no more are on their way. */
async function heard(browser: TestBrowser, count: number) {
  await expect.poll(() => browser.received.length, patient).toBeGreaterThanOrEqual(count);
  await quiet();
  expect(service.wrong).toEqual([]);
  expect(browser.received).toHaveLength(count);
  return browser.received.at(-1) as TestBrowser['received'][number];
}
/** Waits until nothing is owed and nothing is queued. */
async function quiet() {
  const owed = () =>
    app.database.pool.query(`
      select 1 from push_follows where owed_at is not null
      union all select 1 from pgboss.job where name = 'push' and state < 'completed'`);
  await expect.poll(async () => (await owed()).rowCount, patient).toBe(0);
}

describe('a guest follows an order', () => {
  test('and hears of each step once, with two instances running', async () => {
    const order = await place();
    const browser = await followed(order);
    await step(order, 'accept', { minutes: 20 });
    const accepted = await heard(browser, 1);
    expect(accepted.data).toEqual({
      title: `Order ${order.number}, Nonna’s`,
      body: 'Accepted. Ready 18:20–\u206018:30.',
      tag: order.id,
      url: `/orders/${order.id}`,
      lang: 'en',
    });
    // Until the end of the promised time: 30 minutes.
    expect(accepted).toMatchObject({ ttl: 1800, urgency: 'high', topic: order.id.replaceAll('-', '') });
    await step(order, 'promise', { minutes: 40 });
    const moved = await heard(browser, 2);
    expect(moved).toMatchObject({ urgency: 'normal', data: { body: 'There is a new time. Ready 18:40–\u206018:50.' } });
    await step(order, 'packed');
    expect((await heard(browser, 3)).data['body']).toBe('Ready to collect.');
    await step(order, 'undo');
    expect((await heard(browser, 4)).data['body']).toMatch(/^Not quite yet/);
    await step(order, 'packed');
    await heard(browser, 5);
    await step(order, 'collected-by-customer');
    await heard(browser, 5);
  });

  test('in the language of its browser, and without anything that names a person', async () => {
    const order = await place({
      fulfilment_type: 'delivery',
      address: { line1: '7 Hidden Row', city: 'Rugby', postcode: 'CV21 2AA' },
      note: 'hidden note',
    });
    const browser = await followed(order, { language: 'pl' });
    await step(order, 'accept', { minutes: 30 });
    expect((await heard(browser, 1)).data).toMatchObject({ lang: 'pl', title: `Zamówienie ${order.number}, Nonna’s` });
    await step(order, 'packed');
    await heard(browser, 1);
    await step(order, 'collected-by-driver');
    expect((await heard(browser, 2)).data['body']).toMatch(/^Już do ciebie jedzie\./);
    expect(JSON.stringify(browser.received)).not.toMatch(/Ada|Byron|07700|ada@|Hidden|hidden|Margherita/);
  });

  test('and is told why it does not come', async () => {
    const [rejected, cancelled] = [await place(), await place()];
    const [one, two] = [await followed(rejected), await followed(cancelled)];
    await step(rejected, 'reject', { reason: 'too_busy' });
    const { ttl, data } = await heard(one, 1);
    expect([ttl, data['body']]).toEqual([86_400, 'Sorry, the shop could not take this order.']);
    await step(cancelled, 'accept', { minutes: 20 });
    await heard(two, 1);
    await step(cancelled, 'cancel', { reason: 'Ada rang us' });
    expect((await heard(two, 2)).data['body']).toBe('Sorry, the shop has cancelled this order.');
  });

  test('and hears of dishes that are taken off it', async () => {
    const order = await place({ lines: [{ item_id: app.shop.chips, quantity: 3 }] });
    const { body } = await app.request('GET', `/v1/orders/${order.id}`, { token: staff });
    const browser = await followed(order);
    await step(order, 'lines/remove', { lines: [{ line_id: body.data.lines[0].id, quantity: 1 }], reason: 'sold_out' });
    expect((await heard(browser, 1)).data['body']).toMatch(/^The shop has taken a dish off your order\. /);
  });

  test('but not of a cancellation of their own', async () => {
    const order = await place();
    const browser = await followed(order);
    const headers = { 'x-order-session': order.session };
    expect((await app.request('POST', `/v1/orders/${order.id}/cancel`, { body: {}, headers })).status).toBe(200);
    await heard(browser, 0);
  });

  test('until they turn it off: then nothing of the browser is left', async () => {
    const order = await place();
    const browser = await followed(order);
    const { endpoint } = browser.subscription;
    const headers = { 'x-order-session': order.session };
    const stop = (given: Record<string, string>) =>
      app.request('POST', `/v1/orders/${order.id}/push/stop`, { body: { endpoint }, headers: given });
    expect((await stop({})).status).toBe(401);
    expect((await stop(headers)).status).toBe(204);
    expect((await stop(headers)).status).toBe(204);
    expect(await subscriptions(browser)).toEqual([]);
    await step(order, 'accept', { minutes: 20 });
    await heard(browser, 0);
  });

  test('only with the order’s session', async () => {
    const order = await place();
    const body = { subscription: service.subscribe(publicKey).subscription };
    const path = `/v1/orders/${order.id}/push`;
    expect((await app.request('POST', path, { body })).status).toBe(401);
    expect((await app.request('POST', path, { body, headers: { 'x-order-session': randomUUID() } })).status).toBe(401);
    const token = await app.signIn('customer');
    expect((await app.request('POST', path, { body, token })).status).toBe(403);
  });

  test('on five devices at most', async () => {
    const order = await place();
    for (let count = 0; count < 5; count += 1) await followed(order);
    const { status, body } = await app.request('POST', `/v1/orders/${order.id}/push`, {
      body: { subscription: service.subscribe(publicKey).subscription },
      headers: { 'x-order-session': order.session },
    });
    expect([status, body.code]).toEqual([409, 'conflict']);
  });
});

describe('a customer', () => {
  test('who wants all orders on a device hears of those placed elsewhere, until they sign out there', async () => {
    const token = await app.signIn('customer');
    const browser = service.subscribe(publicKey);
    const first = await place({}, token);
    const body = { subscription: browser.subscription, own_orders: true };
    expect((await app.request('POST', `/v1/orders/${first.id}/push`, { body, token })).status).toBe(204);
    const second = await place({}, token);
    await step(second, 'accept', { minutes: 20 });
    expect((await heard(browser, 1)).data['tag']).toBe(second.id);
    const { body: listed } = await app.request('GET', '/v1/push/devices', { token });
    expect(listed.data).toMatchObject([{ own_orders: true, new_orders: false, is_current: true }]);
    expect((await app.request('POST', '/v1/auth/logout', { token, body: {} })).status).toBeLessThan(300);
    expect(await subscriptions(browser)).toEqual([]);
  });
});

describe('what is kept', () => {
  test('a guest’s browser is forgotten a day after the order has ended', async () => {
    const order = await place();
    const browser = await followed(order);
    await step(order, 'reject', { reason: 'other' });
    await heard(browser, 1);
    const sweep = async () => {
      await deleteOrderFollows(app.database.db, ordersEndedBefore(new Date(app.clock.now.getTime() - 86_400_000)));
      await deleteUnusedPushDevices(app.database.db, app.clock.now);
    };
    await sweep();
    expect(await subscriptions(browser)).toHaveLength(1);
    app.clock.now = new Date(saturdayEvening.getTime() + 25 * 3_600_000);
    await sweep();
    expect(await subscriptions(browser)).toEqual([]);
  });

  test('nothing follows an order whose guest was forgotten', async () => {
    const order = await place();
    const browser = await followed(order);
    await step(order, 'reject', { reason: 'other' });
    await heard(browser, 1);
    app.clock.now = new Date(saturdayEvening.getTime() + 400 * 86_400_000);
    await eraseOldGuests(app.services);
    const follows = app.database.db.selectFrom('push_follows').select('order_id').where('order_id', '=', order.id);
    expect(await follows.execute()).toEqual([]);
  });
});

function subscriptions({ subscription }: TestBrowser) {
  const rows = app.database.db.selectFrom('push_subscriptions').select('id');
  return rows.where('endpoint', '=', subscription.endpoint).execute();
}
