import PusherServer from 'pusher';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findSignatureFault } from '#realtime/server/pusher-http-api.ts';
import { signCall } from '#realtime/testing/server-api.ts';
import {
  APP,
  connectRaw,
  startTestServer,
  subscribeRaw,
  type RawClient,
  type TestServer,
} from '#realtime/testing/server.ts';

let server: TestServer;
let library: PusherServer;
let client: RawClient;

beforeAll(async () => {
  server = await startTestServer();
  library = new PusherServer({ ...APP, host: '127.0.0.1', port: String(server.port), useTLS: false });
});

afterAll(() => server.stop());

beforeEach(async () => {
  client = await connectRaw(server.port);
});

afterEach(() => client.socket.terminate());

async function read(path: string, params: Record<string, string> = {}): Promise<unknown> {
  return (await library.get({ path, params })).json();
}

const refusal = (status: number) => expect.objectContaining({ status });

test('the official library publishes to a channel', async () => {
  await subscribeRaw(server, client, 'private-a');
  const answer = await library.trigger('private-a', 'greeting', { text: 'Grüße 🍕' });
  expect(await answer.json()).toEqual({});
  expect(await client.next('greeting')).toEqual({
    event: 'greeting',
    channel: 'private-a',
    data: { text: 'Grüße 🍕' },
  });
});

test('the official library publishes to many channels, leaving one socket out', async () => {
  const other = await connectRaw(server.port);
  for (const channel of ['a', 'b']) {
    client.send('pusher:subscribe', { channel });
    other.send('pusher:subscribe', { channel });
    await client.next('pusher_internal:subscription_succeeded');
    await other.next('pusher_internal:subscription_succeeded');
  }
  await library.trigger(['a', 'b'], 'hello', {}, { socket_id: other.socketId });
  expect([(await client.next('hello')).channel, (await client.next('hello')).channel]).toEqual(['a', 'b']);
  await library.trigger('a', 'end', {});
  await other.next('end');
  expect(other.received).toEqual([]);
  other.socket.terminate();
});

test('the official library publishes a batch', async () => {
  await subscribeRaw(server, client, 'private-a');
  await library.triggerBatch([
    { channel: 'private-a', name: 'one', data: { n: 1 } },
    { channel: 'private-a', name: 'two', data: { n: 2 } },
  ]);
  expect((await client.next('one')).data).toEqual({ n: 1 });
  expect((await client.next('two')).data).toEqual({ n: 2 });
});

test('what is published can answer with counts', async () => {
  await subscribeRaw(server, client, 'presence-a', 'anna');
  const answer = await library.trigger(['presence-a', 'b'], 'x', {}, { info: 'user_count,subscription_count' });
  expect(await answer.json()).toEqual({
    channels: { 'presence-a': { user_count: 1, subscription_count: 1 }, b: { subscription_count: 0 } },
  });
});

test('the official library queries channels and users', async () => {
  const second = await connectRaw(server.port);
  await subscribeRaw(server, client, 'presence-a', 'anna');
  await subscribeRaw(server, second, 'presence-a', 'anna');
  await subscribeRaw(server, client, 'private-b');
  expect(await read('/channels')).toEqual({ channels: { 'presence-a': {}, 'private-b': {} } });
  expect(await read('/channels', { filter_by_prefix: 'presence-', info: 'user_count' })).toEqual({
    channels: { 'presence-a': { user_count: 1 } },
  });
  expect(await read('/channels/presence-a', { info: 'user_count,subscription_count' })).toEqual({
    occupied: true,
    user_count: 1,
    subscription_count: 2,
  });
  expect(await read('/channels/private-nobody')).toEqual({ occupied: false });
  expect(await read('/channels/presence-a/users')).toEqual({ users: [{ id: 'anna' }] });
  second.socket.terminate();
});

test('the official library reaches a signed-in user and terminates the connections', async () => {
  const userData = JSON.stringify({ id: 'anna' });
  client.send('pusher:signin', { auth: server.realtime.signUser(client.socketId, userData), user_data: userData });
  expect((await client.next('pusher:signin_success')).data).toEqual({ user_data: userData });
  client.send('pusher:subscribe', { channel: '#server-to-user-anna' });
  await client.next('pusher_internal:subscription_succeeded');
  await library.sendToUser('anna', 'note', { hello: 1 });
  expect((await client.next('note')).data).toEqual({ hello: 1 });
  await library.terminateUserConnections('anna');
  expect((await client.closed).code).toBe(4009);
});

