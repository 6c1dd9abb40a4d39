import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

describe('an address that exists with another method', () => {
  test.each([
    ['GET', '/v1/orders/quote', 'POST'],
    ['GET', '/v1/categories/reorder', 'POST'],
    ['PUT', '/v1/orders', 'GET, POST'],
    ['DELETE', '/v1/auth/login', 'POST'],
    ['GET', `/v1/orders/${randomUUID()}/accept`, 'POST'],
  ])('%s %s says what it takes', async (method, path, allow) => {
    const { status, body, headers } = await app.request(method, path, { token: admin });
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
  });
});

test.each(['/v1/menus/%20', '/v1/stores/%20', '/v1/items/%20', '/v1/orders/%20', '/v1/orders/session/%20'])(
  'a blank where an id belongs is not found: %s',
  async (path) => {
    const { status, body } = await app.request('GET', path, { token: admin });
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);

test('an id with a blank behind it is no id', async () => {
  const { status } = await app.request('GET', `/v1/items/${app.shop.pizza}%20`, { token: admin });
  expect(status).toBe(404);
});

test('a shop that is set up says so, whatever it is sent', async () => {
  for (const body of [{}, { owner: 1 }, []]) {
    const answer = await app.request('POST', '/v1/setup', { body });
    expect([answer.status, answer.body.code]).toEqual([409, 'already_set_up']);
  }
});

describe('a store', () => {
  const change = async (body: object) => {
    const answer = await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { body, token: admin });
    return [answer.status, Object.keys(answer.body.errors ?? {})];
  };

  test.each(['GBP', 'EUR', 'JPY', 'AED'])('takes the currency %s', async (currency) => {
    expect(await change({ currency })).toEqual([200, []]);
  });

  test.each(['ABC', 'QQQ', 'gbp', '', '£'])('refuses what is no currency: "%s"', async (currency) => {
    expect(await change({ currency })).toEqual([422, ['currency']]);
  });

  test('refuses a closure that ends before it begins, and takes one of a single day', async () => {
    const closures = [{ from: '2026-12-25', to: '2026-12-25', reason: 'Christmas' }];
    expect(await change({ closures })).toEqual([200, []]);
    const wrong = [...closures, { from: '2026-12-27', to: '2026-12-26' }];
    expect(await change({ closures: wrong })).toEqual([422, ['closures.1.to']]);
  });

  test.each([
    { day: 'Friday', open: '24:00', close: '23:00' },
    { day: 'Friday', open: '9:00', close: '23:00' },
    { day: 'Freitag', open: '09:00', close: '23:00' },
  ])('refuses hours that are none: %j', async (entry) => {
    const [status] = await change({ operational_hours: [entry] });
    expect(status).toBe(422);
  });

  test('pauses for two weeks at most', async () => {
    const pause = (until: string) =>
      app.request('POST', `/v1/stores/${app.shop.storeId}/pause`, { body: { until }, token: admin });
    expect((await pause('2026-12-05T18:00:00Z')).status).toBe(200);
    const { status, body } = await pause('2026-12-05T18:00:01Z');
    expect([status, Object.keys(body.errors)]).toEqual([422, ['until']]);
    expect(body.message).toContain('14 days');
    expect((await pause('2026-11-21T17:59:59Z')).status).toBe(422);
    await app.request('POST', `/v1/stores/${app.shop.storeId}/resume`, { token: admin });
  });
});

test('an account deleted while its order is on its way takes no order along, and nobody else is held up', async () => {
  const token = await app.signIn('customer');
  const user = (await app.request('GET', '/v1/auth/user', { token })).body.data;
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: isDeleted, resolve: deleted } = Promise.withResolvers<void>();
  const deletion = app.database.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('users').where('id', '=', user.id).execute();
    deleted();
    await mayCommit;
  });
  await isDeleted;
  const body = app.orderBody();
  const placing = app.request('POST', '/v1/orders', { body, token });
  await untilSomebodyWaits();
  commit();
  await deletion;
  const { status, body: answer } = await placing;
  expect([status, answer.code]).toEqual([401, 'unauthenticated']);
  const kept = await app.database.db.selectFrom('orders').select('id').where('session', '=', String(body['session']));
  expect(await kept.execute()).toEqual([]);
  expect((await app.request('POST', '/v1/orders', { body })).status).toBe(201);
});

/** Until a statement of this database waits for another one's lock. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      app.database.db,
    );
    if (rows.length > 0) return;
    await wait(10);
  }
}

describe('what an order can bring along', () => {
  test('is its store, only when asked for; its history and prints are its own', async () => {
    const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
    const { id, session } = placed.body.data;
    for (const who of [{ token: admin }, { headers: { 'x-order-session': session } }, {}]) {
      const plain = await app.request('GET', `/v1/orders/${id}`, who);
      expect(plain.body.data).not.toHaveProperty('store');
      for (const include of ['store', 'related']) {
        const { body } = await app.request('GET', `/v1/orders/${id}?include=${include}`, who);
        expect(body.data).toEqual({ ...plain.body.data, store: expect.objectContaining({ id: app.shop.storeId }) });
      }
    }
    const listed = await app.request('GET', '/v1/orders?include=store', { token: admin });
    expect(listed.body.data[0].store).toMatchObject({ id: app.shop.storeId, name: expect.any(String) });
    expect(listed.body.data[0]).toMatchObject({ history: [expect.objectContaining({ to: 'placed' })], prints: [] });
    const bare = await app.request('GET', '/v1/orders', { token: admin });
    expect(bare.body.data[0]).not.toHaveProperty('store');
    expect(bare.body.data[0]).toMatchObject({ history: [expect.objectContaining({ to: 'placed' })], prints: [] });
  });

  test.each(['history', 'prints', 'customer', 'nonsense'])('is not %s: refused', async (include) => {
    const { status, body } = await app.request('GET', `/v1/orders?include=${include}`, { token: admin });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['include']]);
  });
});
