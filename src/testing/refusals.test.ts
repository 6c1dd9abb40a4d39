import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilWaiting } from '#testing/database-waits.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

test('an error that nobody expected says one sentence, and nothing of what went wrong', async () => {
  const { db } = app.database;
  await sql`alter table mails rename to mails_elsewhere`.execute(db);
  try {
    for (const accept of ['*/*', 'text/html']) {
      const headers = { accept };
      const { status, body, headers: told } = await app.request('GET', '/v1/mail', { token: admin, headers });
      expect([status, body]).toEqual([
        500,
        { code: 'internal', message: 'Something went wrong on our side. Please try again.' },
      ]);
      expect([...told.values()].join(' ')).not.toMatch(/mails|relation|42P01|\.ts\b/);
    }
  } finally {
    await sql`alter table mails_elsewhere rename to mails`.execute(db);
  }
  expect((await app.request('GET', '/v1/mail', { token: admin })).status).toBe(200);
});

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
  'a blank instead of an id is not found: %s',
  async (path) => {
    const { status, body } = await app.request('GET', path, { token: admin });
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);

test('an id with a blank after it is not found', async () => {
  const { status } = await app.request('GET', `/v1/items/${app.shop.pizza}%20`, { token: admin });
  expect(status).toBe(404);
});

test('a shop that is set up refuses a second setup, whatever the body is', async () => {
  for (const body of [{}, { owner: 1 }, []]) {
    const answer = await app.request('POST', '/v1/setup', { body });
    expect([answer.status, answer.body.code]).toEqual([409, 'already_set_up']);
  }
});

describe('an unknown relation', () => {
  const readings = () => [
    ...['menus', 'stores', 'categories', 'items', 'options', 'option-groups', 'orders'].map((list) => `/v1/${list}`),
    `/v1/stores/${app.shop.storeId}`,
    `/v1/menus/${app.shop.menuId}`,
    `/v1/menus/store/${app.shop.storeId}`,
    `/v1/categories/${app.shop.categoryId}`,
    `/v1/items/${app.shop.pizza}`,
    `/v1/option-groups/${app.shop.topping.group}`,
    `/v1/options/${app.shop.topping.olives}`,
  ];

  test('is refused by every read that has relations or might get some', async () => {
    for (const path of readings()) {
      const { status, body } = await app.request('GET', `${path}?include=kitten`, { token: admin });
      expect([path, status, Object.keys(body.errors ?? {})]).toEqual([path, 422, ['include']]);
    }
  });

  test('is not `related`, which every read accepts', async () => {
    for (const path of readings()) {
      const { status } = await app.request('GET', `${path}?include=related`, { token: admin });
      expect([path, status]).toEqual([path, 200]);
    }
  });
});

