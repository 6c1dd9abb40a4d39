import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { orderChannelName } from '#ordering/channels.ts';
import { createClientAddressReader } from '#platform/server/client-address.ts';
import type { RealtimeLimits } from '#realtime/server/connection.ts';
import type { RealtimeOptions } from '#realtime/server/realtime.ts';
import {
  APP,
  connectRaw,
  openRaw,
  type RawClient,
  type ReceivedEvent,
  settle,
  socketUrl,
  startTestServer,
  subscribeRaw,
  type TestServer,
} from '#realtime/testing/server.ts';

let server: TestServer;

afterEach(() => server.stop());

async function start(
  limits: Partial<RealtimeLimits> = {},
  options: Partial<RealtimeOptions> = {},
): Promise<TestServer> {
  server = await startTestServer({ ...options, limits });
  return server;
}

/** Sends raw bytes and returns the whole answer once the other side has closed. */
async function talk(request: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => (answer += String(bytes)));
  socket.on('error', () => undefined);
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

const HANDSHAKE = ['Host: 127.0.0.1', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const PATH = `/app/${APP.key}?protocol=7`;

function request(line: string, ...headers: string[]): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`;
}

test('the first frame is the greeting of the protocol', async () => {
  await start();
  const client = openRaw(socketUrl(server.port));
  client.socket.once('message', (bytes) => {
    expect(String(bytes)).toMatch(
      /^\{"event":"pusher:connection_established","data":"\{\\"socket_id\\":\\"\d+\.\d+\\",\\"activity_timeout\\":120\}"\}$/,
    );
  });
  await client.next('pusher:connection_established');
});

test.each([
  ['an unknown key', '/app/other?protocol=7', 4001],
  ['no key', '/app?protocol=7', 4005],
  ['a longer path', `/app/${APP.key}/more?protocol=7`, 4005],
  ['no version', `/app/${APP.key}`, 4008],
  ['a version that is no number', `/app/${APP.key}?protocol=seven`, 4006],
  ['an old version', `/app/${APP.key}?protocol=4`, 4007],
  ['a version of the future', `/app/${APP.key}?protocol=8`, 4007],
])('%s is told and closed with its code', async (_, path, code) => {
  await start();
  const client = openRaw(socketUrl(server.port, path));
  expect((await client.next('pusher:error')).data).toMatchObject({ code });
  expect((await client.closed).code).toBe(code);
  expect(server.realtime.stats()).toMatchObject({ connections: 0 });
});

test('beyond the capacity a client is asked to try later, and gets in when there is room', async () => {
  await start({ maxConnections: 1, placesForStaff: 0 });
  const first = await connectRaw(server.port);
  expect((await openRaw(socketUrl(server.port)).closed).code).toBe(4100);
  first.socket.close();
  await first.closed;
  await expect.poll(() => server.realtime.stats().connections).toBe(0);
  await connectRaw(server.port);
});

test('one address cannot take all the sockets', async () => {
  await start({ maxConnectionsPerAddress: 1 });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const first = await connectRaw(server.port, from('2001:db8:1:2::1'));
  const again = openRaw(socketUrl(server.port), from('2001:db8:1:2::2'));
  expect((await again.closed).code).toBe(4100);
  const other = await connectRaw(server.port, from('203.0.113.9'));
  first.socket.terminate();
  other.socket.terminate();
  await expect.poll(() => server.realtime.stats().connections).toBe(0);
  await connectRaw(server.port, from('2001:db8:1:2::2'));
});

test('behind a proxy that is not trusted, all share the places of one that names its clients', async () => {
  const clients = { ...createClientAddressReader(), isBehindUnknownProxy: () => true };
  await start({ maxConnectionsPerAddress: 1, maxConnectionsPerStranger: 3 }, { clients });
  for (let place = 0; place < 3; place += 1) await connectRaw(server.port);
  expect((await openRaw(socketUrl(server.port)).closed).code).toBe(4100);
});

test('the last places go to those who are authorised for a channel soon', async () => {
  await start({ maxConnections: 3, placesForStaff: 2, staffWithin: 300 });
  const guest = await connectRaw(server.port);
  const staff = await connectRaw(server.port);
  const stranger = await connectRaw(server.port);
  await subscribeRaw(server, staff, 'private-stores.1.orders');
  stranger.send('pusher:subscribe', { channel: 'stores' });
  expect((await stranger.closed).code).toBe(4100);
  await settle(100);
  expect([guest.socket.readyState, staff.socket.readyState]).toEqual([guest.socket.OPEN, staff.socket.OPEN]);
});

test('names of public channels that somebody made up are limited, the own channel is not', async () => {
  await start({ maxForeignChannelsPerConnection: 2, maxForeignChannels: 3 });
  const subscribe = async (client: RawClient, channel: string) => {
    client.send('pusher:subscribe', { channel });
    const isDone = ({ event }: ReceivedEvent) => /subscription_(succeeded|error)$/.test(event);
    await expect.poll(() => client.received.some(isDone)).toBe(true);
    return client.received.splice(0).find(isDone)?.event.endsWith('succeeded');
  };
  const [first, second] = [await connectRaw(server.port), await connectRaw(server.port)];
  expect(await subscribe(first, 'a')).toBe(true);
  expect(await subscribe(first, 'b')).toBe(true);
  expect(await subscribe(first, 'c')).toBe(false);
  expect(await subscribe(first, 'stores')).toBe(true);
  expect(await subscribe(second, 'c')).toBe(true);
  expect(await subscribe(second, 'd')).toBe(false);
  expect(await subscribe(second, 'a')).toBe(true);
  first.send('pusher:unsubscribe', { channel: 'b' });
  second.send('pusher:unsubscribe', { channel: 'a' });
  expect(await subscribe(second, 'd')).toBe(true);
  expect(await subscribe(second, '__proto__')).toBe(false);
});

test('a client that reads nothing for ten seconds is dropped, one that reads slowly is not', async () => {
  await start({ unreadTimeout: 400, maxBufferedBytes: 64 * 1024 * 1024 });
  const [deaf, busy] = [await connectRaw(server.port), await connectRaw(server.port)];
  for (const client of [deaf, busy]) {
    client.send('pusher:subscribe', { channel: 'stores' });
    await client.next('pusher_internal:subscription_succeeded');
  }
  deaf.socket.pause();
  const data = { text: 'x'.repeat(500_000) };
  for (let sent = 0; sent < 40; sent += 1) {
    await server.realtime.publish([{ channel: 'stores', event: 'store.updated', data }]);
    await settle(20);
  }
  await expect.poll(() => server.realtime.stats()).toMatchObject({ connections: 1, dropped: 1 });
  await expect.poll(() => busy.received.filter(({ event }) => event === 'store.updated').length).toBe(40);
});

test('a page of another origin is refused, the own host and the listed ones are not', async () => {
  await start({}, { allowedOrigins: ['https://shop.example'] });
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'https://shop.example.evil.example']) {
    expect((await openRaw(socketUrl(server.port), { origin }).closed).code).toBe(4009);
  }
  await connectRaw(server.port, { origin: 'https://shop.example' });
  await connectRaw(server.port, { origin: `http://127.0.0.1:${server.port}` });
  await connectRaw(server.port);
});

