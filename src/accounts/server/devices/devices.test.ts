import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeDeviceCode } from '#accounts/server/devices/device-handlers.ts';
import { startAccountSweep } from '#accounts/server/domain.ts';
import { connectToApp, nextEvent } from '#realtime/testing/clients.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

const app = await startTestApp({}, { APP_URL: 'https://shop.example.com', PUSHER_APP_KEY: 'test-key' });
const admin = await app.signIn('admin');
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const makeCode = async (change: Record<string, unknown> = {}) => {
  const body = { store_id: app.shop.storeId, name: 'Kitchen tablet', ...change };
  const { status, body: made } = await app.request('POST', '/v1/devices/codes', { token: admin, body });
  expect(status, JSON.stringify(made)).toBe(201);
  return made.data as { code: string; url: string; expires_at: string };
};
const signIn = (code: string, to: TestApp = app, headers = {}) =>
  to.request('POST', '/v1/devices/sign-in', { body: { code }, headers });
const newDevice = async (change: Record<string, unknown> = {}) => {
  const { body } = await signIn((await makeCode(change)).code);
  return body.data as { token: string; device: { id: string; name: string } };
};
const later = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};

test('a device signs in with a code, which works once and for ten minutes', async () => {
  const { code, url, expires_at: until } = await makeCode({ station: 'Grill' });
  expect(url).toBe(`https://shop.example.com/app/device#${code}`);
  expect(Date.parse(until) - saturdayEvening.getTime()).toBe(600_000);
  const { status, body } = await signIn(`${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`);
  expect(status).toBe(200);
  expect(body.data.device).toMatchObject({
    store_id: app.shop.storeId,
    kind: 'tablet',
    name: 'Kitchen tablet',
    station: 'Grill',
    revoked_at: null,
  });
  const again = await signIn(code);
  expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['code']]);
  const old = await makeCode();
  later(10);
  expect((await signIn(old.code)).status).toBe(422);
  const { token } = body.data;
  const me = await app.request('GET', '/v1/auth/user', { token });
  expect(me.body.data).toMatchObject({ role: 'store_admin', store_ids: [app.shop.storeId], is_device: true });
  const rows = await app.database.db.selectFrom('devices').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('a code has 40 bits, from signs that are not mistaken for each other', async () => {
  const store = { store_id: app.shop.storeId, name: 'Counter', station: '' };
  const made = await app.database.db.transaction().execute(async (tx) => {
    const codes: string[] = [];
    for (let count = 0; count < 400; count += 1) codes.push((await makeDeviceCode(tx, store, app.clock.now)).code);
    return codes;
  });
  const codes = [(await makeCode()).code, ...made];
  expect(codes.filter((code) => !/^[2-9A-HJ-NP-Z]{8}$/.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
  // 32 signs at each of 8 places, less what so few codes may leave out.
  const signsAt = Array.from({ length: 8 }, (_, place) => new Set(codes.map((code) => code[place])).size);
  expect(signsAt.reduce((bits, signs) => bits + Math.log2(signs), 0)).toBeGreaterThan(39);
  const stored = await app.database.db.selectFrom('device_codes').selectAll().execute();
  expect(codes.filter((code) => JSON.stringify(stored).includes(code))).toEqual([]);
  await app.database.db.deleteFrom('device_codes').execute();
});

test('of two devices that use one code at once, on two instances, one is signed in', async () => {
  const other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop);
  try {
    const { code } = await makeCode();
    const both = await Promise.all([signIn(code), signIn(code, other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  } finally {
    await other.close();
  }
});

test('guessing is limited for each address', async () => {
  const from = { 'x-forwarded-for': '192.0.2.7' };
  const guess = () => signIn('ABCDEFGH', app, from);
  const statuses = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await guess()).status);
  expect(statuses.at(0)).toBe(422);
  expect(statuses.at(-1)).toBe(429);
  const { code } = await makeCode();
  expect((await signIn(code, app, from)).status).toBe(429);
  expect((await signIn(code)).status).toBe(200);
});

test('it works as the staff of its store, and the history has its name', async () => {
  const { token } = await newDevice({ name: 'Counter' });
  const session = randomUUID();
  const till = await app.request('POST', '/v1/orders', { token, body: app.orderBody({ session, channel: 'counter' }) });
  expect(till.status, JSON.stringify(till.body)).toBe(201);
  const { id } = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data;
  const accepted = await app.request('POST', `/v1/orders/${id}/accept`, { token, body: {} });
  expect(accepted.body.data.history.at(-1)).toMatchObject({ to: 'accepted', actor: 'Counter' });
  expect((await app.request('GET', '/v1/orders', { token })).body.meta.total).toBeGreaterThanOrEqual(2);
  const lines = await app.database.db.selectFrom('audit_log').select(['actor', 'action']).execute();
  expect(lines).toContainEqual({ actor: 'Counter', action: 'POST /v1/orders/{id}/accept' });
  expect(lines).toContainEqual({ actor: 'Counter', action: 'POST /v1/devices/sign-in' });
});

test('it does not reach settings, nor what people do with accounts of their own', async () => {
  const { token } = await newDevice();
  const refused: [method: string, path: string][] = [
    ['PATCH', `/v1/stores/${app.shop.storeId}`],
    ['PATCH', '/v1/auth/user'],
    ['POST', '/v1/auth/password'],
    ['DELETE', '/v1/auth/user'],
    ['GET', '/v1/auth/sign-ins'],
    ['POST', '/v1/push/devices'],
    ['GET', '/v1/devices'],
    ['POST', '/v1/devices/codes'],
  ];
  for (const [method, path] of refused) {
    const { status } = await app.request(method, path, { token, ...(method !== 'GET' && { body: {} }) });
    expect(status, `${method} ${path}`).toBe(403);
  }
});

test('it is cut off at once when it is revoked, its sockets too, and does not come back', async () => {
  const { token, device } = await newDevice();
  const channel = `private-stores.${app.shop.storeId}.orders`;
  const client = connectToApp(app.url, token);
  const heard = client.subscribe(channel);
  await nextEvent(heard, 'pusher:subscription_succeeded');
  const cut = nextEvent(heard, 'pusher:subscription_error');
  expect((await app.request('DELETE', `/v1/devices/${device.id}`, { token: admin })).status).toBe(204);
  // It asks again, and is refused.
  await cut;
  expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
  const auth = { socket_id: '1.2', channel_name: channel };
  expect((await app.request('POST', '/v1/broadcasting/auth', { token, body: auth })).status).toBe(401);
  expect((await app.request('DELETE', `/v1/devices/${device.id}`, { token: admin })).status).toBe(404);
  client.disconnect();
});

test('it can sign itself out, which is for good', async () => {
  const { token } = await newDevice();
  expect((await app.request('POST', '/v1/auth/logout', { token, body: {} })).status).toBe(204);
  expect((await app.request('GET', '/v1/devices/me', { token })).status).toBe(401);
});

test('the owner sees when it was last there and in which condition, and renames it', async () => {
  const { token, device } = await newDevice({ name: 'Old name' });
  later(5);
  const state = { version: '3.10.18', battery: 12, is_charging: false, wifi: 2 };
  expect((await app.request('POST', '/v1/devices/heartbeat', { token, body: state })).status).toBe(200);
  expect((await app.request('POST', '/v1/devices/heartbeat', { token, body: { battery: 11 } })).status).toBe(200);
  const change = { name: 'Grill tablet', station: 'Grill' };
  expect((await app.request('PATCH', `/v1/devices/${device.id}`, { token: admin, body: change })).status).toBe(200);
  const { body } = await app.request('GET', '/v1/devices', { token: admin });
  const found = body.data.find(({ id }: { id: string }) => id === device.id);
  expect(found).toMatchObject({ ...state, ...change, battery: 11, last_seen_at: app.clock.now.toISOString() });
  expect(JSON.stringify(body)).not.toContain('token');
  expect((await app.request('GET', '/v1/auth/user', { token })).body.data.name).toBe('Grill tablet');
  await app.request('DELETE', `/v1/devices/${device.id}`, { token: admin });
  const ids = async () =>
    (await app.request('GET', '/v1/devices', { token: await app.signIn('admin') })).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await ids()).toContain(device.id);
  later(8 * 24 * 60);
  expect(await ids()).not.toContain(device.id);
});

test.each([
  ['while the shop is open', '2026-11-21T18:00:00Z', false],
  ['long before it opens', '2026-11-22T04:00:00Z', true],
])('%s, an update may be installed: %s', async (_when, at, may) => {
  const { token } = await newDevice();
  app.clock.now = new Date(at);
  const { body } = await app.request('POST', '/v1/devices/heartbeat', { token, body: {} });
  expect(body.data.may_install_updates).toBe(may);
  const opens = body.data.closed_until;
  expect(opens === null).toBe(!may);
  app.clock.now = new Date(Date.parse(opens ?? at) - (may ? 10 * 60_000 : 0));
  const soon = await app.request('POST', '/v1/devices/heartbeat', { token, body: {} });
  expect(soon.body.data.may_install_updates).toBe(false);
});

test('codes that nobody used are deleted', async () => {
  await makeCode();
  later(11);
  const sweep = startAccountSweep({ ...app.services, now: () => app.clock.now });
  await sweep.sweep();
  await sweep.stop();
  expect(await app.database.db.selectFrom('device_codes').selectAll().execute()).toEqual([]);
});