test('a body of `null` is refused, and changes nothing', async () => {
  for (const path of [`/v1/stores/${app.shop.storeId}`, `/v1/items/${app.shop.pizza}`]) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin}` };
    const answer = await fetch(app.url + path, { method: 'PATCH', headers, body: 'null' });
    expect(answer.status).toBe(422);
    const nothing = await fetch(app.url + path, { method: 'PATCH', headers });
    expect(nothing.status).toBe(200);
  }
});

test.each(['orders', 'payments', 'refunds', 'audit'])(
  'a period that ends before it begins is refused: %s',
  async (list) => {
    const ask = async (query: string) => app.request('GET', `/v1/${list}?${query}`, { token: admin });
    const { status, body } = await ask('start_date=2026-11-22&end_date=2026-11-21');
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['end_date']]);
    expect((await ask('start_date=2026-11-21&end_date=2026-11-21')).status).toBe(200);
    expect((await ask('start_date=2026-11-22')).status).toBe(200);
  },
);

test('an address of a profile is stored with its postcode in the form that orders use', async () => {
  const addresses = [{ line1: '2 Low Road', postcode: 'cv212aa' }];
  const { body } = await app.request('PATCH', '/v1/auth/user', {
    body: { addresses },
    token: await app.signIn('customer'),
  });
  expect(body.data.addresses[0].postcode).toBe('CV21 2AA');
});

test('the refusal of an invalid socket id shows what one looks like', async () => {
  const { status, body } = await app.request('POST', '/v1/broadcasting/auth', { body: { socket_id: 'x' } });
  expect(status).toBe(422);
  expect(body.errors.socket_id[0]).toContain('1234.5678');
});

describe('a URL', () => {
  const change = (body: object) => app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { body, token: admin });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com/x', 'JavaScript:alert(1)', 'x'])(
    '%s is refused as a page of reviews',
    async (url) => {
      const { status, body } = await change({ google_review_url: url });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['google_review_url']]);
    },
  );

  test.each(['javascript:alert(1)', 'data:image/png;base64,AAAA', 'http://example.com/x.png', '//example.com/x.png'])(
    '%s is refused as a picture',
    async (url) => {
      for (const field of ['logo', 'cover']) expect((await change({ [field]: url })).status).toBe(422);
      for (const thing of [`items/${app.shop.pizza}`, `categories/${app.shop.categoryId}`]) {
        const { status } = await app.request('PATCH', `/v1/${thing}`, { body: { image: url }, token: admin });
        expect(status).toBe(422);
      }
    },
  );

  test('with http or https is accepted, and so is a picture of the shop itself', async () => {
    const fields = {
      google_review_url: 'https://g.page/r/x/review',
      logo: '/pictures/a.svg',
      cover: 'https://a.b/c.png',
    };
    expect((await change(fields)).body.data).toMatchObject(fields);
  });
});

describe('a store', () => {
  const change = async (body: object) => {
    const answer = await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { body, token: admin });
    return [answer.status, Object.keys(answer.body.errors ?? {})];
  };

  test.each(['GBP', 'EUR', 'JPY', 'AED'])('takes the currency %s', async (currency) => {
    expect(await change({ currency })).toEqual([200, []]);
  });

  test.each(['ABC', 'QQQ', 'gbp', '', '£'])('refuses an invalid currency: "%s"', async (currency) => {
    expect(await change({ currency })).toEqual([422, ['currency']]);
  });

  test('refuses a closure that ends before it begins, and accepts one of a single day', async () => {
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

test('if an account is deleted while it places an order, the order is refused and others can order', async () => {
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
  await untilWaiting(app.database.db);
  commit();
  await deletion;
  const { status, body: answer } = await placing;
  expect([status, answer.code]).toEqual([401, 'unauthenticated']);
  const kept = await app.database.db
    .selectFrom('orders')
    .select('id')
    .where('session_hash', '=', hashSession(String(body['session'])));
  expect(await kept.execute()).toEqual([]);
  expect((await app.request('POST', '/v1/orders', { body })).status).toBe(201);
});

describe('the relation that an order can include', () => {
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
    const ofSession = await app.request('GET', `/v1/orders/session/${session}?include=store`);
    expect(ofSession.body.data).toMatchObject({ id, store: { id: app.shop.storeId } });
    expect((await app.request('GET', `/v1/orders/session/${session}`)).body.data).not.toHaveProperty('store');
    const listed = await app.request('GET', '/v1/orders?include=store', { token: admin });
    expect(listed.body.data[0].store).toMatchObject({ id: app.shop.storeId, name: expect.any(String) });
    expect(listed.body.data[0]).toMatchObject({ history: [expect.objectContaining({ to: 'placed' })], prints: [] });
    const bare = await app.request('GET', '/v1/orders', { token: admin });
    expect(bare.body.data[0]).not.toHaveProperty('store');
    expect(bare.body.data[0]).toMatchObject({ history: [expect.objectContaining({ to: 'placed' })], prints: [] });
  });

  test.each(['history', 'prints', 'customer', 'nonsense'])('is not %s: refused', async (include) => {
    for (const path of ['/v1/orders', `/v1/orders/session/${randomUUID()}`]) {
      const { status, body } = await app.request('GET', `${path}?include=${include}`, { token: admin });
      expect([status, Object.keys(body.errors ?? {})], path).toEqual([422, ['include']]);
    }
  });
});
