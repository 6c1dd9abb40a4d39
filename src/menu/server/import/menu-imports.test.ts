import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { inTransaction } from '#database/transaction.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token, ...(body !== undefined && { body }) });
const parts = async (): Promise<MenuParts> =>
  (await call('GET', `/v1/menus/store/${app.shop.storeId}/parts`)).body.data;
const itemOf = async (id: string) => (await parts()).items.find((item) => item.id === id);
const start = (changes: unknown[], undo: unknown[] = [], change: Record<string, unknown> = {}) =>
  call('POST', '/v1/menu-imports', {
    id: randomUUID(),
    store_id: app.shop.storeId,
    file_name: 'menu.csv',
    changes,
    undo,
    ...change,
  });
const read = async (id: string) => (await call('GET', `/v1/menu-imports/${id}`)).body.data;
const settled = async (id: string) => {
  await expect.poll(async () => (await read(id)).state, { timeout: 60_000 }).not.toMatch(/waiting|undoing/);
  return read(id);
};
const price = (id: string, amount: number, was?: number) => ({
  call: 'PATCH /v1/items/{id}',
  id,
  body: { price: amount, ...(was !== undefined && { was: { price: was } }) },
});
const newItem = (name: string, id = randomUUID()) => ({
  call: 'POST /v1/items',
  body: { id, name, price: 100, store_id: app.shop.storeId },
});

test('all changes are made, the menu counts one version on, and it can be taken back', async () => {
  const { pizza, storeId } = app.shop;
  const before = await itemOf(pizza);
  const version = (await parts()).version;
  const tea = newItem('Tea');
  const { status, body } = await start(
    [price(pizza, 4321), tea],
    [{ call: 'DELETE /v1/items/{id}', id: tea.body.id }, price(pizza, before?.price ?? 0, 4321)],
  );
  expect([status, body.data.state, body.data.total]).toEqual([201, 'waiting', 2]);
  expect(await settled(body.data.id)).toMatchObject({ state: 'done', done: 2, error: null, store_id: storeId });
  expect((await itemOf(pizza))?.price).toBe(4321);
  expect(await itemOf(tea.body.id)).toMatchObject({ name: 'Tea' });
  expect((await parts()).version).toBe(version + 1);

  expect((await call('POST', `/v1/menu-imports/${body.data.id}/undo`)).status).toBe(200);
  expect(await settled(body.data.id)).toMatchObject({ state: 'undone' });
  expect((await itemOf(pizza))?.price).toBe(before?.price);
  expect(await itemOf(tea.body.id)).toBeUndefined();
});

test('a refused change names itself, and leaves nothing of the others', async () => {
  const before = await parts();
  const { body } = await start([newItem('Coffee'), price(app.shop.pizza, -5)]);
  const failed = await settled(body.data.id);
  expect(failed).toMatchObject({ state: 'failed', failed_change: 1, error: expect.stringMatching(/\w/) });
  expect(await parts()).toEqual(before);
  const undo = await call('POST', `/v1/menu-imports/${body.data.id}/undo`);
  expect([undo.status, undo.body.code]).toEqual([409, 'conflict']);
});

test('what somebody else changed since is not overwritten, neither by an import nor by its undo', async () => {
  const { chips } = app.shop;
  const seen = (await itemOf(chips))?.price ?? 0;
  const late = await start([price(chips, 999, seen + 1)]);
  expect(await settled(late.body.data.id)).toMatchObject({ state: 'failed', failed_change: 0 });

  const made = await start([price(chips, 777, seen)], [price(chips, seen, 777)]);
  await settled(made.body.data.id);
  await call('PATCH', `/v1/items/${chips}`, { price: 778 });
  await call('POST', `/v1/menu-imports/${made.body.data.id}/undo`);
  expect(await settled(made.body.data.id)).toMatchObject({ state: 'done', error: expect.stringMatching(/\w/) });
  expect((await itemOf(chips))?.price).toBe(778);
});

