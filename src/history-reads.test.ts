import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { seedSmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let holder: pg.Client;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  await seedSmallShop(app.database.db);
  holder = new pg.Client(app.database.config);
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await app.close();
});
afterEach(() => holder.query('rollback'));

/** From now on whoever reads these tables waits, as for a statement that takes for ever. */
async function hold(...tables: string[]): Promise<void> {
  await holder.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`);
}
/** How many statements with this text wait; the shop's own work may wait as well. */
const waiting = async (part: string) => {
  // On another connection: within a transaction PostgreSQL shows what it showed before.
  const { rows } = await app.database.pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0 and pid <> pg_backend_pid()`,
    [part],
  );
  return rows[0]?.count;
};
const untilWaiting = (part: string, count: number) => expect.poll(() => waiting(part)).toBe(count);
const get = (path: string, token = admin) => app.request('GET', path, { token });
const range = () => `store_id=${app.shop.storeId}&start_date=2025-12-01&end_date=2026-11-21`;
const report = () => `/v1/reports/sales?${range()}`;

describe('while twelve reads of the past take long', () => {
  test('orders are placed and accepted, boards are fetched, and the shop is healthy', async () => {
    await hold('takings');
    const slow = Array.from({ length: 12 }, () => get(report()).catch(() => null));
    await untilWaiting('changed as materialized', 4);
    const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
    expect(placed.status).toBe(201);
    const accepted = await app.request('POST', `/v1/orders/${placed.body.data.id}/accept`, { token: admin, body: {} });
    expect(accepted.status).toBe(200);
    const own = `/v1/orders?store_id=${app.shop.storeId}`;
    for (const path of [
      `${own}&status=placed,accepted,packed`,
      `${own}&lost=1`,
      `${own}&status=collected,rejected&start_date=2026-11-21`,
      `/v1/orders/${placed.body.data.id}`,
      '/v1/menus',
      '/health',
    ]) {
      expect((await get(path)).status, path).toBe(200);
    }
    expect(await waiting('changed as materialized')).toBe(4);
    await holder.query('rollback');
    await Promise.all(slow);
  });
});

describe('a read of the past whose caller goes', () => {
  test.each([
    ['a list', () => '/v1/refunds', 'refunds', ') as counted'],
    ['a search', () => '/v1/orders?search=byron', 'order_search', 'order_search s'],
    ['a report', report, 'takings', 'changed as materialized'],
  ])('ends in the database: %s', async (_, path, table, part) => {
    await hold(table);
    const gone = new AbortController();
    const asked = fetch(app.url + path(), { headers: { authorization: `Bearer ${admin}` }, signal: gone.signal });
    await untilWaiting(part, 1);
    gone.abort();
    await expect(asked).rejects.toThrow(/abort/);
    await untilWaiting(part, 0);
  });

  test.each([
    ['orders', 'refund_kind'],
    ['vat', 'changed as materialized'],
    ['payouts', 'l.payout_status'],
  ])('ends with its transaction, if it is an export of %s', async (rows, part) => {
    // More often than there are connections for it.
    for (let turn = 0; turn < 6; turn += 1) {
      await hold('refunds', 'takings', 'payment_payouts');
      const gone = new AbortController();
      const answer = await fetch(`${app.url}/v1/reports/sales/export?${range()}&rows=${rows}`, {
        headers: { authorization: `Bearer ${admin}` },
        signal: gone.signal,
      });
      // Its heads come before any row is read.
      const first = await answer.body?.getReader().read();
      expect(new TextDecoder().decode(first?.value)).toContain('currency');
      await untilWaiting(part, 1);
      gone.abort();
      await untilWaiting(part, 0);
      await holder.query('rollback');
    }
    expect((await get(report())).status).toBe(200);
    const { rows: open } = await holder.query(
      `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    expect(open).toEqual([]);
  });
});

test('a list that takes four seconds is stopped, and says so', async () => {
  await hold('refunds');
  const { status, headers, body } = await get('/v1/refunds');
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(body.message).toMatch(/took too long and was stopped/);
  // Nobody should ask the same again by himself.
  expect(headers.get('retry-after')).toBeNull();
  await untilWaiting(') as counted', 0);
});

describe('the limits of one statement', () => {
  const limits = async (call: () => Promise<unknown>) => {
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    await call();
    const found = sent.mock.calls.map(
      ([statement]) => statement as unknown as { text?: string; query_timeout?: number },
    );
    sent.mockRestore();
    return (part: string) => [
      ...new Set(found.filter(({ text }) => text?.includes(part)).map(({ query_timeout: limit }) => limit)),
    ];
  };

  test.each([
    [
      'an order',
      () => app.request('POST', '/v1/orders', { body: app.orderBody() }),
      'insert into orders (number',
      2_500,
    ],
    ['a list', () => get('/v1/orders'), 'as place (id)', 4_000],
    ['a search', () => get('/v1/orders?search=byron'), 'from order_search', 4_000],
    ['customers', () => get('/v1/customers?search=byron'), 'from "users"', 4_000],
    ['a report', () => get(report()), 'still_late', 30_000],
    ['an export', () => get(`/v1/reports/sales/export?${range()}&rows=orders`), 'refund_kind', 30_000],
    ['an export of VAT', () => get(`/v1/reports/sales/export?${range()}&rows=vat`), '"isRefund" boolean', 30_000],
  ])('%s', async (_, call, part, limit) => {
    const sent = await limits(call);
    expect(sent(part)).toEqual([limit]);
  });
});
