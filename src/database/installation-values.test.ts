import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Another instance on the same database, with a data folder of its own; what it logs at the start. */
async function startBeside(environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const database = { ...app.database, drop: async () => {} };
  const other = await startAppOn(database, app.shop, environment, (line) => lines.push(line));
  return { other, warnings: lines.filter((line) => line.includes('had another key')) };
}

test('secrets that an earlier release kept in the database are gone after the start, and the key of browsers stays', async () => {
  const { db } = app.database;
  const names = ['pusher secret', 'sandbox webhook secret', 'setup code', 'network digests'];
  await db
    .insertInto('installation_secrets')
    .values(names.map((name) => ({ name, value: 'a'.repeat(64) })))
    .execute();
  const { other } = await startBeside({ SECRETS_KEY: 'k'.repeat(40) });
  try {
    const left = await db.selectFrom('installation_secrets').select('name').orderBy('name').execute();
    expect(left.map(({ name }) => name)).toEqual(['key mark', 'pusher key']);
    expect(other.services.realtime.key).toBe(app.services.realtime.key);
  } finally {
    await other.close();
  }
});

test('instances with one SECRETS_KEY sign alike; one with another key says so in one line, and goes on', async () => {
  const channel = storeOrdersChannelName(app.shop.storeId);
  const first = await startBeside({ SECRETS_KEY: 'k'.repeat(40) });
  const second = await startBeside({ SECRETS_KEY: 'k'.repeat(40) });
  const stranger = await startBeside();
  try {
    const [a, b, c] = [first, second, stranger].map(({ other }) => other.services.realtime.sign('1.1', channel));
    expect(a).toBe(b);
    expect(c).not.toBe(a);
    expect([second, stranger].map(({ warnings }) => warnings.length)).toEqual([0, 1]);
    const placed = await stranger.other.request('POST', '/v1/orders', { body: app.orderBody() });
    expect(placed.status).toBe(201);
  } finally {
    for (const { other } of [first, second, stranger]) await other.close();
  }
});
