import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { createRedisBus } from '#realtime/server/redis-bus.ts';
import { signCall } from '#realtime/testing/server-api.ts';
import { busKinds, redisKinds, type BusPlace, type TestRedis } from '#realtime/testing/redis.ts';
import {
  connectRaw,
  settle,
  silentLog,
  startTestServer,
  subscribeRaw,
  type RawClient,
  type TestServer,
} from '#realtime/testing/server.ts';

const CHANNEL = 'presence-stores.1.boards';

/** Two instances of the application behind one bus. */
describe.each(busKinds)('instances over $name', ({ create }) => {
  const servers: TestServer[] = [];
  const buses = new Set<MessageBus>();
  let place: BusPlace;

  beforeAll(async () => {
    place = await create();
  });
  afterAll(() => place.remove());
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    await Promise.all([...buses].map((bus) => bus.close()));
    buses.clear();
  });

  async function startInstance(): Promise<TestServer> {
    const bus = place.open();
    buses.add(bus);
    const server = await startTestServer({ bus });
    servers.push(server);
    return server;
  }

  /** Two instances that know each other. */
  async function startTwo(): Promise<[TestServer, TestServer]> {
    const pair: [TestServer, TestServer] = [await startInstance(), await startInstance()];
    for (const { realtime } of pair) await expect.poll(() => realtime.stats().peers).toBe(1);
    return pair;
  }

  test('what one publishes is heard at the other, except by the socket left out', async () => {
    const [one, two] = await startTwo();
    const [here, there, out] = [await connectRaw(one.port), await connectRaw(two.port), await connectRaw(two.port)];
    await subscribeRaw(one, here, 'private-a');
    await subscribeRaw(two, there, 'private-a');
    await subscribeRaw(two, out, 'private-a');
    await one.realtime.publish([{ channel: 'private-a', event: 'x', data: { text: 'Ünï 🍕 "\\' } }], out.socketId);
    const frame = { event: 'x', channel: 'private-a', data: { text: 'Ünï 🍕 "\\' } };
    expect(await here.next('x')).toEqual(frame);
    expect(await there.next('x')).toEqual(frame);
    here.send('client-y', { n: 1 }, 'private-a');
    expect((await there.next('client-y')).data).toEqual({ n: 1 });
    await out.next('client-y');
    expect(out.received).toEqual([]);
    expect(here.received).toEqual([]);
  });

  test('one user on two instances comes once and leaves once, everywhere', async () => {
    const [one, two] = await startTwo();
    const [watcher, far] = [await connectRaw(one.port), await connectRaw(two.port)];
    await subscribeRaw(one, watcher, CHANNEL, 'watcher');
    await subscribeRaw(two, far, CHANNEL, 'far');
    await watcher.next('pusher_internal:member_added');

    const [here, there] = [await connectRaw(one.port), await connectRaw(two.port)];
    await subscribeRaw(one, here, CHANNEL, 'anna');
    await far.next('pusher_internal:member_added');
    const { data } = await subscribeRaw(two, there, CHANNEL, 'anna');
    expect(data).toMatchObject({ presence: { count: 3, hash: { anna: { name: 'anna' } } } });
    // Sent after the notice of the second sign-in: a client that received this has received the notice.
    await two.realtime.publish([{ channel: CHANNEL, event: 'marker', data: {} }]);
    await watcher.next('marker');
    here.socket.close();
    await settle();
    expect(changes(watcher)).toEqual([['member_added', { user_id: 'anna', user_info: { name: 'anna' } }]]);
    there.socket.close();
    for (const client of [watcher, far]) {
      expect((await client.next('pusher_internal:member_removed')).data).toEqual({ user_id: 'anna' });
    }
    await settle();
    expect([watcher, far].flatMap(changes).filter(([name]) => name === 'member_removed')).toEqual([]);
  });

  test('an instance that starts later knows who is there already', async () => {
    const one = await startInstance();
    await subscribeRaw(one, await connectRaw(one.port), CHANNEL, 'anna');
    const two = await startInstance();
    await expect.poll(() => two.realtime.stats().members).toBe(1);
    const { data } = await subscribeRaw(two, await connectRaw(two.port), CHANNEL, 'ben');
    expect(data).toEqual({
      presence: { ids: ['anna', 'ben'], hash: { anna: { name: 'anna' }, ben: { name: 'ben' } }, count: 2 },
    });
  });

  test('the users of an instance that stops leave', async () => {
    const [one, two] = await startTwo();
    const watcher = await connectRaw(one.port);
    await subscribeRaw(one, watcher, CHANNEL, 'watcher');
    await subscribeRaw(two, await connectRaw(two.port), CHANNEL, 'anna');
    await watcher.next('pusher_internal:member_added');
    await two.stop();
    expect((await watcher.next('pusher_internal:member_removed')).data).toEqual({ user_id: 'anna' });
    await expect.poll(() => one.realtime.stats()).toMatchObject({ peers: 0, members: 1 });
  });

  test('counts, users and terminations are those of all instances', async () => {
    const [one, two] = await startTwo();
    const clients = [await connectRaw(one.port), await connectRaw(two.port), await connectRaw(two.port)];
    await subscribeRaw(one, clients[0]!, CHANNEL, 'anna');
    await subscribeRaw(two, clients[1]!, CHANNEL, 'anna');
    await subscribeRaw(two, clients[2]!, CHANNEL, 'ben');
    await expect.poll(() => one.realtime.stats().members).toBe(2);
    const info = 'user_count,subscription_count';
    const counts = { user_count: 2, subscription_count: 3 };
    expect(await read(one, `/channels/${CHANNEL}`, { info })).toEqual({ occupied: true, ...counts });
    expect(await read(one, '/channels', { info, filter_by_prefix: 'presence-' })).toEqual({
      channels: { [CHANNEL]: counts },
    });
    expect(await read(two, `/channels/${CHANNEL}/users`)).toEqual({
      users: expect.arrayContaining([{ id: 'anna' }, { id: 'ben' }]),
    });
    await one.realtime.disconnectUser('anna', 'terminate');
    expect([(await clients[0]!.closed).code, (await clients[1]!.closed).code]).toEqual([4009, 4009]);
    expect(clients[2]!.socket.readyState).toBe(clients[2]!.socket.OPEN);
  });
});

