import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectToApp, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { redisKinds, type TestRedis } from '#realtime/testing/redis.ts';
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
    const goOn = redis.freeze();
    await expectHeard([await place(), await place(), await place()]);
    goOn();
    // The board has to reconnect and refetch, because messages on the way were lost.
    const again = nextEvent(board, 'pusher:subscription_succeeded');
    await redis.kill();
    await again;
    await expectHeard([await place(), await place(), await place()]);
    await redis.start();
    await expectHeard([await place(), await place()]);
  });
});
