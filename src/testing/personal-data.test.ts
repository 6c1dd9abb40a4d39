import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepData, putBack } from '#testing/personal-data.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let client: pg.Client;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  await app.request('POST', '/v1/orders', { body: app.orderBody() });
  client = new pg.Client(app.database.config);
  await client.connect();
  await keepData(client);
});
afterAll(async () => {
  await client.end();
  await app.close();
});

/** Every row of the tables that change during a shop's day. */
async function readRows(): Promise<Record<string, unknown[]>> {
  const tables = ['stores', 'users', 'items', 'options', 'category_items', 'orders', 'order_history', 'order_numbers'];
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) rows[table] = (await client.query(`select * from ${table} t order by t::text`)).rows;
  return rows;
}

test('a running server serves its shop as it was, after the data is put back', async () => {
  const before = await readRows();
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  const path = `/v1/menus/store/${app.shop.storeId}?include=related`;
  const menu = (await app.request('GET', path)).body;

  const change = { body: { name: 'Fries', price: 999 }, token: admin };
  expect((await app.request('PATCH', `/v1/items/${app.shop.chips}`, change)).status).toBe(200);
  expect((await app.request('DELETE', `/v1/items/${app.shop.pizza}`, { token: admin })).status).toBeLessThan(300);
  await app.signIn('customer');
  const order = { body: app.orderBody({ lines: [{ item_id: app.shop.chips, quantity: 1, options: [] }] }) };
  expect((await app.request('POST', '/v1/orders', order)).body.data.number).toBe('2');
  expect((await app.request('GET', path)).body).not.toEqual(menu);

  await putBack(client);
  expect(await readRows()).toEqual(before);
  await expect.poll(async () => (await app.request('GET', path)).body).toEqual(menu);
  const { status, body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  expect([status, body.data.number]).toEqual([201, '2']);
});