test('an import that an earlier release left waiting is made, and can be taken back', async () => {
  const { db } = app.database;
  const { chips, pizza, categoryId, storeId } = app.shop;
  const before = { ...(await parts()), version: 0 };
  const id = randomUUID();
  const tea = newItem('Green tea');
  await db
    .insertInto('menu_imports')
    .values({
      id,
      store_id: storeId,
      created_by: (await addUser(db, 'admin')).id,
      file_name: 'menu.csv',
      state: 'waiting',
      // As rows are that were written before changes were read as operations.
      changes: JSON.stringify([
        tea,
        price(chips, 222),
        { call: 'POST /v1/categories/{id}/items/add', id: categoryId, body: { items: [tea.body.id] } },
        {
          call: 'POST /v1/categories/{id}/items/reorder',
          id: categoryId,
          body: { itemIds: [tea.body.id, chips, pizza] },
        },
        { call: 'DELETE /v1/items/{id}', id: pizza, body: {} },
      ]),
      undo: JSON.stringify([
        { call: 'POST /v1/items/{id}/restore', id: pizza, body: {} },
        {
          call: 'POST /v1/categories/{id}/items/reorder',
          id: categoryId,
          body: { itemIds: [pizza, chips, tea.body.id] },
        },
        { call: 'POST /v1/categories/{id}/items/remove', id: categoryId, body: { items: [tea.body.id] } },
        price(chips, before.items.find((item) => item.id === chips)?.price ?? 0, 222),
        { call: 'DELETE /v1/items/{id}', id: tea.body.id, body: {} },
      ]),
      total: 5,
      created_at: app.clock.now,
    })
    .execute();
  await inTransaction(db, (tx) => app.services.jobs.send(tx, 'menu-import', { id }));
  expect(await settled(id)).toMatchObject({ state: 'done', done: 5, error: null });
  expect((await parts()).categories[0]?.item_ids).toEqual([tea.body.id, chips]);
  expect((await itemOf(chips))?.price).toBe(222);

  await call('POST', `/v1/menu-imports/${id}/undo`);
  expect(await settled(id)).toMatchObject({ state: 'undone' });
  expect({ ...(await parts()), version: 0 }).toEqual(before);
});

test('sent twice, even at once, it is one import; other changes with its id are refused', async () => {
  const id = randomUUID();
  const item = newItem('Once');
  const answers = await Promise.all([1, 2, 3].map(() => start([item], [], { id })));
  expect(answers.map(({ status, body }) => [status, body.data.id])).toEqual(answers.map(() => [201, id]));
  await settled(id);
  expect((await parts()).items.filter(({ name }) => name === 'Once')).toHaveLength(1);
  const other = await start([newItem('Once')], [], { id });
  expect([other.status, other.body.code, other.body.message]).toEqual([
    409,
    'conflict',
    expect.stringContaining('another window'),
  ]);
});

test('nobody reads half of it: 300 dishes are there all at once', async () => {
  const known = (await parts()).items.length;
  const { body } = await start(Array.from({ length: 300 }, (_, index) => newItem(`Dish ${index}`)));
  const seen = new Set<number>();
  let state = 'waiting';
  while (state === 'waiting') {
    seen.add((await parts()).items.length);
    ({ state } = await read(body.data.id));
  }
  expect(state).toBe('done');
  expect((await parts()).items.length).toBe(known + 300);
  expect([...seen].filter((count) => count !== known && count !== known + 300)).toEqual([]);
}, 120_000);

test('is made, and its job done, whatever fails once it is committed', async () => {
  const { menus } = app.services;
  const forget = vi.spyOn(menus, 'forget').mockImplementation(() => {
    throw new Error('the cache cannot be cleared');
  });
  const tea = newItem('Lemon tea');
  const { body } = await start([tea]);
  expect(await settled(body.data.id)).toMatchObject({ state: 'done', done: 1, error: null });
  const jobState = async () => {
    const { rows } = await sql<{ state: string }>`
      select state from pgboss.job where name = 'menu-import' and data->>'id' = ${body.data.id}`.execute(
      app.database.db,
    );
    return rows.map(({ state }) => state);
  };
  await expect.poll(jobState).not.toEqual(['active']);
  expect([await jobState(), forget.mock.calls.length]).toEqual([['completed'], 1]);
  forget.mockRestore();
  expect(await itemOf(tea.body.id)).toMatchObject({ name: 'Lemon tea' });
});

