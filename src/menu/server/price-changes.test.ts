import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const at = '2026-11-21T18:30:00Z';
const change = (path: string, price_change: unknown) =>
  app.request('PATCH', `/v1/${path}`, { token: admin, body: { price_change } });
const read = async (path: string) => (await app.request('GET', `/v1/${path}`, { token: admin })).body.data;
const quote = async () => {
  const { pizza, chips, size } = app.shop;
  const large = { option_group_id: size.group, option_id: size.large, quantity: 1 };
  const lines = [
    { item_id: chips, quantity: 1, options: [] },
    { item_id: pizza, quantity: 1, options: [large] },
  ];
  const body = { ...app.orderBody({ lines }), session: undefined };
  const answer = await app.request('POST', '/v1/orders/quote', { body });
  return (answer.body.data.lines as { unit_price: number }[]).map((line) => line.unit_price);
};

test('prices of dishes and choices change at their time, for quotes, orders and pages at once', async () => {
  const { chips, size, storeId } = app.shop;
  expect((await change(`items/${chips}`, { price: 350, at })).status).toBe(200);
  expect((await change(`options/${size.large}`, { price: 400, at })).status).toBe(200);
  expect(await quote()).toEqual([300, 1250]);
  // Strangers do not see it, and the editor does.
  expect(JSON.stringify(await read(`menus/store/${storeId}?include=related`))).not.toContain('price_change');
  const parts = (await read(`menus/store/${storeId}/parts`)) as { items: { id: string; price_change: unknown }[] };
  expect(parts.items.find(({ id }) => id === chips)?.price_change).toEqual({
    price: 350,
    at: '2026-11-21T18:30:00.000Z',
  });

  app.clock.now = new Date('2026-11-21T18:29:59Z');
  expect(await quote()).toEqual([300, 1250]);
  app.clock.now = new Date(at);
  await expect.poll(quote, { timeout: 20_000 }).toEqual([350, 1350]);
  const after = (await read(`menus/store/${storeId}/parts`)) as typeof parts;
  expect(after.items.find(({ id }) => id === chips)?.price_change).toBeNull();
  const total = { expected_total: 300, lines: [{ item_id: chips, quantity: 1, options: [] }] };
  const { status, body } = await app.request('POST', '/v1/orders', { body: app.orderBody(total) });
  expect([status, body.code, body.quote.total]).toEqual([409, 'price_changed', 350]);
});

test('a later price is taken back, and one that somebody else has changed is not overwritten', async () => {
  const path = `items/${app.shop.chips}`;
  const later = { price: 500, at: '2026-11-22T06:00:00.000Z' };
  await change(path, later);
  const stale = { price_change: null, was: { price_change: { ...later, price: 450 } } };
  expect((await app.request('PATCH', `/v1/${path}`, { token: admin, body: stale })).status).toBe(409);
  const right = { price_change: null, was: { price_change: later } };
  expect((await app.request('PATCH', `/v1/${path}`, { token: admin, body: right })).status).toBe(200);
  app.clock.now = new Date('2026-11-22T12:00:00Z');
  // A later change that is due shows that the sweep has run.
  await change(`options/${app.shop.size.large}`, { price: 450, at: '2026-11-22T11:00:00Z' });
  await expect.poll(quote, { timeout: 20_000 }).toEqual([350, 1400]);
});

test.each([
  [{ price: -1, at }, 'price_change.price'],
  [{ price: 100, at: 'soon' }, 'price_change.at'],
])('%o is refused', async (price_change, field) => {
  const { status, body } = await change(`items/${app.shop.chips}`, price_change);
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
});
