import PusherServer from 'pusher';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { nextEvent, Pusher, type PusherClient } from '#realtime/testing/clients.ts';

const keys = { PUSHER_APP_ID: 'hatch', PUSHER_APP_KEY: 'a-key', PUSHER_APP_SECRET: 'a-secret-of-some-length' };
const addresses = [
  '/v1/broadcasting/auth',
  '/broadcasting/auth',
  '/v1/broadcasting/user-auth',
  '/broadcasting/user-auth',
  '/pusher/user-auth',
];

let app: TestApp;
let clients: PusherClient[] = [];
beforeAll(async () => {
  app = await startTestApp({}, keys);
});
afterEach(() => {
  for (const client of clients) client.disconnect();
  clients = [];
});
afterAll(() => app.close());

/** Unmodified `pusher-js` that signs in at this address. */
function connect(path: string, token: string | null): PusherClient {
  const client = new Pusher(keys.PUSHER_APP_KEY, {
    cluster: 'mt1',
    wsHost: '127.0.0.1',
    wsPort: Number(new URL(app.url).port),
    forceTLS: false,
    enabledTransports: ['ws', 'wss'],
    userAuthentication: {
      transport: 'ajax',
      endpoint: app.url + path,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
    },
  });
  clients.push(client);
  return client;
}

const userOf = async (token: string) => (await app.request('GET', '/v1/auth/user', { token })).body.data;

test.each(addresses)('`pusher-js` signs a customer in at %s', async (path) => {
  const token = await app.signIn('customer');
  const { id, name } = await userOf(token);
  const client = connect(path, token);
  client.signin();
  await nextEvent(client.connection, 'connected');
  await client.user.signinDonePromise;
  expect(client.user.user_data).toMatchObject({ id, user_info: { name } });
});

test('staff sign in as well, and the official library ends all connections of a user', async () => {
  const token = await app.signIn('admin');
  const { id } = await userOf(token);
  const client = connect('/broadcasting/user-auth', token);
  client.signin();
  await nextEvent(client.connection, 'connected');
  await client.user.signinDonePromise;
  const { port } = new URL(app.url);
  const library = new PusherServer({
    appId: keys.PUSHER_APP_ID,
    key: keys.PUSHER_APP_KEY,
    secret: keys.PUSHER_APP_SECRET,
    host: '127.0.0.1',
    port,
    useTLS: false,
  });
  const gone = nextEvent(client.connection, 'disconnected');
  await library.terminateUserConnections(id);
  await gone;
  expect(client.connection.state).toBe('disconnected');
});

describe('nobody signs in', () => {
  test.each(addresses)('as a guest at %s', async (path) => {
    const body = { socket_id: '1234.5678' };
    expect((await app.request('POST', path, { body })).status).toBe(401);
    expect((await app.request('POST', path, { body, token: 'dead' })).status).toBe(401);
  });
});