test('another shop, another call and an unknown import are refused', async () => {
  const id = randomUUID();
  expect((await start([newItem('A')], [], { store_id: randomUUID() })).body.errors).toHaveProperty('store_id');
  expect((await start([{ call: 'DELETE /v1/staff/{id}', id, body: {} }])).status).toBe(422);
  expect((await call('GET', `/v1/menu-imports/${id}`)).status).toBe(404);
  expect((await call('POST', `/v1/menu-imports/${id}/undo`)).status).toBe(404);
});

test("a store's imports are listed, the latest first", async () => {
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  const { body } = await start([newItem('Last')]);
  const list = await call('GET', `/v1/menu-imports?store_id=${app.shop.storeId}&per_page=1`);
  expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([body.data.id]);
});

interface Hashed {
  file_hash: string;
  columns: string;
  is_open: boolean;
}

test('a draft is one for each file, is kept for a week, and is only remembered once it is imported', async () => {
  const draft = (content: string | null, more = {}) =>
    call('POST', '/v1/menu-drafts', {
      store_id: app.shop.storeId,
      file_name: 'till.csv',
      file_hash: 'abc',
      header_shape: 'plate|takes',
      columns: '["name","price"]',
      content,
      ...more,
    });
  const { id } = (await draft('first')).body.data;
  expect((await draft('second')).body.data).toMatchObject({ id, is_open: true, imported_at: null });
  const one = async () => (await call('GET', `/v1/menu-drafts/${id}`)).body.data;
  expect(await one()).toMatchObject({ content: 'second', is_open: true });
  app.clock.now = new Date(app.clock.now.getTime() + 8 * 24 * 3_600_000);
  expect(await one()).toMatchObject({ content: null, is_open: false });
  await draft('third', { file_hash: 'def' });
  const stored = await app.database.db.selectFrom('menu_drafts').select('content').where('id', '=', id).execute();
  expect(stored).toEqual([{ content: null }]);
  await draft('fourth', { is_imported: true });
  const { body } = await call('GET', `/v1/menu-drafts?store_id=${app.shop.storeId}`);
  expect(
    body.data
      .toSorted((a: Hashed, b: Hashed) => b.file_hash.localeCompare(a.file_hash))
      .map((row: Hashed) => [row.columns, row.is_open]),
  ).toEqual([
    ['["name","price"]', true],
    ['["name","price"]', false],
  ]);
  expect((await draft('fifth', { store_id: randomUUID() })).status).toBe(422);
});

test('a draft is discarded, unless it was changed since, and comes back when it is saved again', async () => {
  const draft = (content: string) =>
    call('POST', '/v1/menu-drafts', {
      store_id: app.shop.storeId,
      file_name: 'old.csv',
      file_hash: 'discarded',
      header_shape: 'dish|cost',
      columns: '["name","price"]',
      content,
    });
  const first = (await draft('first')).body.data;
  const path = `/v1/menu-drafts/${first.id}`;
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  await draft('second');
  const late = await call('DELETE', `${path}?updated_at=${first.updated_at}`);
  expect([late.status, late.body.code, late.body.message]).toEqual([
    409,
    'conflict',
    'This menu was just changed in another window. Go on with it to see it before you discard it.',
  ]);
  const { updated_at: at } = (await call('GET', path)).body.data;
  expect((await call('DELETE', `${path}?updated_at=${at}`)).status).toBe(204);
  expect((await call('GET', path)).body.data).toMatchObject({
    is_open: false,
    content: null,
    imported_at: null,
    columns: '["name","price"]',
  });
  expect((await draft('second')).body.data).toMatchObject({ id: first.id, is_open: true });
  expect((await call('DELETE', `/v1/menu-drafts/${randomUUID()}`)).status).toBe(404);
});
