import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { openRaw, socketUrl, type RawClient } from '#realtime/testing/server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser, password } from '#testing/users.ts';

const keys = { PUSHER_APP_ID: 'hatch', PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'a-secret-of-some-length' };
const reconnect = 4200;

/** Two instances on one database: a call is made at one, and the socket is at the other. */
let one: TestApp;
let other: TestApp;
let orders: string;
const sockets: RawClient[] = [];
beforeAll(async () => {
  one = await startTestApp({}, keys);
  other = await startAppOn({ ...one.database, drop: async () => {} }, one.shop, keys);
  orders = storeOrdersChannelName(one.shop.storeId);
});
beforeEach(() => {
  one.clock.now = other.clock.now = saturdayEvening;
});
afterEach(() => {
  for (const { socket } of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await other.close();
  await one.close();
});

async function connect(app = other): Promise<RawClient> {
  const client = openRaw(socketUrl(Number(new URL(app.url).port), '/app/test-key?protocol=7'));
  sockets.push(client);
  const greeting = await client.next('pusher:connection_established');
  client.socketId = (greeting.data as { socket_id: string }).socket_id;
  return client;
}

const authorise = (client: RawClient, token: string, channel?: string) =>
  other.request('POST', '/v1/broadcasting/auth', {
    token,
    body: { socket_id: client.socketId, channel_name: channel },
  });

/** A socket at the other instance that listens by this token. */
async function listen(token: string, channel = orders): Promise<RawClient> {
  const client = await connect();
  const { status, body } = await authorise(client, token, channel);
  expect(status).toBe(200);
  client.send('pusher:subscribe', { channel, ...body });
  await client.next('pusher_internal:subscription_succeeded');
  return client;
}

const isOpen = ({ socket }: RawClient) => socket.readyState === socket.OPEN;

/** Longer than two looks at the database. */
const twoLooks = () => new Promise((resolve) => void setTimeout(resolve, 2500));

const userOf = async (token: string) => (await one.request('GET', '/v1/auth/user', { token })).body.data.id as string;

async function staff(): Promise<{ token: string; id: string }> {
  const token = await one.signIn('store_admin', [one.shop.storeId]);
  return { token, id: await userOf(token) };
}

const admin = () => one.signIn('admin');

const signInWithPassword = async (email: string) =>
  (await one.request('POST', '/v1/auth/login', { body: { email, password } })).body.token as string;

const calls: [string, (who: { token: string; id: string }) => Promise<{ status: number }>][] = [
  ['they sign out', ({ token }) => one.request('POST', '/v1/auth/logout', { token })],
  ['they sign out everywhere', ({ token }) => one.request('POST', '/v1/auth/logout-everywhere', { token })],
  [
    'the owner signs them out',
    async ({ id }) => one.request('POST', `/v1/staff/${id}/logout-everywhere`, { token: await admin() }),
  ],
  [
    'they are moved to another shop',
    async ({ id }) => {
      const token = await admin();
      const made = await one.request('POST', '/v1/stores', { token, body: { name: `Shop of ${id}` } });
      return one.request('PATCH', `/v1/staff/${id}`, { token, body: { store_ids: [made.body.data.id] } });
    },
  ],
  ['they are deleted', async ({ id }) => one.request('DELETE', `/v1/staff/${id}`, { token: await admin() })],
];

test.each(calls)('a socket is cut when %s, and cannot come back by the same token', async (_what, call) => {
  const who = await staff();
  const client = await listen(who.token);
  const stays = await listen((await staff()).token);
  expect((await call(who)).status).toBeLessThan(300);
  expect((await client.closed).code).toBe(reconnect);
  expect((await authorise(await connect(), who.token, orders)).status).toBeGreaterThanOrEqual(401);
  expect(isOpen(stays)).toBe(true);
});

test('another password cuts the sockets of the other sign-ins', async () => {
  const { email } = await addUser(one.database.db, 'store_admin', [one.shop.storeId]);
  const [token, elsewhere] = [await signInWithPassword(email), await signInWithPassword(email)];
  const client = await listen(elsewhere);
  const body = { current_password: password, password: 'a-password-of-their-own' };
  expect((await one.request('POST', '/v1/auth/password', { token, body })).status).toBe(200);
  expect((await client.closed).code).toBe(reconnect);
  expect((await authorise(await connect(), elsewhere, orders)).status).toBe(401);
});

test('an owner who becomes staff of one shop no longer listens to the others', async () => {
  const token = await admin();
  const second = await one.request('POST', '/v1/stores', { token, body: { name: 'Second shop' } });
  const id = await userOf(token);
  const client = await listen(token, storeOrdersChannelName(second.body.data.id as string));
  const change = { role: 'store_admin', store_ids: [one.shop.storeId] };
  expect((await one.request('PATCH', `/v1/staff/${id}`, { token: await admin(), body: change })).status).toBe(200);
  expect((await client.closed).code).toBe(reconnect);
});

test('a device that is signed out for good is cut', async () => {
  const token = await admin();
  const code = await one.request('POST', '/v1/devices/codes', {
    token,
    body: { store_id: one.shop.storeId, name: 'Kitchen tablet' },
  });
  const { body } = await one.request('POST', '/v1/devices/sign-in', { body: { code: code.body.data.code } });
  const client = await listen(body.data.token, storeBoardsChannel(one.shop.storeId));
  expect((await one.request('DELETE', `/v1/devices/${body.data.device.id}`, { token })).status).toBe(204);
  expect((await client.closed).code).toBe(reconnect);
});

test('a deleted shop cuts those who listen to it, and nobody listens to it again', async () => {
  const token = await admin();
  const made = await one.request('POST', '/v1/stores', { token, body: { name: 'Pop-up' } });
  const { id } = made.body.data as { id: string };
  const channels = [storeOrdersChannelName(id), storeBoardsChannel(id)];
  const clients = await Promise.all(channels.map((channel) => listen(token, channel)));
  const stays = await listen(token);
  expect((await one.request('DELETE', `/v1/stores/${id}`, { token })).status).toBeLessThan(300);
  for (const client of clients) expect((await client.closed).code).toBe(reconnect);
  for (const channel of channels) expect((await authorise(await connect(), token, channel)).status).toBe(403);
  expect(isOpen(stays)).toBe(true);
});

test('a socket is cut when its sign-in ends by time, or by a row that nobody announces', async () => {
  const { token, id } = await staff();
  const client = await listen(token);
  const { token: removed, id: removedId } = await staff();
  const unannounced = await listen(removed);
  await one.database.db.deleteFrom('sign_ins').where('user_id', '=', removedId).execute();
  expect((await unannounced.closed).code).toBe(reconnect);
  expect(isOpen(client)).toBe(true);
  await one.database.db
    .updateTable('sign_ins')
    .set({ expires_at: saturdayEvening })
    .where('user_id', '=', id)
    .execute();
  expect((await client.closed).code).toBe(reconnect);
});

test('a signature from before the sign-out is of no use after it', async () => {
  const { token } = await staff();
  const client = await connect();
  const { body } = await authorise(client, token, orders);
  const asUser = await connect();
  const user = await authorise(asUser, token);
  expect((await one.request('POST', '/v1/auth/logout', { token })).status).toBe(204);
  client.send('pusher:subscribe', { channel: orders, ...body });
  asUser.send('pusher:signin', user.body);
  expect((await client.closed).code).toBe(reconnect);
  expect((await asUser.closed).code).toBe(reconnect);
});

test('who stays signed in, guests, and sockets signed by the owner’s own program keep their sockets', async () => {
  const guest = await listenAsGuest();
  const signedIn = await listen((await staff()).token);
  const foreign = await connect();
  const channel = 'private-of-another-program';
  foreign.send('pusher:subscribe', { channel, auth: other.services.realtime.sign(foreign.socketId, channel) });
  await foreign.next('pusher_internal:subscription_succeeded');
  await twoLooks();
  expect([guest, signedIn, foreign].map(isOpen)).toEqual([true, true, true]);
});

test('a signature for a channel of staff that names no sign-in is refused: nothing would end it', async () => {
  const { id } = await staff();
  for (const channel of [orders, storeBoardsChannel(one.shop.storeId)]) {
    for (const data of [undefined, JSON.stringify({ user_id: id, user_info: { name: 'Sam' } })]) {
      const client = await connect();
      const auth = other.services.realtime.sign(client.socketId, channel, data);
      client.send('pusher:subscribe', { channel, auth, channel_data: data });
      expect((await client.next('pusher:subscription_error')).data).toMatchObject({ type: 'AuthError', status: 401 });
    }
  }
});

async function listenAsGuest(): Promise<RawClient> {
  const client = await connect();
  client.send('pusher:subscribe', { channel: 'stores' });
  await client.next('pusher_internal:subscription_succeeded');
  return client;
}
