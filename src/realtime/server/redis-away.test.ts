import type { FastifyBaseLogger } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { joinInstances } from '#database/instances.ts';
import { connectToApp, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { redisKinds, type TestRedis } from '#realtime/testing/redis.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { urlOf } from '#testing/database-url.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

/** Orders are placed at one instance, and the board is connected to the other. */
describe.each(redisKinds)('two instances and $name', ({ create }) => {
  let redis: TestRedis;
  let one: TestApp;
  let two: TestApp;
  let client: PusherClient;
  let board: ReturnType<PusherClient['subscribe']>;
  let admin: string;
  /** The orders of the events, in their order. */
  const heard: string[] = [];
  /** Also those that the board found when it had subscribed and read the list, as it does each time. */
  const known = new Set<string>();
  const refetch = async () => {
    const { body } = await two.request('GET', '/v1/orders?per_page=50', { token: admin });
    for (const { id } of body.data as { id: string }[]) known.add(id);
  };
  beforeAll(async () => {
    redis = await create();
    await redis.start();
    const keys = { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' };
    const environment = { ...keys, REDIS_URL: redis.url };
    one = await startTestApp({}, environment);
    two = await startAppOn(one.database, one.shop, environment);
    admin = await one.signIn('admin');
    client = connectToApp(two.url, admin);
    board = client.subscribe(`private-stores.${one.shop.storeId}.orders`);
    board.bind('order.placed', ({ order }: { order: { id: string } }) => {
      heard.push(order.id);
      known.add(order.id);
    });
    board.bind('pusher:subscription_succeeded', () => void refetch());
    await nextEvent(board, 'pusher:subscription_succeeded');
  });
  afterAll(async () => {
    client.disconnect();
    await two.stop();
    await one.close();
    await redis.remove();
  });

  const place = async () =>
    ((await one.request('POST', '/v1/orders', { body: one.orderBody() })).body.data as { id: string }).id;
  const expectHeard = async (ids: string[]) => {
    await expect.poll(() => ids.filter((id) => !known.has(id))).toEqual([]);
    expect(new Set(heard).size, 'an order was heard twice').toBe(heard.length);
  };

  test('a board hears every order while Redis works, hangs, is gone and is back', async () => {
    await expect.poll(() => one.services.realtime.stats().peers).toBe(1);
    const first = [await place(), await place()];
    await expectHeard(first);
    expect(heard.toSorted()).toEqual(first.toSorted());
    // The board has to reconnect and refetch, because messages on the way were lost. After a long freeze it does so before
    // Redis is killed.
    const again = nextEvent(board, 'pusher:subscription_succeeded');
    const goOn = redis.freeze();
    await expectHeard([await place(), await place(), await place()]);
    goOn();
    await redis.kill();
    await again;
    await expectHeard([await place(), await place(), await place()]);
    await redis.start();
    await expectHeard([await place(), await place()]);
  });
});

test.each([
  ['each have a Redis of their own', true],
  ['of which one has no Redis', false],
])('two instances that %s hear each other through the database', async (_name, hasSecond) => {
  const create = redisKinds[0]?.create;
  if (!create) throw new Error('There is no Redis to test with.');
  const places = [await create(), await create()] as const;
  await Promise.all(places.map((place) => place.start()));
  const keys = { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' };
  const database = await createTestDatabase();
  const shop = await seedSmallShop(database.db);
  const start = async (redis: string | undefined) => {
    const environment: Record<string, string> = { ...keys, DATABASE_URL: urlOf(database.config) };
    if (redis !== undefined) environment['REDIS_URL'] = redis;
    const own = { storeId: shop.storeId, publicUrl: 'http://localhost:3000', REDIS_URL: redis };
    const warn = vi.fn<FastifyBaseLogger['warn']>();
    const instances = await joinInstances(database.db, own, { warn });
    return { warn, instances, app: await startAppOn(database, shop, environment, undefined, { instances }) };
  };
  const one = await start(places[0].url);
  expect(one.warn).not.toHaveBeenCalled();
  const two = await start(hasSecond ? places[1].url : undefined);
  expect(two.warn).toHaveBeenCalledExactlyOnceWith(
    { instances: 2 },
    expect.stringContaining('disagree about REDIS_URL'),
  );

  const admin = await one.app.signIn('admin');
  const heard: Set<string>[] = [];
  const clients = await Promise.all(
    [one, two].map(async ({ app }) => {
      const client = connectToApp(app.url, admin);
      const board = client.subscribe(`private-stores.${shop.storeId}.orders`);
      const known = new Set<string>();
      heard.push(known);
      board.bind('order.placed', ({ order }: { order: { id: string } }) => known.add(order.id));
      await nextEvent(board, 'pusher:subscription_succeeded');
      return client;
    }),
  );
  for (let n = 0; n < 60; n += 1) {
    for (const { app } of [one, two]) {
      expect((await app.request('POST', '/v1/orders', { body: app.orderBody() })).status).toBe(201);
    }
  }
  await expect.poll(() => heard.map((known) => known.size), { timeout: 20_000 }).toEqual([120, 120]);

  for (const client of clients) client.disconnect();
  await two.app.stop();
  await two.instances.stop();
  await one.instances.stop();
  await one.app.close();
  await Promise.all(places.map((place) => place.remove()));
});
