import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteOrderNetworks } from '#ordering/server/order-limits.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type Response, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let owner: string;
beforeAll(async () => {
  app = await startTestApp(
    { max_open_orders_per_person: 5, max_orders_per_address_hour: 30, cash_max: null },
    { PAYMENT_SANDBOX: '1', TRUSTED_PROXIES: '10.0.0.0/8' },
  );
  owner = await app.signIn('admin');
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('order_origins').execute();
  await app.database.db.updateTable('orders').set({ status: 'cancelled' }).execute();
});
afterAll(() => app.close());

let count = 0;
const newPhone = () => `07700 ${String((count += 1)).padStart(6, '0')}`;
const newAddress = () => `2001:db8:${(count += 1).toString(16)}::1`;
interface By {
  phone?: string;
  address?: string;
  token?: string;
  change?: Record<string, unknown>;
}
const place = ({ phone = newPhone(), address = newAddress(), token, change }: By = {}) =>
  app.request('POST', '/v1/orders', {
    body: app.orderBody({ contact: { name: 'Ada', phone, email: 'ada@example.com' }, ...change }),
    headers: { 'x-forwarded-for': address },
    ...(token && { token }),
  });
const several = (times: number, by: () => By) => Promise.all(Array.from({ length: times }, () => place(by())));
const codes = (answers: readonly Response[]) =>
  answers.map(({ status, body }) => (status === 429 ? body.code : status)).toSorted((a, b) => (a < b ? -1 : 1));
const card = { payment_method: 'card' };

test('three hundred orders at once of one account are five', async () => {
  const token = await app.signIn('customer');
  const answers = await several(300, () => ({ token }));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(295);
  expect(refused[0]?.body).toMatchObject({
    code: 'too_many_orders',
    message: expect.stringMatching(/^You already have 5 orders under way, .*01632 960001\.$/),
  });
  expect(Number(refused[0]?.headers.get('retry-after'))).toBe(300);
});

test('a phone number counts however it is written, and an order that is finished does not', async () => {
  const ids: string[] = [];
  for (const phone of ['07700 900001', '+44 7700 900001', '0044 (0)7700-900001', '07700900001', '07700 900001']) {
    const { status, body } = await place({ phone });
    expect(status).toBe(201);
    ids.push(body.data.id);
  }
  const { status, body } = await place({ phone: '+447700900001', token: await app.signIn('customer') });
  expect([status, body.code]).toEqual([429, 'too_many_orders']);
  expect((await place({ phone: '07700 900002' })).status).toBe(201);
  await app.request('POST', `/v1/orders/${ids[0]}/reject`, { token: owner, body: { reason: 'too_busy' } });
  expect((await place({ phone: '07700 900001' })).status).toBe(201);
});

test('an order sent again answers with the order, whatever else is open, also at once', async () => {
  const phone = newPhone();
  for (let time = 0; time < 4; time += 1) await place({ phone });
  const last = { phone, change: { session: randomUUID() } };
  const answers = await several(4, () => last);
  expect(codes(answers)).toEqual([200, 200, 200, 201]);
  expect((await place(last)).status).toBe(200);
  expect((await place({ phone })).status).toBe(429);
});

test('one person has two unpaid orders, and one network six', async () => {
  const phone = newPhone();
  const home = newAddress();
  const answers = await several(6, () => ({ phone, address: home, change: card }));
  expect(codes(answers)).toEqual([201, 201, ...Array.from({ length: 4 }, () => 'too_many_orders')]);
  // Each unpaid order ends after half an hour.
  const wait = Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'));
  expect(wait).toBe(30 * 60);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.message).toBe(
    'You have two orders that are not paid yet. Pay or cancel one of them first, or choose cash.',
  );
  expect((await place({ phone, address: home })).status).toBe(201);

  const address = newAddress();
  expect(codes(await several(9, () => ({ address, change: card })))).toEqual([
    ...Array.from({ length: 6 }, () => 201),
    ...Array.from({ length: 3 }, () => 'too_many_orders'),
  ]);
  expect((await place({ address })).status).toBe(201);
});

