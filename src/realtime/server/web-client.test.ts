import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PusherConstructor } from '#realtime/web/pusher.ts';
import { createRealtimeClient, type RealtimeClient } from '#realtime/web/realtime-client.ts';
import type { PresentMember } from '#realtime/web/subscriptions.ts';
import { Pusher } from '#realtime/testing/clients.ts';
import { APP, settle, startTestServer, type TestServer } from '#realtime/testing/server.ts';

/** The pages' own client against the real server, with the real library. */
let server: TestServer;
const clients: RealtimeClient[] = [];
let token: string | null;
const onRefused = vi.fn<() => Promise<void>>(async () => undefined);

beforeEach(async () => {
  server = await startTestServer();
  token = 'anna';
  onRefused.mockClear();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
});

const loadPusher = async () => Pusher as unknown as PusherConstructor;

function createClient(load = loadPusher): RealtimeClient {
  const config = { key: APP.key, host: '127.0.0.1', port: server.port, tls: false, cluster: 'mt1' };
  const client = createRealtimeClient(
    { ...config, authUrl: `http://127.0.0.1:${server.port}/v1/broadcasting/auth` },
    {
      loadPusher: load,
      readToken: () => token,
      onRefused,
      whenIdle: (run) => void setTimeout(run),
      onReturn: () => () => undefined,
    },
  );
  clients.push(client);
  return client;
}

test('the library is not loaded before the first subscription', async () => {
  const load = vi.fn<() => Promise<PusherConstructor>>(loadPusher);
  const client = createClient(load);
  await settle();
  expect(load).not.toHaveBeenCalled();
  expect(client.connection.read()).toEqual({
    state: 'initialized',
    lastHeardAt: null,
    channels: new Map(),
    isPolling: false,
  });
  client.subscribe('stores', {});
  await expect.poll(() => client.connection.read().state).toBe('connected');
  expect(load).toHaveBeenCalledTimes(1);
});

test('a page hears the events it has handlers for', async () => {
  const heard: unknown[] = [];
  const onCaughtUp = vi.fn<() => void>();
  createClient().subscribe<{ 'store.updated': { store: { name: string } } }>(
    'stores',
    { 'store.updated': ({ store }) => heard.push(store.name) },
    { onCaughtUp },
  );
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(1);
  await server.realtime.publish([
    { channel: 'stores', event: 'menu.updated', data: {} },
    { channel: 'stores', event: 'store.updated', data: { store: { name: 'Hatch' } } },
  ]);
  await expect.poll(() => heard).toEqual(['Hatch']);
});

test('each subscription is authorised with the token of that moment', async () => {
  const client = createClient();
  const caughtUp: string[] = [];
  for (const next of ['anna', 'ben']) {
    token = next;
    client.subscribe(`private-${next}`, {}, { onCaughtUp: () => caughtUp.push(next) });
    await expect.poll(() => caughtUp.at(-1)).toBe(next);
  }
  token = null;
  client.subscribe('private-nobody', {});
  await expect.poll(() => client.connection.read().channels.get('private-nobody')).toBe('refused');
  expect(onRefused).toHaveBeenCalledTimes(1);
  expect(client.connection.read()).toMatchObject({ state: 'connected', isPolling: true });
  expect(server.authCalls.map((call) => call.token)).toEqual(['anna', 'ben', null]);
});

test('a page that goes and comes back at once, as React does in development, still listens', async () => {
  const client = createClient();
  const heard: unknown[] = [];
  const listen = () => client.subscribe('private-a', { x: (data: unknown) => heard.push(data) });
  listen()();
  const stop = listen();
  await expect.poll(() => client.connection.read().state).toBe('connected');
  stop();
  listen()();
  const onCaughtUp = vi.fn<() => void>();
  client.subscribe('private-a', { x: (data: unknown) => heard.push(data) }, { onCaughtUp });
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(1);
  await server.realtime.publish([{ channel: 'private-a', event: 'x', data: { n: 1 } }]);
  await expect.poll(() => heard).toEqual([{ n: 1 }]);
  await settle();
  expect(heard).toHaveLength(1);
});

test('a channel that nobody listens to any more is left', async () => {
  const client = createClient();
  const onCaughtUp = vi.fn<() => void>();
  const stop = client.subscribe('stores', {}, { onCaughtUp });
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(1);
  stop();
  await expect.poll(() => server.realtime.stats().channels).toBe(0);
});

test('after a crash of the server every page refetches, and goes on listening', async () => {
  const client = createClient();
  const onCaughtUp = vi.fn<() => void>();
  const heard: unknown[] = [];
  client.subscribe('private-a', { x: (data: unknown) => heard.push(data) }, { onCaughtUp });
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(1);
  const { port } = server;
  const states: string[] = [];
  client.connection.observe(() => states.push(client.connection.read().state));
  server.crash();
  await server.stop();
  server = await startTestServer({}, port);
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(2);
  expect([...new Set(states)]).toEqual(['connecting', 'connected']);
  await server.realtime.publish([{ channel: 'private-a', event: 'x', data: 1 }]);
  await expect.poll(() => heard).toEqual([1]);
});

test('a server that is away for longer is found again within seconds of its return', async () => {
  const client = createClient();
  const onCaughtUp = vi.fn<() => void>();
  client.subscribe('stores', {}, { onCaughtUp });
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(1);
  const { port } = server;
  server.crash();
  await server.stop();
  // The library's first attempt, a second after the drop, fails; on its own it would then wait 15 s.
  await settle(1500);
  server = await startTestServer({}, port);
  await expect.poll(() => onCaughtUp.mock.calls).toHaveLength(2);
});

test('the boards of a shop see each other', async () => {
  const seen: PresentMember[][] = [];
  createClient().subscribe('presence-stores.1.boards', {}, { onMembers: (members) => seen.push(members) });
  await expect.poll(() => seen).toHaveLength(1);
  token = 'ben';
  const other = createClient();
  other.subscribe('presence-stores.1.boards', {});
  await expect.poll(() => seen.at(-1)?.map(({ id }) => id)).toEqual(['anna', 'ben']);
  other.close();
  await expect.poll(() => seen.at(-1)?.map(({ id }) => id)).toEqual(['anna']);
});

test('when the library cannot be loaded it is asked for again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const load = vi.fn<() => Promise<PusherConstructor>>(loadPusher);
  load.mockRejectedValueOnce(new Error('offline'));
  createClient(load).subscribe('stores', {});
  await vi.advanceTimersByTimeAsync(4000);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(load).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