describe.each(redisKinds)('instances over $name', ({ create }) => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await create();
    await redis.start();
  });
  afterAll(() => redis.remove());

  const open = () => createRedisBus({ url: redis.url, log: silentLog });

  test('when Redis was away, its clients reconnect to catch up, and presence is whole again', async () => {
    const buses = [open(), open()];
    const [one, two] = [await startTestServer({ bus: buses[0]! }), await startTestServer({ bus: buses[1]! })];
    await expect.poll(() => one.realtime.stats().peers).toBe(1);
    const [here, there] = [await connectRaw(one.port), await connectRaw(two.port)];
    await subscribeRaw(one, here, CHANNEL, 'anna');
    await subscribeRaw(two, there, CHANNEL, 'ben');
    await expect.poll(() => one.realtime.stats().members).toBe(2);

    await redis.kill();
    await expect.poll(() => one.realtime.stats().isBusConnected).toBe(false);
    await one.realtime.publish([{ channel: CHANNEL, event: 'while-away', data: {} }]);
    await here.next('while-away');
    await expect.poll(() => one.realtime.stats()).toMatchObject({ peers: 0, members: 1 });

    await redis.start();
    expect((await there.closed).code).toBe(4200);
    const whole = { peers: 1, isBusConnected: true };
    for (const { realtime } of [one, two]) await expect.poll(() => realtime.stats()).toMatchObject(whole);
    // A frame that one instance could not send makes the other's clients reconnect too: wait for both.
    await settle(150);
    await subscribeRaw(one, await connectRaw(one.port), CHANNEL, 'anna');
    await subscribeRaw(two, await connectRaw(two.port), CHANNEL, 'ben');
    for (const { realtime } of [one, two]) await expect.poll(() => realtime.stats().members).toBe(2);
    await one.stop();
    await two.stop();
    await Promise.all(buses.map((bus) => bus.close()));
  });
});

/** The presence changes that a client received. */
function changes({ received }: RawClient): [string, unknown][] {
  return received.filter(({ event }) => event.includes('member_')).map(({ event, data }) => [event.slice(16), data]);
}

async function read(server: TestServer, path: string, params = {}): Promise<unknown> {
  return (await server.realtime.handleServerApi(signCall('GET', path, '', params))).body;
}
