import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let second: TestApp;
let admin: string;
let cook: string;
beforeAll(async () => {
  app = await startTestApp({}, { PAYMENT_SANDBOX: '1' });
  second = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, { PAYMENT_SANDBOX: '1' });
  [admin, cook] = await Promise.all([app.signIn('admin'), app.signIn('store_admin', [app.shop.storeId])]);
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const chips = (quantity = 1) => ({ item_id: app.shop.chips, quantity, options: [] });
const place = (change: Record<string, unknown> = {}, on = app) =>
  on.request('POST', '/v1/orders', { body: app.orderBody({ lines: [chips()], ...change }) });
/** Sends the order again while the server is too busy, as browsers do. */
const placeWhenServed = async (change: Record<string, unknown>, on: TestApp) => {
  const session = randomUUID();
  for (;;) {
    const answer = await place({ session, ...change }, on);
    if (answer.status !== 503) return answer;
  }
};
const placed = async (change: Record<string, unknown> = {}) => {
  const { status, body } = await place(change);
  expect([status, body.problems]).toEqual([201, undefined]);
  return body.data as { id: string; session: string; lines: { id: string }[] };
};
const count = async (portions_left: number | null) => {
  const path = `/v1/items/${app.shop.chips}/availability`;
  const body = { is_available: true, unavailable_until: null, portions_left };
  expect((await app.request('POST', path, { token: cook, body })).status).toBe(200);
};
const left = async () => {
  const { body } = await app.request('GET', `/v1/items/${app.shop.chips}`, { token: admin });
  return body.data.portions_left as number | null;
};
const step = async (id: string, call: string, body: object = {}) =>
  expect((await app.request('POST', `/v1/orders/${id}/${call}`, { body, token: admin })).status).toBe(200);

/** With a limit, orders take their customer's turn. */
const limit = async (max_open_orders_per_person: number | null) => {
  const body = { max_open_orders_per_person };
  const { status } = await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body });
  expect(status).toBe(200);
};

test('an unpaid order holds its portions until it expires', async () => {
  await count(1);
  await placed({ payment_method: 'card' });
  expect(await left()).toBe(0);
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 60_000);
  second.clock.now = app.clock.now;
  await expect.poll(left, { timeout: 20_000 }).toBe(1);
});

test('two hundred orders at once, at two instances, take exactly the portions there are', async () => {
  await count(60);
  await limit(400);
  const orders = Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      placeWhenServed({ lines: [chips((index % 3) + 1)] }, index % 2 === 0 ? app : second),
    ),
  );
  // Each edit makes the cached shops stale, so that orders are priced again while the shop is locked.
  for (let price = 901; price < 911; price += 1)
    await app.request('PATCH', `/v1/items/${app.shop.pizza}`, { token: admin, body: { price } });
  const answers = await orders;
  await limit(null);
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual([201, 422]);
  const sold = answers.flatMap(({ status, body }) => (status === 201 ? [body.data.lines[0].quantity as number] : []));
  expect(sold.reduce((sum, quantity) => sum + quantity, 0) + ((await left()) ?? NaN)).toBe(60);
  const codes = answers.flatMap(({ body }) => body.problems?.map(({ code }: { code: string }) => code) ?? []);
  expect([...new Set(codes)].filter((code) => code !== 'item_max' && code !== 'item_sold_out')).toEqual([]);
  // An order is refused only if too few portions are left for it.
  expect(await left()).toBe(0);
});

test('an order waits for its customer’s turn before it locks dishes, as batches do', async () => {
  await count(5);
  await limit(400);
  const unpaid = await placed({ payment_method: 'card' });
  const holder = new pg.Client(app.database.config);
  await holder.connect();
  const waiting = async () => {
    const { rows } = await holder.query(`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`);
    return rows.length;
  };
  try {
    await holder.query(`select pg_advisory_lock(hashtextextended($1 || '7700900123', 0))`, [app.shop.storeId]);
    // It gives the portions of the unpaid order back before it takes its own.
    const order = place({ replaces: unpaid.session });
    await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toBe(1);
    await holder.query('begin');
    await holder.query('select from items where id = $1 for no key update nowait', [app.shop.chips]);
    await holder.query('commit');
    await holder.query('select pg_advisory_unlock_all()');
    expect((await order).status).toBe(201);
    expect(await left()).toBe(4);
  } finally {
    await holder.end();
    await limit(null);
  }
});

