import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let owner: string;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.signIn('admin');
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => app.close());

let count = 0;
const read = (path: string, options: { token?: string; headers?: Record<string, string> } = {}) => {
  count += 1;
  return app.request('GET', path, {
    headers: { 'x-forwarded-for': `2001:db8:0:${count.toString(16)}::1` },
    ...options,
  });
};
const lists = [
  '/v1/categories?include=related&per_page=200',
  '/v1/items?include=related',
  '/v1/option-groups?include=options',
  '/v1/options',
  '/v1/menus?include=related',
];

test.each(lists)('%s is the same bytes for everybody, until the menu changes', async (path) => {
  const first = await read(path);
  const again = await read(path, { token: await app.signIn('customer') });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(first.body);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"/);
  expect(again.headers.get('etag')).toBe(etag);
  const known = await read(path, { headers: { 'if-none-match': etag, 'x-forwarded-for': '2001:db8:ffff::1' } });
  expect(known.status).toBe(304);
  await app.request('PATCH', `/v1/items/${app.shop.chips}`, { token: owner, body: { name: `Chips ${randomUUID()}` } });
  await app.request('PATCH', `/v1/options/${app.shop.size.large}`, { token: owner, body: { name: randomUUID() } });
  const later = await read(path);
  expect(later.status).toBe(200);
  expect(later.headers.get('etag')).not.toBe(etag);
});

test('staff read everything, and nothing of theirs is kept for others', async () => {
  const { body: made } = await app.request('POST', '/v1/menus', {
    token: owner,
    body: { store_id: app.shop.storeId, name: 'Secret', is_active: false },
  });
  const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);
  expect(ids(await read('/v1/menus?per_page=50', { token: owner }))).toContain(made.data.id);
  expect(ids(await read('/v1/menus?per_page=50'))).not.toContain(made.data.id);
});

test('a change is in the answer to everybody who asks after it, also while others ask all the time', async () => {
  const path = '/v1/items?per_page=100';
  const names = async () => (await read(path)).body.data.map(({ name }: { name: string }) => name);
  for (let round = 0; round < 10; round += 1) {
    const name = `Chips ${randomUUID()}`;
    const others = Array.from({ length: 5 }, names);
    const changed = await app.request('PATCH', `/v1/items/${app.shop.chips}`, { token: owner, body: { name } });
    expect(changed.status).toBe(200);
    expect(await names()).toContain(name);
    await Promise.all(others);
  }
});

test('no cached read needs a connection to the database', async () => {
  const { storeId, pizza, chips, size } = app.shop;
  const reads = [
    ...lists,
    '/v1/stores',
    '/v1/stores?per_page=1&page=1',
    ...[storeId, `shop-${storeId}`].map((id) => `/v1/stores/${id}`),
    `/v1/menus/store/${storeId}`,
    `/v1/menus/store/${storeId}?include=categories`,
    `/v1/items/${pizza}`,
    `/v1/items/${chips}?include=option_groups`,
    `/v1/options/${size.large}`,
    `/v1/option-groups/${size.group}`,
    '/v1/page-config',
    '/v1/push/key',
    '/v1/auth/social/providers',
  ];
  const before = await Promise.all(reads.map(async (path) => (await read(path)).body));
  const { pool } = app.database;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    for (const [index, path] of reads.entries()) {
      const { status, body } = await read(path);
      expect([path, status, body]).toEqual([path, 200, before[index]]);
    }
  } finally {
    for (const client of taken) client.release();
  }
});

test('the cached list of stores is every customer’s, has each change at once, and is not for staff', async () => {
  const named = async (token?: string) => {
    const { body } = await read('/v1/stores', token ? { token } : {});
    return body.data.map(({ name, ...store }: { name: string }) => [name, 'max_orders_per_address_hour' in store]);
  };
  const customer = await app.signIn('customer');
  const [[name]] = await named();
  expect(await named(customer)).toEqual([[name, false]]);
  expect(await named(owner)).toEqual([[name, true]]);
  const { body: made } = await app.request('POST', '/v1/stores', { token: owner, body: { name: 'Second' } });
  expect(await named()).toEqual([
    [name, false],
    ['Second', false],
  ]);
  await app.request('PATCH', `/v1/stores/${made.data.id}`, { token: owner, body: { name: 'Other' } });
  expect(await named(customer)).toEqual([
    [name, false],
    ['Other', false],
  ]);
  await app.request('DELETE', `/v1/stores/${made.data.id}`, { token: owner });
  expect(await named()).toEqual([[name, false]]);
});

test('one network has a limited number of pages built, and is sent those that are kept', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.200' };
  // The rate goes by time: a machine that takes a ninth of a second for a page would never come to the limit.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const statuses: number[] = [];
  for (let page = 1; page <= 130; page += 1) {
    statuses.push((await read(`/v1/items?per_page=1&page=${page}`, { headers })).status);
  }
  expect(statuses).toEqual(Array.from({ length: 130 }, (_, page) => (page < 100 ? 200 : 429)));
  expect((await read('/v1/items?per_page=1&page=1', { headers })).status).toBe(200);
  expect((await read('/v1/items?per_page=1&page=140')).status).toBe(200);
  now.mockReturnValue(performance.now() + 500);
  const after = async (page: number) => (await read(`/v1/items?per_page=1&page=${page}`, { headers })).status;
  expect([await after(131), await after(132)]).toEqual([200, 429]);
});
