import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MessageBusListener, MessageBus } from '#realtime/server/message-bus.ts';
import { createRedisBus } from '#realtime/server/redis-bus.ts';
import { busKinds, type BusPlace, redisKinds, type TestRedis } from '#realtime/testing/redis.ts';
import { createPostgresBus, createRedundantBus } from '#realtime/server/open-bus.ts';
import { settle, silentLog } from '#realtime/testing/server.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

interface Listener {
  member: MessageBusListener;
  heard: string[];
  connections: number;
}

const buses: MessageBus[] = [];

afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});

/** Joins and waits until the connection to the other members is open. */
async function listen(bus: MessageBus, topic = 'a'): Promise<Listener> {
  const listener = { heard: [] as string[], connections: 0 };
  const member = bus.join(
    topic,
    (text) => listener.heard.push(text),
    () => (listener.connections += 1),
  );
  const joined = Object.assign(listener, { member });
  await expect.poll(() => joined.connections).toBe(1);
  return joined;
}

describe.each(busKinds)('the bus over $name', ({ create }) => {
  let place: BusPlace;
  beforeAll(async () => {
    place = await create();
  });
  afterAll(() => place.remove());

  const join = () => {
    const bus = place.open();
    if (!buses.includes(bus)) buses.push(bus);
    return bus;
  };

  test('everybody but the sender hears what is sent, in order', async () => {
    const [anna, ben, carl] = [await listen(join()), await listen(join()), await listen(join())];
    const texts = ['1', 'two words', 'drei – ünïcode 🍕', '', 'x'.repeat(100_000)];
    for (const text of texts) await anna.member.send(text);
    for (const listener of [ben, carl]) {
      await expect.poll(() => listener.heard.map((it) => it.length)).toEqual(texts.map((it) => it.length));
      expect(listener.heard.join() === texts.join()).toBe(true);
    }
    expect(anna.heard).toEqual([]);
  });

  test('what is said twice is heard twice', async () => {
    const [anna, ben] = [await listen(join()), await listen(join())];
    await Promise.all(['again', 'again', 'again'].map((text) => anna.member.send(text)));
    await expect.poll(() => ben.heard).toEqual(['again', 'again', 'again']);
  });

  test('topics are apart', async () => {
    const [anna, other, ben] = [await listen(join()), await listen(join(), 'b'), await listen(join())];
    await anna.member.send('for a');
    await expect.poll(() => ben.heard).toEqual(['for a']);
    expect(other.heard).toEqual([]);
  });

  test('two members of one process hear each other', async () => {
    const bus = join();
    const [anna, ben] = [await listen(bus), await listen(bus)];
    await anna.member.send('hello');
    await expect.poll(() => ben.heard).toEqual(['hello']);
    expect(anna.heard).toEqual([]);
  });

  test('who has left neither hears nor sends, and the others go on', async () => {
    const bus = join();
    const [anna, ben, carl] = [await listen(join()), await listen(bus), await listen(bus)];
    await ben.member.leave();
    await anna.member.send('hello');
    await expect.poll(() => carl.heard).toEqual(['hello']);
    expect(ben.heard).toEqual([]);
    await expect(ben.member.send('x')).rejects.toThrow('closed');
  });

  test('a receiver is never called inside the send', async () => {
    const bus = join();
    const [anna, ben] = [await listen(bus), await listen(bus)];
    const sent = anna.member.send('x');
    expect(ben.heard).toEqual([]);
    await sent;
    await expect.poll(() => ben.heard).toEqual(['x']);
  });

  test('a closed bus refuses to send', async () => {
    const bus = join();
    const { member } = await listen(bus);
    await bus.close();
    await expect(member.send('x')).rejects.toThrow('closed');
  });
});

describe.each(redisKinds)('the bus over $name', ({ create }) => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await create();
    await redis.start();
  });
  afterAll(() => redis.remove());

  const open = () => createRedisBus({ url: redis.url, log: silentLog });

  test('two applications on one Redis do not hear each other', async () => {
    const other = createRedisBus({ url: redis.url, log: silentLog, prefix: 'other' });
    const own = open();
    buses.push(other, own);
    const [stranger, ben, anna] = [await listen(other), await listen(own), await listen(own)];
    await anna.member.send('hello');
    await expect.poll(() => ben.heard).toEqual(['hello']);
    expect(stranger.heard).toEqual([]);
  });

  test('after Redis was away everybody is told and hears again', async () => {
    const [first, second] = [open(), open()];
    buses.push(first, second);
    const [anna, ben] = [await listen(first), await listen(second)];
    await redis.kill();
    await expect.poll(() => anna.member.isConnected()).toBe(false);
    await expect(anna.member.send('lost')).rejects.toThrow(/writeable|closed/);
    await settle(120);
    await redis.start();
    await expect.poll(() => [anna.connections, ben.connections]).toEqual([2, 2]);
    await anna.member.send('found');
    await expect.poll(() => ben.heard).toEqual(['found']);
  });

  test('a bus that cannot reach Redis at first connects as soon as it can', async () => {
    await redis.kill();
    const bus = open();
    buses.push(bus);
    const state = { connections: 0 };
    const member = bus.join(
      'a',
      () => undefined,
      () => (state.connections += 1),
    );
    await expect(member.send('x')).rejects.toThrow(/writeable|closed/);
    expect(member.isConnected()).toBe(false);
    await redis.start();
    await expect.poll(() => state.connections).toBe(1);
    await member.send('x');
  });
});