test('an upgrade of another path is left to other listeners, and answered when there are none', async () => {
  await start();
  expect(await talk(request('GET /other', ...HANDSHAKE, KEY))).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  server.http.on('upgrade', (incoming, socket) => {
    if (incoming.url === '/other') socket.end('HTTP/1.1 418 Teapot\r\n\r\n');
  });
  expect(await talk(request('GET /other', ...HANDSHAKE, KEY))).toMatch(/^HTTP\/1\.1 418/);
  await connectRaw(server.port);
});

test.each([
  ['without a key', request(`GET ${PATH}`, ...HANDSHAKE), 400],
  ['of an old version', request(`GET ${PATH}`, ...HANDSHAKE.slice(0, 3), KEY, 'Sec-WebSocket-Version: 1'), 400],
  ['by POST', request(`POST ${PATH}`, ...HANDSHAKE, KEY), 405],
  ['to another protocol', request(`GET ${PATH}`, 'Host: a', 'Connection: Upgrade', 'Upgrade: h2c'), 400],
])('a handshake %s is answered properly', async (_, text, status) => {
  await start();
  expect(await talk(text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('malformed frames are answered, and the connection goes on', async () => {
  await start();
  const client = await connectRaw(server.port);
  const frames = [
    '',
    'no json',
    '[]',
    'null',
    '7',
    '{}',
    '{"event":7}',
    '{"event":""}',
    '{"event":"x"}',
    '{"event":"pusher:unknown"}',
  ];
  const subscriptions = ['{}', '{"channel":7}', '"text"', '"{\\"channel\\":{}}"', '[]', 'null'];
  frames.push(
    ...subscriptions.map((data) => `{"event":"pusher:subscribe","data":${data}}`),
    '{"event":"client-x","channel":7}',
  );
  for (const frame of frames) {
    client.socket.send(frame);
    expect((await client.next('pusher:error')).data).toEqual({ code: null, message: expect.any(String) });
  }
  client.send('pusher:ping', {});
  await client.next('pusher:pong');
  expect(client.received).toEqual([]);
});

test('an oversized frame closes its socket', async () => {
  await start();
  const client = await connectRaw(server.port);
  client.socket.send('x'.repeat(32 * 1024 + 1));
  expect((await client.closed).code).toBe(1009);
  await expect.poll(() => server.realtime.stats()).toMatchObject({ connections: 0, closing: 0 });
});

test('a binary frame closes its socket', async () => {
  await start();
  const client = await connectRaw(server.port);
  client.socket.send(Buffer.from('{"event":"pusher:ping"}'));
  expect((await client.closed).code).toBe(1003);
});

test('bytes that break the websocket protocol close the socket', async () => {
  await start();
  const socket = connect(server.port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  socket.write(request(`GET ${PATH}`, ...HANDSHAKE, KEY));
  await expect.poll(() => server.realtime.stats().connections).toBe(1);
  // Reserved bits set and no mask: what a broken or hostile client would send.
  socket.write(Buffer.from([0xf1, 0x01, 0x41]));
  await once(socket, 'close');
  expect(Buffer.concat(received).subarray(-4)).toEqual(Buffer.from([0x88, 0x02, 1002 >> 8, 1002 & 0xff]));
  await expect.poll(() => server.realtime.stats()).toMatchObject({ connections: 0, closing: 0 });
});

test('a client that floods is closed and asked to try later', async () => {
  await start({ framesPerSecond: 1, frameBurst: 20 });
  const client = await connectRaw(server.port);
  for (let sent = 0; sent < 30; sent += 1) client.send('pusher:ping');
  expect((await client.closed).code).toBe(4100);
});

test('a silent client is pinged both ways and closed with 4201 when it never answers', async () => {
  await start({ pingAfter: 50, pongTimeout: 60 });
  const client = await connectRaw(server.port, { autoPong: false });
  let pings = 0;
  client.socket.on('ping', () => (pings += 1));
  await client.next('pusher:ping');
  expect((await client.closed).code).toBe(4201);
  expect(pings).toBe(1);
});

test.each([
  ['pusher:pong', false],
  ['a websocket pong', true],
])('a silent client that answers with %s stays', async (_, autoPong) => {
  await start({ pingAfter: 40, pongTimeout: 1000 });
  const client = await connectRaw(server.port, { autoPong });
  for (let round = 0; round < 5; round += 1) {
    await client.next('pusher:ping');
    if (!autoPong) client.send('pusher:pong', {});
  }
  expect(client.socket.readyState).toBe(client.socket.OPEN);
});

test('a client that does not read is dropped, and the others get everything', async () => {
  await start({ maxBufferedBytes: 64 * 1024 });
  const [slow, quick] = [await connectRaw(server.port), await connectRaw(server.port)];
  for (const client of [slow, quick]) {
    client.send('pusher:subscribe', { channel: 'stores' });
    await client.next('pusher_internal:subscription_succeeded');
  }
  slow.socket.pause();
  const data = 'x'.repeat(200_000);
  let sent = 0;
  while (server.realtime.stats().connections === 2 && sent < 200) {
    await server.realtime.publish([{ channel: 'stores', event: 'big', data: { n: sent, data } }]);
    await quick.next('big');
    sent += 1;
  }
  expect(server.realtime.stats()).toMatchObject({ connections: 1, dropped: 1 });
  slow.socket.terminate();
});

test('a client cannot listen twice, to too many channels, or without a valid name', async () => {
  await start({ maxChannelsPerConnection: 2 });
  const client = await connectRaw(server.port);
  client.send('pusher:subscribe', { channel: 'a' });
  await client.next('pusher_internal:subscription_succeeded');
  client.send('pusher:subscribe', { channel: 'a' });
  expect((await client.next('pusher:error')).data).toMatchObject({ message: 'Existing subscription to channel a' });
  client.send('pusher:subscribe', { channel: 'white space' });
  expect((await client.next('pusher:subscription_error')).data).toMatchObject({ type: 'InvalidChannel', status: 400 });
  // Data as JSON text: some client libraries send it so.
  client.send('pusher:subscribe', JSON.stringify({ channel: 'b' }));
  await client.next('pusher_internal:subscription_succeeded');
  client.send('pusher:subscribe', { channel: 'c' });
  expect((await client.next('pusher:subscription_error')).data).toMatchObject({ type: 'LimitReached', status: 403 });
  client.send('pusher:unsubscribe', { channel: 'b' });
  client.send('pusher:subscribe', { channel: 'c' });
  await client.next('pusher_internal:subscription_succeeded');
  expect(server.realtime.stats()).toMatchObject({ channels: 2 });
});

test.each([
  ['no user_id', '{"user_info":{}}', 'AuthError'],
  ['no JSON', 'anna', 'AuthError'],
  ['an empty user_id', '{"user_id":""}', 'AuthError'],
  ['no channel_data', undefined, 'AuthError'],
  ['a large user_info', `{"user_id":"anna","user_info":"${'x'.repeat(1100)}"}`, 'LimitReached'],
])('a presence channel refuses %s, even when it is signed', async (_, channelData, type) => {
  await start();
  const client = await connectRaw(server.port);
  const auth = server.realtime.sign(client.socketId, 'presence-a', channelData);
  client.send('pusher:subscribe', { channel: 'presence-a', auth, channel_data: channelData });
  expect((await client.next('pusher:subscription_error')).data).toMatchObject({ type });
  expect(server.realtime.stats()).toMatchObject({ members: 0, channels: 0 });
});

test('a private channel refuses channel_data that is none, even when it is signed', async () => {
  await start();
  const client = await connectRaw(server.port);
  const auth = server.realtime.sign(client.socketId, 'private-a', 'private-b');
  client.send('pusher:subscribe', { channel: 'private-a', auth, channel_data: 'private-b' });
  expect((await client.next('pusher:subscription_error')).data).toMatchObject({ type: 'AuthError', status: 401 });
});

test('a presence channel holds a limited number of users', async () => {
  await start({ maxPresenceMembers: 1 });
  const [anna, annaAgain, ben] = [
    await connectRaw(server.port),
    await connectRaw(server.port),
    await connectRaw(server.port),
  ];
  await subscribeRaw(server, anna, 'presence-a', 'anna');
  await subscribeRaw(server, annaAgain, 'presence-a', 'anna');
  const channelData = '{"user_id":"ben"}';
  const auth = server.realtime.sign(ben.socketId, 'presence-a', channelData);
  ben.send('pusher:subscribe', { channel: 'presence-a', auth, channel_data: channelData });
  expect((await ben.next('pusher:subscription_error')).data).toMatchObject({ type: 'LimitReached' });
});

test('a number as user_id is the same user as its text', async () => {
  await start();
  const client = await connectRaw(server.port);
  const channelData = '{"user_id":7}';
  client.send('pusher:subscribe', {
    channel: 'presence-a',
    auth: server.realtime.sign(client.socketId, 'presence-a', channelData),
    channel_data: channelData,
  });
  const { data } = await client.next('pusher_internal:subscription_succeeded');
  expect(data).toEqual({ presence: { ids: ['7'], hash: { 7: null }, count: 1 } });
});

test('a signed-in user joins a presence channel without channel_data', async () => {
  await start();
  const client = await connectRaw(server.port);
  const userData = '{"id":"anna","user_info":{"name":"Anna"}}';
  client.send('pusher:signin', { auth: server.realtime.signUser(client.socketId, userData), user_data: userData });
  await client.next('pusher:signin_success');
  client.send('pusher:subscribe', { channel: 'presence-a', auth: server.realtime.sign(client.socketId, 'presence-a') });
  const { data } = await client.next('pusher_internal:subscription_succeeded');
  expect(data).toEqual({ presence: { ids: ['anna'], hash: { anna: { name: 'Anna' } }, count: 1 } });
});

test.each([
  ['a forged signature', '{"id":"anna"}', 'hatch-key:00'],
  ['no id', '{"name":"anna"}', null],
])('a sign-in with %s closes the socket for good', async (_, userData, forged) => {
  await start();
  const client = await connectRaw(server.port);
  client.send('pusher:signin', {
    auth: forged ?? server.realtime.signUser(client.socketId, userData),
    user_data: userData,
  });
  expect((await client.closed).code).toBe(4009);
});

test('client events are for members of private and presence channels only, and never for an order’s', async () => {
  await start();
  const [speaker, listener] = [await connectRaw(server.port), await connectRaw(server.port)];
  for (const channel of ['public', 'private-encrypted-a', orderChannelName(randomUUID()), 'private-other']) {
    await subscribeRaw(server, listener, channel);
    if (channel !== 'private-other') await subscribeRaw(server, speaker, channel);
    speaker.send('client-x', {}, channel);
    await speaker.next('pusher:error');
  }
  await subscribeRaw(server, speaker, 'private-a');
  await subscribeRaw(server, listener, 'private-a');
  speaker.send('client-x', 'y'.repeat(10_241), 'private-a');
  await speaker.next('pusher:error');
  speaker.send('client-x', { n: 1 }, 'private-a');
  expect(await listener.next('client-x')).toEqual({ event: 'client-x', channel: 'private-a', data: { n: 1 } });
  expect(listener.received).toEqual([]);
});

test('a user named on a private channel is closed with the others of that user, unseen by members', async () => {
  await start();
  const [anna, ben] = [await connectRaw(server.port), await connectRaw(server.port)];
  await subscribeRaw(server, anna, 'private-a', 'anna');
  await subscribeRaw(server, ben, 'private-a', 'ben');
  expect(server.realtime.stats().members).toBe(0);
  await server.realtime.disconnectUser('anna', 'reauthorise');
  expect((await anna.closed).code).toBe(4200);
  expect(ben.socket.readyState).toBe(ben.socket.OPEN);
});

test('closing asks everybody to reconnect, over the given time, and turns newcomers away until it is done', async () => {
  await start({ closeSpread: 300 });
  const clients = await Promise.all(Array.from({ length: 12 }, () => connectRaw(server.port)));
  const closing = server.realtime.close();
  await expect.poll(() => server.realtime.stats().connections).toBeLessThan(12);
  expect(server.realtime.stats().connections).toBeGreaterThan(0);
  expect((await openRaw(socketUrl(server.port)).closed).code).toBe(4100);
  for (const client of clients) expect((await client.closed).code).toBe(4200);
  await closing;
  expect(server.realtime.stats()).toMatchObject({ connections: 0, closing: 0, channels: 0, members: 0 });
  expect(server.http.listenerCount('upgrade')).toBe(0);
});

test('a client that ignores the close is cut', async () => {
  await start({ closeTimeout: 50 });
  const client = await connectRaw(server.port);
  client.socket.pause();
  await server.realtime.close();
  expect(server.realtime.stats()).toMatchObject({ connections: 0, closing: 0 });
});

test('what is published must name a valid channel', async () => {
  await start();
  await expect(server.realtime.publish([{ channel: 'white space', event: 'x', data: {} }])).rejects.toThrow(TypeError);
});
