import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let shop: SmallShop;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
beforeEach(async () => {
  shop = await seedSmallShop(app.database.db);
  const { group, olives, chilli, cheese } = shop.topping;
  await call('POST', `option-groups/${group}/options/reorder`, { optionIds: [olives, chilli, cheese] });
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, `/v1/${path}`, { token: admin, ...(body !== undefined && { body }) });
const parts = async () => (await call('GET', `menus/store/${shop.storeId}/parts`)).body.data as MenuParts;
const withoutVersion = async () => ({ ...(await parts()), version: 0 });
const change = (...changes: unknown[]) => call('POST', 'menus/changes', { changes });
const kinds = () => [
  ['menus', shop.menuId],
  ['categories', shop.categoryId],
  ['items', shop.pizza],
  ['option-groups', shop.size.group],
  ['options', shop.topping.olives],
];

test('the parts of a menu name each thing once, linked in order, hidden and unlinked ones too', async () => {
  const loose = await call('POST', 'options', { name: 'Loose', store_id: shop.storeId });
  await call('PATCH', `items/${shop.chips}`, { is_active: false });
  const shown = await parts();
  expect(shown.categories.map(({ item_ids: ids }) => ids)).toEqual([[shop.pizza, shop.chips]]);
  expect(shown.items.find(({ id }) => id === shop.pizza)?.option_groups.map(({ id }) => id)).toEqual([
    shop.size.group,
    shop.topping.group,
  ]);
  expect(shown.items.find(({ id }) => id === shop.chips)?.is_active).toBe(false);
  expect(shown.options.map(({ id }) => id)).toContain(loose.body.data.id);
  expect(shown.option_groups.flatMap(({ options }) => options).length).toBe(5);
});

describe('a deletion that is taken back', () => {
  test('leaves everything as it was before', async () => {
    const conditions = { option_groups: [{ id: shop.topping.group, shown_when_option_id: shop.size.large }] };
    expect((await call('PATCH', `items/${shop.pizza}`, conditions)).status).toBe(200);
    const before = await withoutVersion();
    for (const [path, id] of kinds()) {
      expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
      expect(await withoutVersion()).not.toEqual(before);
      expect((await call('POST', `${path}/${id}/restore`, {})).status).toBe(200);
      expect(await withoutVersion(), path).toEqual(before);
    }
  });

  test('brings a sold item back into its categories', async () => {
    const before = await withoutVersion();
    await app.request('POST', '/v1/orders', {
      token: await app.signIn('customer'),
      body: app.orderBody({ store_id: shop.storeId, lines: [{ item_id: shop.chips, quantity: 3, options: [] }] }),
    });
    expect((await call('GET', `items/${shop.chips}/sold`)).body.data).toEqual({ sold: 3 });
    await call('DELETE', `items/${shop.chips}`);
    await call('POST', `items/${shop.chips}/restore`, {});
    expect(await withoutVersion()).toEqual(before);
  });

  test('of something that is there already changes nothing', async () => {
    const before = await withoutVersion();
    for (const [path, id] of kinds()) expect((await call('POST', `${path}/${id}/restore`, {})).status).toBe(200);
    expect(await withoutVersion()).toEqual(before);
  });

  test('is refused while what it stood in is gone, and works once that is back', async () => {
    await call('DELETE', `categories/${shop.categoryId}`);
    await call('DELETE', `menus/${shop.menuId}`);
    expect((await call('POST', `categories/${shop.categoryId}/restore`, {})).status).toBe(409);
    await call('POST', `menus/${shop.menuId}/restore`, {});
    expect((await call('POST', `categories/${shop.categoryId}/restore`, {})).status).toBe(200);
    expect((await parts()).categories[0]?.item_ids).toEqual([shop.pizza, shop.chips]);
  });

  test('is not found for what never was', async () => {
    expect((await call('POST', `items/${randomUUIDv7()}/restore`, {})).status).toBe(404);
  });

  test('comes back though an earlier version removed it, and knew fewer of its fields', async () => {
    const before = await withoutVersion();
    await call('DELETE', `items/${shop.chips}`);
    const { db } = app.database;
    await db.deleteFrom('items').where('id', '=', shop.chips).execute();
    await sql`update menu_bin set content = content #- '{items,0,spice_level}' #- '{items,0,dietary}' where id = ${shop.chips}`.execute(
      db,
    );
    expect((await call('POST', `items/${shop.chips}/restore`, {})).status).toBe(200);
    expect(await withoutVersion()).toEqual(before);
  });

  test('comes back without the links whose other end went away meanwhile', async () => {
    await call('DELETE', `items/${shop.pizza}`);
    await call('DELETE', `option-groups/${shop.size.group}`);
    await call('POST', `items/${shop.pizza}/restore`, {});
    const pizza = (await parts()).items.find(({ id }) => id === shop.pizza);
    expect(pizza?.option_groups.map(({ id }) => id)).toEqual([shop.topping.group]);
  });
});

describe('several changes at once', () => {
  test('are made in their order, with ids that the client chose', async () => {
    const [category, item, group, option] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
    const answer = await change(
      { call: 'POST /v1/categories', body: { id: category, name: 'New', menu_id: shop.menuId } },
      { call: 'POST /v1/items', body: { id: item, name: 'Dish', price: 500, store_id: shop.storeId } },
      { call: 'POST /v1/categories/{id}/items/add', id: category, body: { items: [item] } },
      { call: 'POST /v1/option-groups', body: { id: group, name: 'Sauce', store_id: shop.storeId } },
      { call: 'POST /v1/options', body: { id: option, name: 'Mint', store_id: shop.storeId } },
      { call: 'POST /v1/option-groups/{id}/options/add', id: group, body: { options: [option] } },
      { call: 'POST /v1/items/{id}/option-groups/add', id: item, body: { option_groups: [group] } },
    );
    expect(answer.status).toBe(204);
    const shown = await parts();
    expect(shown.categories.map(({ id }) => id)).toEqual([shop.categoryId, category]);
    expect(shown.items.find(({ id }) => id === item)?.option_groups).toEqual([
      { id: group, shown_when_option_id: null },
    ]);
    expect(shown.option_groups.find(({ id }) => id === group)?.options).toEqual([{ id: option, price_override: null }]);
  });

  test('are none where one of them is refused, and the refusal names it', async () => {
    const before = await parts();
    const answer = await change(
      { call: 'PATCH /v1/items/{id}', id: shop.chips, body: { price: 999 } },
      { call: 'PATCH /v1/items/{id}', id: shop.pizza, body: { price: -1 } },
    );
    expect([answer.status, answer.body.change]).toEqual([422, 1]);
    expect(Object.keys(answer.body.errors)).toEqual(['changes.1.body.price']);
    expect(await parts()).toEqual(before);
  });

  test('are none where somebody else changed one of the things meanwhile', async () => {
    await call('PATCH', `items/${shop.chips}`, { price: 333 });
    const before = await parts();
    const answer = await change(
      { call: 'PATCH /v1/items/{id}', id: shop.pizza, body: { price: 1000, was: { price: 950 } } },
      { call: 'PATCH /v1/items/{id}', id: shop.chips, body: { price: 310, was: { price: 300 } } },
    );
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'changed_meanwhile',
      change: 1,
      fields: ['price'],
      current: { price: 333 },
    });
    expect(await parts()).toEqual(before);
  });

  test('that are sent twice create nothing twice', async () => {
    const create = {
      call: 'POST /v1/items',
      body: { id: randomUUIDv7(), name: 'Once', price: 1, store_id: shop.storeId },
    };
    await change(create);
    const before = await withoutVersion();
    expect((await change(create)).status).toBe(204);
    expect(await withoutVersion()).toEqual(before);
  });

  test('cannot call anything but changes of the menu', async () => {
    for (const name of [
      'GET /v1/items',
      'POST /v1/orders',
      'POST /v1/menus/changes',
      'POST /v1/items/{id}/availability',
    ])
      expect((await change({ call: name, id: shop.pizza, body: {} })).status).toBe(422);
  });
});
