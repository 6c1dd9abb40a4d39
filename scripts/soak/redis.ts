import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectToApp } from '#realtime/testing/clients.ts';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { databaseUrlOf } from '#testing/shop-database.ts';
import { printChecks } from './rush.ts';

/** The time in which a new order must reach every board (ms). */
const heardWithin = 3_000;

/**
 * Runs two instances whose Redis is killed and frozen in turn: `npm run soak -- redis [times]`, five by default.
 * Customers order at one instance, and a board listens at the other.
 */
export async function soakRedisOutages([times = '5']: string[]): Promise<boolean> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  let redis = await startRedis(port);
  const keys = { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' };
  const environment = { ...keys, REDIS_URL: `redis://127.0.0.1:${port}`, LOG_LEVEL: 'silent' };
  const one = await openShop(environment);
  const two = await openShop({ ...environment, DATABASE_URL: await databaseUrlOf(one.dataDir) });
  try {
    const board = await openBoard(two, one.storeId);
    const rush = await startOrders(one);
    for (let n = 0; n < Number(times); n += 1) {
      await sleep(3_000);
      if (n % 2 === 0) {
        redis.kill('SIGKILL');
        await sleep(25_000);
        redis = await startRedis(port);
      } else {
        redis.kill('SIGSTOP');
        await sleep(25_000);
        redis.kill('SIGCONT');
      }
      console.log(`${n + 1} of ${times}: ${n % 2 === 0 ? 'killed' : 'frozen'}, ${rush.placed.size} orders`);
    }
    await sleep(5_000);
    await rush.stop();
    await sleep(heardWithin);
    board.close();
    const late = [...rush.placed].map(([id, at]) => (board.heard.get(id) ?? Infinity) - at);
    const missed = late.filter((ms) => ms === Infinity).length;
    const longest = Math.max(...late.filter((ms) => ms !== Infinity));
    return printChecks([
      [`${rush.placed.size} orders, ${rush.refused} refused`, rush.refused === 0],
      [`not on the board ${missed}`, missed === 0],
      [`on the board after ${(longest / 1000).toFixed(1)} s at most`, longest <= heardWithin],
      [`heard twice ${board.twice}`, board.twice === 0],
    ]);
  } finally {
    redis.kill('SIGKILL');
    await two.stop();
    await one.stop();
  }
}

async function startRedis(port: number): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--save', '', '--appendonly', 'no'];
  const redis = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(redis, 'spawn');
  for await (const line of redis.stdout) if (String(line).includes('eady to accept connections')) break;
  redis.stdout.resume();
  return redis;
}

/** Simulates an order board, which receives events, and refetches all open orders when it resubscribes. */
async function openBoard(shop: Shop, storeId: string) {
  const client = connectToApp(shop.url, shop.adminToken);
  const heard = new Map<string, number>();
  const board = { heard, twice: 0, close: () => client.disconnect() };
  const see = (id: string) => !heard.has(id) && heard.set(id, performance.now());
  const events = new Set<string>();
  const channel = client.subscribe(`private-stores.${storeId}.orders`);
  channel.bind('order.placed', ({ order }: { order: { id: string } }) => {
    if (events.has(order.id)) board.twice += 1;
    events.add(order.id);
    see(order.id);
  });
  const joined = Promise.withResolvers<void>();
  channel.bind('pusher:subscription_succeeded', () => {
    joined.resolve();
    void shop
      .api('GET', `/v1/orders?per_page=100&status=placed`, undefined, shop.adminToken)
      .then(({ body }) => (body['data'] as { id: string }[]).forEach(({ id }) => see(id)));
  });
  await joined.promise;
  return board;
}

/** Places ten orders a second. */
async function startOrders(shop: Shop) {
  const basket = await cashBasket(shop);
  const placed = new Map<string, number>();
  const rush = { placed, refused: 0, stop: async () => {} };
  const open = new Set<Promise<void>>();
  const place = async () => {
    const { status, body } = await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
    if (status === 201) placed.set((body['data'] as { id: string }).id, performance.now());
    else rush.refused += 1;
  };
  const timer = setInterval(() => {
    const one = place().finally(() => open.delete(one));
    open.add(one);
  }, 100);
  rush.stop = async () => {
    clearInterval(timer);
    await Promise.all(open);
  };
  return rush;
}
