import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let staff: string;
let orderId: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  staff = await app.signIn('store_admin', [app.shop.storeId]);
  const placed = await app.request('POST', '/v1/orders', {
    token: await app.signIn('customer'),
    body: app.orderBody(),
  });
  orderId = placed.body.data.id;
  await app.request('POST', `/v1/orders/${orderId}/accept`, { token: staff, body: { minutes: 25 } });
  await app.request('PATCH', `/v1/items/${app.shop.pizza}`, { token: admin, body: { price: 1234 } });
  app.clock.now = new Date('2026-11-22T23:59:59Z');
  await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body: { prep_minutes: 17 } });
});
afterAll(() => app.close());

interface Line {
  action: string;
  actor: string;
  role: string;
  summary: string;
  subject: string | null;
  detail: Record<string, unknown> | null;
}
const lines = async (query = ''): Promise<Line[]> =>
  (await app.request('GET', `/v1/audit${query}`, { token: admin })).body.data;
const actions = async (query: string) => (await lines(query)).map(({ action }) => action);
const patchItem = 'PATCH /v1/items/{id}';
const patchStore = 'PATCH /v1/stores/{id}';
const accept = 'POST /v1/orders/{id}/accept';

test('a change stands there with who made it, what it was and what it was done to, newest first', async () => {
  const all = await lines();
  expect(all.map(({ action }) => action)).toEqual([patchStore, patchItem, accept]);
  expect(all[1]).toMatchObject({
    role: 'admin',
    actor: 'A admin',
    detail: { price: 1234 },
    summary: expect.any(String),
  });
  expect(all.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/\w/),
    expect.stringMatching(/pizza|margherita/i),
    expect.stringMatching(/^#\d+, 21 Nov 2026$/),
  ]);
});

test('a change of a store, and of what belongs to one, stands there for that store', async () => {
  const rows = await app.database.db.selectFrom('audit_log').select(['action', 'store_id']).execute();
  const storeOf = new Map(rows.map(({ action, store_id }) => [action, store_id]));
  expect(storeOf.get(patchStore)).toBe(app.shop.storeId);
  expect(storeOf.get(accept)).toBe(app.shop.storeId);
});

test.each([
  ['by a value that was sent', '?search=1234', [patchItem]],
  ['by words of what was done', '?search=promise%20it', [accept]],
  ['by the name of what it was done to', '?search=margherita', [patchItem]],
  ['by the order it was done to', '?search=21%20Nov%202026', [accept]],
  ['by the id of what it was done to', () => `?search=${orderId}`, [accept]],
  ['by exactly that id', () => `?subject_id=${orderId}`, [accept]],
  ['by area', '?area=menu', [patchItem]],
  ['by the area of orders', '?area=orders', [accept]],
  ['by the day in the shop', '?start_date=2026-11-22&end_date=2026-11-22', [patchStore]],
  ['up to a day', '?end_date=2026-11-21', [patchItem, accept]],
  ['for signs that mean something in a pattern', '?search=%25', []],
])('it is found %s', async (_, query, expected) => {
  expect(await actions(typeof query === 'string' ? query : query())).toEqual(expected);
});
