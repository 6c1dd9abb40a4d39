import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectPusher, nextEvent, type ClientOptions, type PusherClient } from '#realtime/testing/clients.ts';
import { settle, startTestServer, type TestServer } from '#realtime/testing/server.ts';

let server: TestServer;
let clients: PusherClient[];

beforeEach(async () => {
  server = await startTestServer();
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.disconnect();
  await server.stop();
});

function connect(options: ClientOptions = {}): PusherClient {
  const client = connectPusher(server, options);
  clients.push(client);
  return client;
}

interface Members {
  count: number;
  members: Record<string, unknown>;
  myID: string;
}

test('a page on the public channel gets the store that was updated', async () => {
  const channel = connect().subscribe('stores');
  await nextEvent(channel, 'pusher:subscription_succeeded');
  const heard = nextEvent(channel, 'store.updated');
  await server.realtime.publish([
    { channel: 'stores', event: 'store.updated', data: { store: { name: 'Café “Ü” 🍕' } } },
  ]);
  expect(await heard).toEqual({ store: { name: 'Café “Ü” 🍕' } });
});

test('a private channel is heard after authorisation', async () => {
  const channel = connect({ token: 'anna' }).subscribe('private-orders.1');
  await nextEvent(channel, 'pusher:subscription_succeeded');
  const heard = nextEvent(channel, 'order.updated');
  await server.realtime.publish([
    { channel: 'private-orders.1', event: 'order.updated', data: { order: { id: '1' } } },
  ]);
  expect(await heard).toEqual({ order: { id: '1' } });
  expect(server.authCalls).toEqual([{ token: 'anna', channel: 'private-orders.1' }]);
});

test('a private channel stays silent for whom the endpoint refuses', async () => {
  const client = connect();
  const channel = client.subscribe('private-orders.1');
  expect(await nextEvent(channel, 'pusher:subscription_error')).toMatchObject({ type: 'AuthError', status: 403 });
  let heard = 0;
  channel.bind('order.updated', () => (heard += 1));
  await server.realtime.publish([{ channel: 'private-orders.1', event: 'order.updated', data: {} }]);
  await settle();
  expect(heard).toBe(0);
});

test('a forged signature is refused by the socket itself', async () => {
  const client = connect();
  await nextEvent(client.connection, 'connected');
  const channel = client.subscribe('stores');
  await nextEvent(channel, 'pusher:subscription_succeeded');
  const refused = nextEvent(client.connection, 'message');
  client.send_event('pusher:subscribe', { channel: 'private-orders.1', auth: `hatch-key:${'0'.repeat(64)}` });
  expect(await refused).toMatchObject({ event: 'pusher:subscription_error', data: { type: 'AuthError', status: 401 } });
});

test('one user in two tabs is one member, who leaves with the last tab', async () => {
  const board = connect({ token: 'board' }).subscribe('presence-stores.1.boards');
  await nextEvent(board, 'pusher:subscription_succeeded');
  const seen: string[] = [];
  board.bind('pusher:member_added', (member: { id: string }) => seen.push(`+${member.id}`));
  board.bind('pusher:member_removed', (member: { id: string }) => seen.push(`-${member.id}`));

  const tabs = [connect({ token: 'anna' }), connect({ token: 'anna' })];
  for (const tab of tabs) {
    const members = await nextEvent<Members>(
      tab.subscribe('presence-stores.1.boards'),
      'pusher:subscription_succeeded',
    );
    expect(members.count).toBe(2);
    expect(members.myID).toBe('anna');
    expect(members.members).toEqual({ board: { name: 'BOARD' }, anna: { name: 'ANNA' } });
  }
  tabs[0]?.disconnect();
  await settle();
  expect(seen).toEqual(['+anna']);
  tabs[1]?.unsubscribe('presence-stores.1.boards');
  await expect.poll(() => seen).toEqual(['+anna', '-anna']);
});