test('strangers who know a phone number keep nobody from ordering with it, at once or one after the other', async () => {
  const phone = newPhone();
  const strangers = await several(8, () => ({ phone, change: card }));
  expect(codes(strangers)).toEqual(Array.from({ length: 8 }, () => 201));
  const mine = newAddress();
  expect((await place({ phone, address: mine, change: card })).status).toBe(201);
  expect((await place({ phone, address: mine })).status).toBe(201);
  // At another place, the account's own still count.
  const token = await app.signIn('customer');
  for (let time = 0; time < 2; time += 1) expect((await place({ token, change: card })).status).toBe(201);
  const { status, body } = await place({ phone, token, change: card });
  expect([status, body.code]).toEqual([429, 'too_many_orders']);
});

test('cash is offered only where the shop takes it', async () => {
  const patch = (payment_methods: object) =>
    app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: owner, body: { payment_methods } });
  expect((await patch({ collection: ['card'], delivery: ['cash', 'card'] })).status).toBe(200);
  const by = { phone: newPhone(), address: newAddress(), change: { ...card, fulfilment_type: 'collection' } };
  for (let time = 0; time < 2; time += 1) expect((await place(by)).status).toBe(201);
  expect((await place(by)).body.message).toBe(
    'You have two orders that are not paid yet. Pay or cancel one of them first.',
  );
  expect((await patch({ collection: ['cash', 'card'], delivery: ['cash', 'card'] })).status).toBe(200);
});

test('an unpaid order that is changed is replaced, not counted beside the new one', async () => {
  const phone = newPhone();
  const address = newAddress();
  const session = randomUUID();
  await place({ phone, address, change: card });
  expect((await place({ phone, address, change: { ...card, session } })).status).toBe(201);
  expect((await place({ phone, address, change: { ...card, replaces: session } })).status).toBe(201);
  expect((await place({ phone, address, change: card })).status).toBe(429);
});

test('one network places thirty orders in an hour, and one more once the first is an hour old', async () => {
  const address = '2001:db8:ffff:1::1';
  expect((await place({ address })).status).toBe(201);
  app.clock.now = new Date(saturdayEvening.getTime() + 10 * 60_000);
  const answers = await several(35, () => ({ address: `2001:db8:ffff:1::${(count += 1).toString(16)}` }));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(29);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.message).toMatch(/^A lot of orders came from your network in the last hour\./);
  expect(Number(refused?.headers.get('retry-after'))).toBe(50 * 60);
  expect((await place({ address: '2001:db8:ffff:2::1' })).status).toBe(201);
  app.clock.now = new Date(saturdayEvening.getTime() + 60 * 60_000);
  expect((await place({ address })).status).toBe(201);
});

test('staff and limits that are lifted are no limits', async () => {
  const phone = newPhone();
  for (let time = 0; time < 6; time += 1) await place({ phone });
  const counter = await place({ phone, token: owner, change: { channel: 'phone' } });
  expect(counter.status).toBe(201);
  await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, {
    token: owner,
    body: { max_open_orders_per_person: null, max_orders_per_address_hour: null },
  });
  const address = newAddress();
  for (const change of [{}, card]) {
    expect(new Set(codes(await several(40, () => ({ phone, address, change }))))).toEqual(new Set([201]));
  }
  await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, {
    token: owner,
    body: { max_open_orders_per_person: 5, max_orders_per_address_hour: 30 },
  });
});

test('where an order came from is kept as a digest, and forgotten', async () => {
  const address = '203.0.113.77';
  await place({ address });
  const rows = await app.database.db.selectFrom('order_origins').select('network').execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.network).not.toContain(address);
  await deleteOrderNetworks(app.database.db, saturdayEvening);
  expect((await app.database.db.selectFrom('order_origins').select('network').execute()).length).toBe(1);
  await deleteOrderNetworks(app.database.db, new Date(saturdayEvening.getTime() + 1));
  expect(await app.database.db.selectFrom('order_origins').select('network').execute()).toEqual([]);
});