test('signatures of the official library are taken by the socket', async () => {
  const member = { user_id: 'anna', user_info: { name: 'Anna' } };
  client.send('pusher:subscribe', {
    channel: 'presence-a',
    ...library.authorizeChannel(client.socketId, 'presence-a', member),
  });
  const { data } = await client.next('pusher_internal:subscription_succeeded');
  expect(data).toEqual({ presence: { ids: ['anna'], hash: { anna: { name: 'Anna' } }, count: 1 } });
});

test.each([
  ['another secret', { secret: 'wrong' }, 401],
  ['another key', { key: 'wrong' }, 401],
  ['another application', { appId: '2' }, 404],
])('a call with %s is refused', async (_, change, status) => {
  const stranger = new PusherServer({ ...APP, ...change, host: '127.0.0.1', port: String(server.port), useTLS: false });
  await expect(stranger.trigger('a', 'x', {})).rejects.toEqual(refusal(status));
});

test('an overheard call is refused once its timestamp is stale, and so is one from the future', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const [seconds, isTaken] of [
    [-601, false],
    [601, false],
    [-590, true],
    [590, true],
  ] as const) {
    vi.setSystemTime(Date.now() + seconds * 1000);
    const query = library.createSignedQueryString({ method: 'GET', path: '/apps/1/channels', params: {} });
    vi.setSystemTime(Date.now() - seconds * 1000);
    const answer = await fetch(`http://127.0.0.1:${server.port}/apps/1/channels?${query}`);
    expect([seconds, answer.status]).toEqual([seconds, isTaken ? 200 : 401]);
  }
  vi.useRealTimers();
});

test.each([
  ['data of more than 10 KB', 'a', 'x', 'y'.repeat(10_241), 413],
  ['a name of the protocol', 'a', 'pusher:error', {}, 400],
  ['an internal name', 'a', 'pusher_internal:member_added', {}, 400],
  ['no data', 'a', 'x', undefined, 400],
])('an event with %s is refused', async (_, channel, event, data, status) => {
  await expect(library.trigger(channel, event, data)).rejects.toEqual(refusal(status));
});

test.each([
  ['POST', '/events', '{"name":"x","data":"y"}', 400],
  ['POST', '/events', '{"name":"x","data":"y","channels":[]}', 400],
  ['POST', '/events', '{"name":"x","data":"y","channel":"white space"}', 400],
  [
    'POST',
    '/events',
    `{"name":"x","data":"y","channels":${JSON.stringify(Array.from({ length: 101 }, (_, i) => `c${i}`))}}`,
    400,
  ],
  ['POST', '/events', '{"name":"x","data":"y","channel":"a","socket_id":"abc"}', 400],
  ['POST', '/events', 'no json', 400],
  ['POST', '/events', '', 400],
  ['POST', '/batch_events', '{"batch":[]}', 400],
  ['POST', '/batch_events', `{"batch":[{"name":"x","channel":"a","data":${JSON.stringify('y'.repeat(10_241))}}]}`, 413],
  ['GET', '/channels/white%20space', '', 400],
  ['GET', '/channels/private-a/users', '', 400],
  ['GET', '/channels/a/b/c', '', 404],
  ['GET', '/events', '', 404],
  ['DELETE', '/channels', '', 404],
  ['GET', '/%E0%A4%A', '', 404],
  ['GET', '', '', 404],
])('%s %s %j is refused with %i', async (method, path, rawBody, status) => {
  const signed = signCall(method, path, rawBody);
  const answer = await server.realtime.handleServerApi(signed);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ message: expect.any(String), code: expect.any(String) });
});

test('a changed body, path, method or query breaks the signature', () => {
  const call = signCall('POST', '/events', '{"name":"x"}');
  const app = { key: APP.key, secret: APP.secret };
  expect(findSignatureFault(app, call, Date.now())).toBeNull();
  expect(findSignatureFault(app, { ...call, rawBody: '{"name":"y"}' }, Date.now())).toContain('body_md5');
  expect(findSignatureFault(app, { ...call, path: '/apps/1/channels' }, Date.now())).toContain('auth_signature');
  expect(findSignatureFault(app, { ...call, method: 'GET' }, Date.now())).toContain('auth_signature');
  expect(findSignatureFault(app, { ...call, query: { ...call.query, body_md5: '' } }, Date.now())).toContain(
    'body_md5',
  );
  expect(findSignatureFault(app, { ...call, query: { ...call.query, info: ['a', 'b'] } }, Date.now())).toContain(
    'info',
  );
  expect(findSignatureFault(app, { ...call, query: {} }, Date.now())).toContain('auth_key');
});