test('the menu shows the count, and that the dish is sold out, soon after the order', async () => {
  await count(2);
  const shown = async (on: TestApp) => {
    const { body } = await on.request(
      'GET',
      `/v1/menus/store/${app.shop.storeId}?include=categories.items.option_groups.options`,
    );
    type Shown = { categories: { items: { id: string; portions_left: number | null }[] }[] }[];
    return (body.data as Shown)
      .flatMap(({ categories }) => categories.flatMap(({ items }) => items))
      .find(({ id }) => id === app.shop.chips)?.portions_left;
  };
  expect(await shown(app)).toBe(2);
  await placed({ lines: [chips(2)] });
  await expect.poll(() => shown(second), { timeout: 20_000 }).toBe(0);
  const { body } = await place();
  expect(body.problems).toMatchObject([{ code: 'item_sold_out', path: 'lines.0.item_id' }]);
});

test('an order of more than is left is told how many there are, in both lines together', async () => {
  await count(3);
  const { status, body } = await place({ lines: [chips(2), { ...chips(2), note: 'no salt' }] });
  expect([status, body.message]).toEqual([422, 'Only 3 of Chips left.']);
  expect(await left()).toBe(3);
});

test.each([
  ['rejected', 'reject', { reason: 'too_busy' }],
  ['cancelled', 'cancel', { reason: 'Ada rang us' }],
])('portions of an order that is %s come back, once', async (_name, call, body) => {
  await count(5);
  const { id } = await placed({ lines: [chips(2)] });
  expect(await left()).toBe(3);
  await step(id, call, body);
  await step(id, call, body);
  expect(await left()).toBe(5);
});

test('portions of a removed line come back, and the rest with the cancellation', async () => {
  await count(5);
  const { id, lines } = await placed({ lines: [chips(3)] });
  await step(id, 'accept', { minutes: 20 });
  await step(id, 'lines/remove', { lines: [{ line_id: lines[0]?.id, quantity: 1 }], reason: 'customer_asked' });
  expect(await left()).toBe(3);
  await step(id, 'cancel', { reason: 'Ada rang us' });
  expect(await left()).toBe(5);
});

test('an order that replaces the unpaid one with the last portion gets it', async () => {
  await count(1);
  const { session } = await placed({ payment_method: 'card' });
  expect((await place()).status).toBe(422);
  await placed({ replaces: session });
  expect(await left()).toBe(0);
});

test('an order of before the count, or after it, gives nothing back', async () => {
  await count(null);
  const before = await placed();
  await count(4);
  await step(before.id, 'reject', { reason: 'too_busy' });
  expect(await left()).toBe(4);
  const during = await placed();
  await count(null);
  await step(during.id, 'reject', { reason: 'too_busy' });
  expect(await left()).toBeNull();
});

test('a repeated order takes its portions once', async () => {
  await count(5);
  const body = app.orderBody({ session: randomUUID(), lines: [chips(2)] });
  const answers = await Promise.all([app, second, app].map((on) => on.request('POST', '/v1/orders', { body })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
  expect(await left()).toBe(3);
});

test('staff count a dish, and only an admin changes its other fields', async () => {
  const path = `/v1/items/${app.shop.chips}`;
  expect((await app.request('PATCH', path, { token: cook, body: { portions_left: 3 } })).status).toBe(403);
  const changed = await app.request('PATCH', path, { token: admin, body: { portions_left: -1 } });
  expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['portions_left']]);
});
