import type { FastifyBaseLogger } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkDatabase } from '#database/check-database.ts';
import { connect } from '#database/connect.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { connectToApp, nextEvent } from '#realtime/testing/clients.ts';
import { urlOf } from '#testing/database-url.ts';
import { startPooler } from '#testing/pooler.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { usesProgram } from '#testing/stand-ins.ts';
import { startAppOn, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const log = { warn: vi.fn<FastifyBaseLogger['warn']>() };
let database: TestDatabase;
let direct: string;
beforeAll(async () => {
  database = await createTestDatabase();
  direct = urlOf(database.config);
});

test('a database without a pooler keeps sessions', async () => {
  expect(await checkDatabase({ DATABASE_URL: direct }, log)).toEqual({ isPooled: false });
  expect(await checkDatabase({ DATABASE_URL: direct, DATABASE_DIRECT_URL: direct }, log)).toEqual({ isPooled: false });
  expect(await checkDatabase({}, log)).toEqual({ isPooled: false });
  expect(log.warn).not.toHaveBeenCalled();
});

test('a direct address of another database ends the start', async () => {
  const other = await createTestDatabase('template1');
  onTestFinished(() => other.drop());
  const addresses = { DATABASE_URL: direct, DATABASE_DIRECT_URL: urlOf(other.config) };
  await expect(checkDatabase(addresses, log)).rejects.toThrow('leads to another database than DATABASE_URL');
}, 20_000);

test('one that cannot be reached ends the start with one line', async () => {
  const refused = checkDatabase({ DATABASE_URL: 'postgres://u:p@127.0.0.1:9/hatch' }, log);
  await expect(refused).rejects.toThrow(DatabaseUnavailable);
  await expect(refused).rejects.toThrow(/^The database does not answer: connect ECONNREFUSED 127\.0\.0\.1:9$/);
});

test('a read-only database ends the start', async () => {
  const other = await createTestDatabase('template1');
  onTestFinished(() => other.drop());
  await other.pool.query(`alter database ${other.config.database} set default_transaction_read_only = on`);
  await expect(checkDatabase({ DATABASE_URL: urlOf(other.config) }, log)).rejects.toThrow(
    /read-only: .* takes changes/,
  );
});

describe.each(['pgbouncer'].filter(usesProgram))('%s', () => {
  test('that keeps sessions is no pooler', async () => {
    const { url, stop } = await startPooler(database.config, 'session');
    onTestFinished(stop);
    expect(await checkDatabase({ DATABASE_URL: url }, log)).toEqual({ isPooled: false });
  });

  test.each(['transaction', 'statement'] as const)(
    'in %s mode ends the start without a direct address',
    async (mode) => {
      const { url, stop } = await startPooler(database.config, mode);
      onTestFinished(stop);
      await expect(checkDatabase({ DATABASE_URL: url }, log)).rejects.toThrow(
        /^DATABASE_URL leads through a pooler.*DATABASE_DIRECT_URL/,
      );
      const both = { DATABASE_URL: url, DATABASE_DIRECT_URL: url };
      await expect(checkDatabase(both, log)).rejects.toThrow(/^DATABASE_DIRECT_URL leads through a pooler/);
      expect(await checkDatabase({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct }, log)).toEqual({ isPooled: true });
    },
  );

  test('in transaction mode with a direct address takes every order, and boards and prices hear of all', async () => {
    const { url, stop } = await startPooler(database.config, 'transaction');
    onTestFinished(stop);
    const app = await startThrough(url);
    onTestFinished(() => app.close());
    const admin = await app.signIn('admin');
    const board = connectToApp(app.url, admin);
    onTestFinished(() => board.disconnect());
    const channel = board.subscribe(`private-stores.${app.shop.storeId}.orders`);
    await nextEvent(channel, 'pusher:subscription_succeeded');
    const heard = new Set<string>();
    channel.bind('order.placed', ({ order }: { order: { id: string } }) => heard.add(order.id));

    const placed = await Promise.all(
      Array.from({ length: 150 }, () => app.request('POST', '/v1/orders', { body: app.orderBody() })),
    );
    expect(placed.filter(({ status }) => status !== 201)).toEqual([]);
    await vi.waitFor(() => expect(heard.size).toBe(150), { timeout: 10_000 });

    const { status } = await app.request('PATCH', `/v1/items/${app.shop.chips}`, {
      token: admin,
      body: { price: 350 },
    });
    expect(status).toBe(200);
    await vi.waitFor(async () => {
      const lines = [{ item_id: app.shop.chips, quantity: 1, options: [] }];
      const quote = await app.request('POST', '/v1/orders/quote', { body: { ...app.orderBody({ lines }) } });
      expect(quote.body.data.subtotal).toBe(350);
    });
  });
});

afterAll(() => database.drop());

/** The application whose requests go through the pooler, and whose listeners and jobs do not. */
async function startThrough(url: string): Promise<TestApp> {
  const shop = await seedSmallShop(database.db);
  const through = connect(url, () => {}, { isPooled: true });
  const keys = { PUSHER_APP_ID: 'test', PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret' };
  return startAppOn({ ...through, config: database.config, drop: () => through.close() }, shop, keys);
}
