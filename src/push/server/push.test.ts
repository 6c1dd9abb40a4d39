import { createECDH, randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { openVapidKeys } from '#push/server/vapid-keys.ts';
import { queuePushMessage } from '#push/server/push.ts';
import { startPushService, type PushService, type TestBrowser } from '#push/testing/push-service.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { password } from '#testing/users.ts';

let service: PushService;
let app: TestApp;
let publicKey: string;
const lines: string[] = [];
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({}, service.settings, (line) => lines.push(line));
  publicKey = (await app.request('GET', '/v1/push/key')).body.data.public_key;
});
afterAll(async () => {
  await app.close();
  await service.stop();
});
beforeEach(() => {
  app.clock.now = saturdayEvening;
  service.faults.length = 0;
  service.requests.length = 0;
  service.wrong.length = 0;
  lines.length = 0;
});

const patient = { timeout: 60_000, interval: 50 };
const subscribe = (token: string, browser: TestBrowser, wants = {}) =>
  app.request('POST', '/v1/push/devices', { token, body: { subscription: browser.subscription, ...wants } });

async function newDevice() {
  const token = await app.signIn('customer');
  const browser = service.subscribe(publicKey);
  const { status, body } = await subscribe(token, browser, { own_orders: true });
  expect(status).toBe(200);
  return { token, browser, id: body.data.id as string };
}
type Device = Awaited<ReturnType<typeof newDevice>>;

/** Sends a message that is of use for so many seconds. */
const send = ({ id }: Device, seconds = 600) =>
  inTransaction(app.database.db, (tx) =>
    queuePushMessage(tx, app.services.jobs, {
      subscription_id: id,
      about: null,
      message: { title: 'Order 1', body: 'Accepted.', tag: 'x', url: '/orders/x', lang: 'en' },
      urgency: 'high',
      topic: 'x',
      until: new Date(app.clock.now.getTime() + seconds * 1000).toISOString(),
    }),
  );
const queued = async () => {
  const { rows } = await app.database.pool.query(
    `select start_after > now() + interval '20 seconds' as is_later from pgboss.job where name = 'push' and state < 'completed'`,
  );
  return rows as { is_later: boolean }[];
};
const isKnown = async ({ id }: Device) =>
  (await app.database.db.selectFrom('push_subscriptions').select('id').where('id', '=', id).execute()).length === 1;

describe('a push service', () => {
  test.each([410, 404])('that answers %i ends the subscription', async (status) => {
    const device = await newDevice();
    service.faults.push({ status });
    await send(device);
    await expect.poll(() => isKnown(device), patient).toBe(false);
    expect(service.requests).toHaveLength(1);
  });

  test.each([{ status: 500 }, { status: 429 }])('that fails with %j gets the message again', async (fault) => {
    const device = await newDevice();
    service.faults.push(fault);
    await send(device);
    await expect.poll(() => device.browser.received.length, patient).toBe(1);
    expect(service.requests).toHaveLength(2);
    expect(service.wrong).toEqual([]);
  });

  test('that is silent gets the message again', async () => {
    const device = await newDevice();
    service.faults.push('silence');
    await send(device);
    await expect.poll(() => device.browser.received.length, patient).toBe(1);
    expect(service.requests).toHaveLength(2);
  });

  test('that asks to wait is left alone for so long', async () => {
    const device = await newDevice();
    service.faults.push({ status: 429, headers: { 'retry-after': '2' } });
    const before = Date.now();
    await send(device);
    await expect.poll(() => device.browser.received.length, patient).toBe(1);
    expect(Date.now() - before).toBeGreaterThanOrEqual(2000);
    service.faults.push({ status: 429, headers: { 'retry-after': '300' } });
    await send(device);
    await expect.poll(queued, patient).toEqual([{ is_later: true }]);
    await app.database.pool.query(`delete from pgboss.job where name = 'push'`);
    // It would be of no use by then.
    service.faults.push({ status: 429, headers: { 'retry-after': '300' } });
    await send(device, 60);
    await expect.poll(() => service.requests.length, patient).toBe(4);
    await expect.poll(queued, patient).toEqual([]);
  });

  test('that redirects is not followed, and nothing is sent again', async () => {
    const device = await newDevice();
    service.faults.push({ status: 307, headers: { location: `${service.origin}/elsewhere` } });
    await send(device);
    await expect.poll(() => lines.join(''), patient).toContain('a push message was refused');
    await expect.poll(queued, patient).toEqual([]);
    expect(service.requests).toEqual([new URL(device.browser.subscription.endpoint).pathname]);
    expect(device.browser.received).toEqual([]);
    // The endpoint is as good as a password.
    expect(lines.join('')).not.toContain(new URL(device.browser.subscription.endpoint).pathname);
  });

  test('gets nothing that is of no use any more', async () => {
    const device = await newDevice();
    await send(device, -1);
    await expect.poll(queued, patient).toEqual([]);
    expect(service.requests).toEqual([]);
  });
});

