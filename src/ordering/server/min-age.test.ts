import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let lines: { item_id: string; quantity: number }[];
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  const { storeId, categoryId, chips } = app.shop;
  const body = { store_id: storeId, name: 'Cider', price: 400, vat_rate: 2000, min_age: 18, station: 'Bar' };
  const { id } = (await app.request('POST', '/v1/items', { body, token: admin })).body.data;
  await app.request('POST', `/v1/categories/${categoryId}/items/add`, { body: { items: [id] }, token: admin });
  lines = [chips, id].map((item_id) => ({ item_id, quantity: 1 }));
});
afterAll(() => app.close());

const place = (change: Record<string, unknown> = {}, token?: string) =>
  app.request('POST', '/v1/orders', { body: app.orderBody({ lines, ...change }), ...(token && { token }) });

test('what has a least age is not ordered until its customer confirms theirs', async () => {
  const problem = { code: 'age_unconfirmed', path: 'age_confirmed', message: 'Confirm that you are 18 or over.' };
  const { body: quoted } = await app.request('POST', '/v1/orders/quote', { body: app.orderBody({ lines }) });
  expect(quoted.data.problems).toEqual([problem]);
  for (const change of [{}, { age_confirmed: false }]) {
    const refused = await place(change);
    expect([refused.status, refused.body.code]).toEqual([422, 'order_refused']);
    expect(refused.body.errors).toEqual({ age_confirmed: [problem.message] });
  }
  const placed = await place({ age_confirmed: true });
  expect(placed.status).toBe(201);
  expect(placed.body.data.lines).toMatchObject([
    { name: 'Chips', min_age: null, station: null },
    { name: 'Cider', min_age: 18, station: 'Bar' },
  ]);
});

test('nobody else is asked', async () => {
  expect((await place({ lines: lines.slice(0, 1) })).status).toBe(201);
});

test('staff who type it in ask when they hand it over', async () => {
  expect((await place({ channel: 'phone' }, admin)).status).toBe(201);
});

test('both receipts say whose ID is to be checked, the kitchen’s where each dish is made', async () => {
  const { id } = (await place({ age_confirmed: true })).body.data;
  const drawn = (await app.request('GET', `/v1/orders/${id}/receipts`, { token: admin })).body.data;
  const [kitchen, customer] = drawn.map(({ text }: { text: string }) => text);
  expect(kitchen).toContain('CHECK ID: 18+');
  expect(kitchen).toContain('BAR · 18+: check ID');
  expect(customer).toContain('CHECK ID: 18+');
  expect(customer).not.toContain('BAR');
});