test('a client event reaches the other members with its sender, and not the sender', async () => {
  const channels = [connect({ token: 'anna' }), connect({ token: 'ben' })].map((it) => it.subscribe('presence-room'));
  await Promise.all(channels.map((channel) => nextEvent(channel, 'pusher:subscription_succeeded')));
  const heard: unknown[] = [];
  for (const [index, channel] of channels.entries()) {
    channel.bind('client-typing', (data: unknown, metadata: unknown) => heard.push([index, data, metadata]));
  }
  channels[0]?.trigger('client-typing', { at: 1 });
  await expect.poll(() => heard).toEqual([[1, { at: 1 }, { user_id: 'anna' }]]);
  await settle();
  expect(heard).toHaveLength(1);
});

test('client events beyond ten in a second are answered with 4301', async () => {
  const client = connect({ token: 'anna' });
  const channel = client.subscribe('private-room');
  await nextEvent(channel, 'pusher:subscription_succeeded');
  const errors: unknown[] = [];
  client.connection.bind('error', (error: unknown) => errors.push(error));
  for (let sent = 0; sent < 12; sent += 1) channel.trigger('client-knock', {});
  await expect.poll(() => errors).toHaveLength(2);
  expect(errors[0]).toMatchObject({ type: 'PusherError', data: { code: 4301 } });
  expect(client.connection.state).toBe('connected');
});

test('a signed-in user is reached on every socket, and a terminated one does not come back', async () => {
  const client = connect({ token: 'anna' });
  client.signin();
  await nextEvent(client.connection, 'connected');
  await client.user.signinDonePromise;
  const heard = nextEvent(client.user, 'note');
  // The library subscribes to the user's own channel after the sign-in.
  await expect.poll(() => server.realtime.stats().channels).toBe(1);
  await server.realtime.publish([{ channel: '#server-to-user-anna', event: 'note', data: { hello: true } }]);
  expect(await heard).toEqual({ hello: true });

  const gone = nextEvent(client.connection, 'disconnected');
  await server.realtime.disconnectUser('anna', 'terminate');
  await gone;
  await settle(100);
  expect(client.connection.state).toBe('disconnected');
  expect(server.realtime.stats().connections).toBe(0);
});

test('nobody listens to the channel of another user', async () => {
  const client = connect({ token: 'ben' });
  client.signin();
  await nextEvent(client.connection, 'connected');
  await client.user.signinDonePromise;
  const answers: unknown[] = [];
  client.connection.bind('message', (message: { channel?: string }) => {
    if (message.channel === '#server-to-user-anna') answers.push(message);
  });
  client.send_event('pusher:subscribe', { channel: '#server-to-user-anna' });
  await expect.poll(() => answers).toHaveLength(1);
  expect(answers[0]).toMatchObject({ event: 'pusher:subscription_error', data: { status: 401 } });
});

test('a member whose rights changed comes straight back and is asked for them again', async () => {
  const client = connect({ token: 'anna' });
  const channel = client.subscribe('presence-room');
  await nextEvent(channel, 'pusher:subscription_succeeded');
  server.tokens = new Set();
  const refused = nextEvent(channel, 'pusher:subscription_error');
  await server.realtime.disconnectUser('anna', 'reauthorise');
  expect(await refused).toMatchObject({ status: 403 });
  expect(client.connection.state).toBe('connected');
});

test('after a crash and restart of the server the page connects and subscribes again by itself', async () => {
  const client = connect({ token: 'anna' });
  const channel = client.subscribe('private-orders.1');
  await nextEvent(channel, 'pusher:subscription_succeeded');
  const { port } = server;
  const states: string[] = [];
  client.connection.bind('state_change', ({ current }: { current: string }) => states.push(current));
  server.crash();
  await server.stop();
  server = await startTestServer({}, port);
  await nextEvent(channel, 'pusher:subscription_succeeded');
  expect(states).toEqual(['connecting', 'connected']);
  const heard = nextEvent(channel, 'order.updated');
  await server.realtime.publish([{ channel: 'private-orders.1', event: 'order.updated', data: { n: 1 } }]);
  expect(await heard).toEqual({ n: 1 });
});

test('a wrong key is told so and never tries again', async () => {
  const client = connect({ key: 'someone-else' });
  const error = nextEvent(client.connection, 'error');
  await nextEvent(client.connection, 'disconnected');
  expect(await error).toMatchObject({ error: { data: { code: 4001 } } });
  await settle(100);
  expect(client.connection.state).toBe('disconnected');
  await expect.poll(() => server.realtime.stats()).toMatchObject({ connections: 0, closing: 0 });
});
