import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Instances, type InstanceSettings, joinInstances } from '#database/instances.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const running: Instances[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  await database.db.deleteFrom('instances').execute();
});

const store = randomUUID();
const other = randomUUID();
const warn = vi.fn<FastifyBaseLogger['warn']>();
const start = async (change: Partial<InstanceSettings> = {}) => {
  const settings = { storeId: store, publicUrl: 'https://pizza.example', ...change };
  const instance = await joinInstances(database.db, settings, { warn });
  running.push(instance);
  return instance;
};

test.each<[string, Partial<InstanceSettings>, Partial<InstanceSettings>]>([
  ['the same settings', {}, {}],
  ['two paths of one host', { publicUrl: 'https://pizza.example' }, { publicUrl: 'http://pizza.example' }],
  ['an address of this machine, to look at it', {}, { publicUrl: 'http://localhost:3001' }],
  ['no store before the first one is set up', { storeId: null }, { storeId: null }],
])('two instances with %s start', async (_name, one, two) => {
  const first = await start(one);
  expect(first.others()).toBe(0);
  expect((await start(two)).others()).toBe(1);
  expect(warn).not.toHaveBeenCalled();
});

test.each<[string, Partial<InstanceSettings>, string]>([
  ['APP_URL', { publicUrl: 'https://burger.example' }, 'has the APP_URL pizza.example, and this one burger.example.'],
  ['STORE_NAME', { storeId: other }, `has another STORE_NAME (${store}).`],
])('a second one with another %s ends with one line, and does not join', async (_name, change, words) => {
  await start();
  const refused = start(change);
  await expect(refused).rejects.toThrow(words);
  await expect(refused).rejects.not.toThrow('\n');
  expect(await database.db.selectFrom('instances').select('address').execute()).toHaveLength(1);
});

test('one that stopped, or was not heard of for a minute, is not live', async () => {
  const first = await start();
  await first.stop();
  expect((await start({ publicUrl: 'https://burger.example' })).others()).toBe(0);
  await sql`update instances set heard_at = now() - interval '61 seconds'`.execute(database.db);
  expect((await start({ storeId: other })).others()).toBe(0);
});

test('of two that start at once with other addresses one starts', async () => {
  const started = await Promise.allSettled([start(), start({ publicUrl: 'https://burger.example' })]);
  expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('where Redis is decides, not its password', async () => {
  await start({ REDIS_URL: 'redis://user:one@redis.example:6379/0' });
  await start({ REDIS_URL: 'redis://user:two@redis.example:6379/0' });
  await start({ REDIS_URL: 'redis.example:6379/0' });
  expect(warn).not.toHaveBeenCalled();
  await start({});
  expect(warn).toHaveBeenCalledExactlyOnceWith({ instances: 4 }, expect.stringContaining('REDIS_URL'));
});
