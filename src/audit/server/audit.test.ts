import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withStatementTimeout } from '#database/transaction.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let staff: string;
let orderId: string;
let adminId: string;
beforeAll(async () => {
  // The usual name has random digits, which a search would find.
  app = await startTestApp({ name: 'High Street' });
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
  adminId = (await app.request('GET', '/v1/auth/user', { token: admin })).body.data.id;
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
  ['not by the name of a field', '?search=prep_minutes', []],
  ['by a value of one person', () => `?search=1234&actor_id=${adminId}`, [patchItem]],
  ['by a value of others', () => `?search=1234&actor_id=${orderId}`, []],
  ['by a value in an area', '?search=1234&area=menu', [patchItem]],
  ['by a value in another area', '?search=1234&area=orders', []],
  ['by a value on its day', '?search=1234&start_date=2026-11-21&end_date=2026-11-21', [patchItem]],
  ['by a value on another day', '?search=1234&start_date=2026-11-22', []],
])('it is found %s', async (_, query, expected) => {
  expect(await actions(typeof query === 'string' ? query : query())).toEqual(expected);
});

describe('a letter or two of what was sent', () => {
  test('are searched among the last days, and the answer says so', async () => {
    const { body } = await app.request('GET', '/v1/audit?search=23', { token: admin });
    expect(body.meta.searched_days).toBe(7);
    expect(body.data.map(({ action }: Line) => action)).toEqual([patchItem]);
    const whole = await app.request('GET', '/v1/audit?search=1234', { token: admin });
    expect(whole.body.meta.searched_days).toBeNull();
  });

  test('are not found in older lines; whole words are', async () => {
    app.clock.now = new Date('2026-12-15T12:00:00Z');
    expect(await actions('?search=23')).toEqual([]);
    expect(await actions('?search=1234')).toEqual([patchItem]);
  });
});

describe('words that more lines have than are counted', () => {
  const many = 10_030;
  beforeAll(async () => {
    await withStatementTimeout(60_000, () =>
      sql`
        insert into audit_log (id, at, actor, role, action, detail, request_id)
        select gen_random_uuid(), timestamptz '2026-10-01' + i / 3 * interval '1 second', 'Sam', 'store_admin',
          'POST /v1/orders/{id}/cancel', jsonb_build_object('reason', 'Rang to cancel'), 'req-' || i
        from generate_series(1, ${many}) as i`.execute(app.database.db),
    );
  });

  test('the answer says how far it counted, and is read to its end by links.next', async () => {
    const first = await app.request('GET', '/v1/audit?search=rang&per_page=200', { token: admin });
    expect(first.body.meta).toMatchObject({ total: 10_000, total_is_exact: false, last_page: 50 });
    const found = new Set<string>();
    for (let { body } = first; ;) {
      for (const { id } of body.data) found.add(id);
      if (body.links.next === null) break;
      ({ body } = await app.request('GET', body.links.next, { token: admin }));
    }
    expect(found.size).toBe(many);
  });

  test.each([
    ['on their day', '&start_date=2026-10-01&end_date=2026-10-01', many],
    ['on other days', '&start_date=2026-10-02', 0],
    ['of nobody', () => `&actor_id=${adminId}`, 0],
    ['in another area', '&area=menu', 0],
  ])('%s are counted as they are', async (_, query, total) => {
    const path = `/v1/audit?search=rang&per_page=1${typeof query === 'string' ? query : query()}`;
    const { body } = await app.request('GET', path, { token: admin });
    expect(body.meta).toMatchObject({ total: Math.min(total, 10_000), total_is_exact: total <= 10_000 });
  });
});

test('the check finds nothing in a log as it was written, and names the line that somebody changed', async () => {
  const check = async () => (await app.request('GET', '/v1/audit/check', { token: admin })).body.data;
  const { db } = app.database;
  const waiting = () => db.selectFrom('audit_unchained').select('id').execute();
  await expect.poll(waiting).toEqual([]);
  const good = await check();
  expect(good).toMatchObject({ name: 'audit', faults: [], head: expect.stringMatching(/^[\da-f]{64}$/) });
  expect(good.entries).toBeGreaterThan(3);
  await sql`alter table audit_log disable trigger user`.execute(db);
  await sql`update audit_log set actor = 'Nobody' where id = (select id from audit_chain where position = 2)`.execute(
    db,
  );
  await sql`alter table audit_log enable trigger user`.execute(db);
  expect((await check()).faults).toMatchObject([{ kind: 'changed', position: 2 }]);
});
