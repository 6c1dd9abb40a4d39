import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** As after a failover: new connections take no changes, and the old ones break. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { pool, config } = app.database;
  const client = await pool.connect();
  await client.query('set default_transaction_read_only = off');
  await client.query(`alter database ${config.database} set default_transaction_read_only = ${value}`);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  client.release(true);
}
const health = async () => {
  const { status, body } = await app.request('GET', '/health');
  return [status, body.checks.database];
};
const place = async () => (await app.request('POST', '/v1/orders', { body: app.orderBody() })).status;

const soon = { timeout: 20_000 };

test('a database that became read-only is 503 until it takes changes again', async () => {
  await vi.waitFor(async () => expect(await health()).toEqual([200, 'ok']), soon);
  await setReadOnly('on');
  await vi.waitFor(async () => expect(await health()).toEqual([503, 'read_only']), soon);
  await vi.waitFor(async () => expect(await place()).toBe(503), soon);
  await setReadOnly('off');
  await vi.waitFor(async () => expect(await health()).toEqual([200, 'ok']), soon);
  expect(await place()).toBe(201);
});
