import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listenToDatabase } from '#database/listen.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function listen(config: Parameters<typeof listenToDatabase>[0]['database'] = database.config) {
  const told: string[] = [];
  const listener = listenToDatabase({
    database: config,
    channels: ['some_news', 'other_news'],
    name: 'hatch-listen-test',
    onNotification: (payload, channel) => told.push(channel === 'some_news' ? payload : `${channel}: ${payload}`),
    onOpen: () => told.push('open'),
    onLost: () => told.push('lost'),
    onError: () => told.push('error'),
  });
  onTestFinished(() => listener.stop());
  return { listener, told };
}
const notify = (payload: string, channel = 'some_news') =>
  sql`select pg_notify(${channel}, ${payload})`.execute(database.db);
const cut = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'hatch-listen-test'`.execute(database.db);

test('what is notified is heard, again also after the connection was cut', async () => {
  const { listener, told } = listen();
  await listener.ready;
  await notify('first');
  await expect.poll(() => told).toEqual(['open', 'first']);
  await cut();
  await expect.poll(() => told.slice(2)).toEqual(['error', 'lost', 'open']);
  await notify('second');
  await expect.poll(() => told.at(-1)).toBe('second');
});

test('one connection listens on several channels', async () => {
  const { listener, told } = listen();
  await listener.ready;
  await notify('first');
  await notify('second', 'other_news');
  await notify('third', 'nobodys_news');
  await notify('last');
  await expect.poll(() => told).toEqual(['open', 'first', 'other_news: second', 'last']);
});

test('a connection whose question fails is given up, and another one made', async () => {
  const { listener, told } = listen();
  await listener.ready;
  await expect(listener.query('select 1 / 0', [])).rejects.toThrow('division by zero');
  expect(told).toEqual(['open', 'error', 'lost']);
  await expect(listener.query('select 1', [])).rejects.toThrow('no connection');
  await expect.poll(() => listener.isOpen()).toBe(true);
  await listener.query('select 1', []);
});

test('who cannot connect is told at once, and nothing counts as lost', async () => {
  const { listener, told } = listen({ ...database.config, database: 'no_such_database' });
  await expect(listener.ready).rejects.toThrow('no_such_database');
  expect(new Set(told)).toEqual(new Set(['error']));
});