describe('a subscription', () => {
  const post = async (subscription: TestBrowser['subscription']) => {
    const token = await app.signIn('customer');
    return (await app.request('POST', '/v1/push/devices', { token, body: { subscription } })).body;
  };
  test.each([
    'https://10.0.0.7/push',
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com.example.com/x',
    'https://127.0.0.1:1/push',
    'not an address',
  ])('at %s is refused', async (endpoint) => {
    const { keys } = service.subscribe(publicKey).subscription;
    expect(await post({ endpoint, keys })).toMatchObject({
      code: 'invalid',
      errors: { 'subscription.endpoint': ["This is not the address of a browser's push service."] },
    });
  });

  test('whose keys are no keys is refused', async () => {
    const { endpoint, keys } = service.subscribe(publicKey).subscription;
    const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url');
    const short = createECDH('prime256v1').generateKeys('base64url', 'compressed');
    for (const p256dh of [offCurve, short, 'x'.repeat(87), '-']) {
      expect((await post({ endpoint, keys: { ...keys, p256dh } })).errors).toHaveProperty(['subscription.keys.p256dh']);
    }
    expect((await post({ endpoint, keys: { ...keys, auth: 'short' } })).errors).toHaveProperty([
      'subscription.keys.auth',
    ]);
  });

  test('belongs to whoever is signed in there, and is not taken over by one who only knows its address', async () => {
    const { browser, token } = await newDevice();
    const thief = await app.signIn('customer');
    const { keys } = service.subscribe(publicKey).subscription;
    const stolen = { endpoint: browser.subscription.endpoint, keys };
    const answer = await app.request('POST', '/v1/push/devices', { token: thief, body: { subscription: stolen } });
    expect(answer.status).toBe(422);
    // Another person signs in on the same browser: what the first one wanted to hear is not for them.
    const next = await app.signIn('customer');
    expect((await subscribe(next, browser)).body.data).toMatchObject({ own_orders: false, is_current: true });
    expect((await app.request('GET', '/v1/push/devices', { token })).body.data).toEqual([]);
  });

  test('is one of ten of a person: the one unused for the longest makes room', async () => {
    const token = await app.signIn('customer');
    const browsers = Array.from({ length: 11 }, () => service.subscribe(publicKey));
    for (const [minute, browser] of browsers.entries()) {
      app.clock.now = new Date(saturdayEvening.getTime() + minute * 60_000);
      await subscribe(token, browser);
    }
    const { body } = await app.request('GET', '/v1/push/devices', { token });
    expect(body.data).toHaveLength(10);
    const rows = await app.database.db.selectFrom('push_subscriptions').select('endpoint').execute();
    const known = new Set(rows.map(({ endpoint }) => endpoint));
    expect(browsers.map(({ subscription }) => known.has(subscription.endpoint))).toEqual([
      false,
      ...Array.from({ length: 10 }, () => true),
    ]);
  });

  test('is told of new orders only for staff', async () => {
    const customer = await app.signIn('customer');
    const wants = { new_orders: true };
    expect((await subscribe(customer, service.subscribe(publicKey), wants)).status).toBe(403);
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    expect((await subscribe(staff, service.subscribe(publicKey), wants)).body.data.new_orders).toBe(true);
  });
});

test('a test message comes once in ten seconds, and only on one’s own device', async () => {
  const { browser, token, id } = await newDevice();
  const path = `/v1/push/devices/${id}/test`;
  expect((await app.request('POST', path, { token, body: {} })).status).toBe(204);
  const again = await app.request('POST', path, { token, body: {} });
  expect([again.status, again.headers.get('retry-after')]).toEqual([429, '10']);
  const stranger = await app.signIn('customer');
  expect((await app.request('POST', path, { token: stranger, body: {} })).status).toBe(404);
  await expect.poll(() => browser.received.map(({ data }) => data['title']), patient).toEqual(['Notifications work']);
  expect(browser.received[0]).toMatchObject({ ttl: 60, topic: 'test' });
});

test('an account’s devices go with it', async () => {
  const device = await newDevice();
  const exported = await app.request('GET', '/v1/auth/user/export', { token: device.token });
  expect(exported.body.data.push_devices).toMatchObject([{ id: device.id }]);
  expect((await app.request('DELETE', '/v1/auth/user', { token: device.token, body: { password } })).status).toBe(204);
  expect(await isKnown(device)).toBe(false);
});

describe('the key of the installation', () => {
  const config = () => app.services.config;
  const open = (change: { dataDir?: string; SECRETS_KEY?: string } = {}) =>
    openVapidKeys({ ...app.services, config: { ...config(), ...change } });

  test('stays the same, and is in a file that is only its owner’s without SECRETS_KEY', async () => {
    expect(await open()).toMatchObject({ publicKey });
    expect(await readdir(join(config().dataDir, 'push-keys'))).toHaveLength(1);
  });

  test('is not replaced where it cannot be read', async () => {
    expect(await open({ dataDir: join(config().dataDir, randomUUID()) })).toBeNull();
    expect(await open()).toMatchObject({ publicKey });
  });

  test('is made once by instances that start together, and encrypted with SECRETS_KEY', async () => {
    await app.database.db.deleteFrom('push_keys').execute();
    const SECRETS_KEY = 'another key of tests, which is long enough';
    const keys = await Promise.all([1, 2, 3, 4].map(() => open({ SECRETS_KEY })));
    expect(new Set(keys.map((key) => key?.privateKey)).size).toBe(1);
    const row = await app.database.db.selectFrom('push_keys').select('sealed').executeTakeFirstOrThrow();
    expect(row.sealed?.includes(Buffer.from(keys[0]?.privateKey ?? ''))).toBe(false);
    expect(await open({ SECRETS_KEY: 'a key that did not encrypt it, and is long' })).toBeNull();
    await rm(join(config().dataDir, 'push-keys'), { recursive: true });
  });
});