/** A proxy to a server whose sockets stay open when nothing passes any more. */
async function openLine(to: string): Promise<{ url: string; cut(): void; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hatch-line-'));
  const url = join(folder, 'line.sock');
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = createConnection(to);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => !isCut && into.write(bytes));
      from.on('close', () => !isCut && into.destroy());
      from.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(url, resolve));
  return {
    url,
    cut: () => void (isCut = true),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe.each(redisKinds)('$name and PostgreSQL together', ({ create }) => {
  let redis: TestRedis;
  let other: TestRedis;
  let database: TestDatabase;
  beforeAll(async () => {
    redis = await create();
    other = await create();
    await redis.start();
    await other.start();
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await redis.remove();
    await other.remove();
    await database.drop();
  });

  const open = (url = redis.url) => {
    const bus = createRedundantBus(
      createRedisBus({ url, log: silentLog }),
      createPostgresBus({ database: database.config, log: silentLog }),
    );
    buses.push(bus);
    return bus;
  };
  /** Sends until Redis receives all of them, which is a moment after the connection. */
  const settled = async (from: Listener, to: Listener) => {
    await expect.poll(() => from.member.send('hello', 1)).toBe(1);
    await expect.poll(() => to.heard.at(-1)).toBe('hello');
    to.heard.length = 0;
  };

  test('while Redis is away everything is heard, once, and who may have missed something is told at once', async () => {
    const [anna, ben] = [await listen(open()), await listen(open())];
    await settled(anna, ben);
    await redis.kill();
    await expect.poll(() => [anna.connections, ben.connections]).toEqual([2, 2]);
    for (const text of ['1', '2', '3']) await anna.member.send(text, 1);
    await expect.poll(() => ben.heard).toEqual(['1', '2', '3']);
    await redis.start();
    ben.heard.length = 0;
    await settled(anna, ben);
    // Nothing was lost, so nobody has to refetch.
    expect([anna.connections, ben.connections]).toEqual([2, 2]);
  });

  test('a Redis that does not answer is gone round', async () => {
    const [anna, ben] = [await listen(open()), await listen(open())];
    await settled(anna, ben);
    const goOn = redis.freeze();
    try {
      await Promise.all(['1', '2'].map((text) => anna.member.send(text, 1)));
      await anna.member.send('3', 1);
      await expect.poll(() => ben.heard.toSorted()).toEqual(['1', '2', '3']);
    } finally {
      goOn();
    }
    // A late message from Redis has been received already.
    await settled(anna, ben);
    expect(ben.heard).toEqual([]);
  });

  test('whoever Redis does not reach hears all the same', async () => {
    const [anna, ben] = [await listen(open()), await listen(open(other.url))];
    // Joined as soon as Redis is connected, which may be before PostgreSQL is.
    await expect.poll(() => anna.member.send('hello?', 1).then(() => ben.heard.length)).toBeGreaterThan(0);
    ben.heard.length = 0;
    await anna.member.send('over there?', 1);
    await expect.poll(() => ben.heard.at(-1)).toBe('over there?');
  });

  test('whoever has a line to Redis that is dead without a word says so, and hears by the database', async () => {
    const line = await openLine(redis.url);
    const [anna, ben] = [await listen(open()), await listen(open(line.url))];
    await settled(anna, ben);
    line.cut();
    await expect.poll(() => ben.connections).toBe(2);
    await expect.poll(() => anna.member.send('by the other way', 1).then(() => ben.heard.length)).toBeGreaterThan(0);
    await line.close();
  });

  test('while PostgreSQL is away Redis is enough', async () => {
    const gone = createRedundantBus(
      createRedisBus({ url: redis.url, log: silentLog }),
      createPostgresBus({ database: { host: '127.0.0.1', port: 1, user: 'nobody' }, log: silentLog }),
    );
    buses.push(gone);
    const [anna, ben] = [await listen(gone), await listen(open())];
    await settled(anna, ben);
    await anna.member.send('without', 1);
    await expect.poll(() => ben.heard).toEqual(['without']);
  });
});
