import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAudit } from '#testing/read-audit.ts';
import { connectToApp, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let client: PusherClient;
const heard: { store_id: string; version: number }[] = [];
beforeAll(async () => {
  app = await startTestApp({}, { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' });
  admin = await app.signIn('admin');
  client = connectToApp(app.url);
  const stores = client.subscribe('stores');
  stores.bind('menu.updated', (event: (typeof heard)[number]) => heard.push(event));
  await nextEvent(stores, 'pusher:subscription_succeeded');
});
afterAll(async () => {
  client.disconnect();
  await app.close();
});

const write = (method: string, path: string, body?: unknown) =>
  app.request(method, `/v1/${path}`, { token: admin, ...(body !== undefined && { body }) });
const publicMenu = async () =>
  (await app.request('GET', `/v1/menus/store/${app.shop.storeId}?include=categories.items.option_groups.options`)).body
    .data;
const version = async () => (await app.request('GET', `/v1/stores/${app.shop.storeId}`)).body.data.version as number;

describe('every change', () => {
  const changes: [string, () => Promise<{ status: number }>][] = [
    ['a new menu', () => write('POST', 'menus', { name: 'New' })],
    ['a menu', () => write('PATCH', `menus/${app.shop.menuId}`, { name: 'Renamed' })],
    ['a new category', () => write('POST', 'categories', { name: 'Drinks', menu_id: app.shop.menuId })],
    ['a category', () => write('PATCH', `categories/${app.shop.categoryId}`, { name: 'Renamed' })],
    [
      "a category's order",
      () =>
        write('POST', `categories/${app.shop.categoryId}/items/reorder`, { itemIds: [app.shop.chips, app.shop.pizza] }),
    ],
    ['an item', () => write('PATCH', `items/${app.shop.chips}`, { price: 350 })],
    [
      'an item added',
      () => write('POST', `items/${app.shop.chips}/option-groups/add`, { option_groups: [app.shop.topping.group] }),
    ],
    ['an item sold out', () => write('POST', `items/${app.shop.chips}/availability`, { is_available: false })],
    ['an option group', () => write('PATCH', `option-groups/${app.shop.topping.group}`, { max_select: 2 })],
    ['an option', () => write('PATCH', `options/${app.shop.topping.olives}`, { price: 120 })],
    [
      'an option taken out',
      () =>
        write('POST', `option-groups/${app.shop.topping.group}/options/remove`, { options: [app.shop.topping.olives] }),
    ],
    ['an option group deleted', () => write('DELETE', `option-groups/${app.shop.topping.group}`)],
    ['a category deleted', () => write('DELETE', `categories/${app.shop.categoryId}`)],
  ];
  test.each(changes)(
    '%s counts the version up, shows in the very next read and is told to everyone',
    async (_name, change) => {
      const before = { version: await version(), menu: await publicMenu() };
      const { status } = await change();
      expect(status).toBeLessThan(300);
      expect(await version()).toBe(before.version + 1);
      expect(await publicMenu()).not.toEqual(before.menu);
      await expect.poll(() => heard.at(-1)).toEqual({ store_id: app.shop.storeId, version: before.version + 1 });
    },
  );

  test('that is refused changes no version and tells nobody', async () => {
    const before = await version();
    const told = heard.length;
    expect((await write('PATCH', `items/${app.shop.chips}`, { price: -1 })).status).toBe(422);
    expect((await write('POST', `items/${app.shop.pizza}/option-groups/reorder`, { optionGroupIds: [] })).status).toBe(
      422,
    );
    expect(await version()).toBe(before);
    // Whatever was owed by then has been sent once the next event is heard.
    await write('PATCH', `items/${app.shop.chips}`, { price: 300 });
    await expect.poll(() => heard.length).toBeGreaterThan(told);
    expect(heard.slice(told)).toEqual([{ store_id: app.shop.storeId, version: before + 1 }]);
  });

  test('stands in the audit log', async () => {
    await write('PATCH', `items/${app.shop.chips}`, { price: 310 });
    const row = (await readAudit(app.database.db)).at(-1);
    expect(row).toMatchObject({
      action: 'PATCH /v1/items/{id}',
      subject_id: app.shop.chips,
      store_id: app.shop.storeId,
      detail: { price: 310 },
    });
  });
});

test('a reader never sees half of a change', async () => {
  const { body: category } = await write('POST', 'categories', { name: 'Twins', menu_id: app.shop.menuId });
  const twins = [];
  for (const name of ['Left', 'Right']) twins.push((await write('POST', 'items', { name, price: 100 })).body.data.id);
  const path = `categories/${category.data.id}`;
  let isDone = false;
  const seen = new Set<string>();
  const reader = (async () => {
    while (!isDone) {
      const { body } = await app.request('GET', `/v1/${path}?include=items`);
      seen.add(
        body.data.items.map((item: { name: string; position: number }) => `${item.position} ${item.name}`).join(),
      );
    }
  })();
  await write('POST', `${path}/items/add`, { items: twins });
  for (let turn = 0; turn < 10; turn += 1) {
    await write('POST', `${path}/items/reorder`, { itemIds: turn % 2 === 0 ? twins.toReversed() : twins });
  }
  await write('POST', `${path}/items/remove`, { items: twins });
  isDone = true;
  await reader;
  const whole = new Set(['', '0 Left,1 Right', '0 Right,1 Left']);
  expect([...seen].filter((one) => !whole.has(one))).toEqual([]);
});

describe('a deleted item', () => {
  const make = async () => {
    const { menuId } = app.shop;
    const { body: category } = await write('POST', 'categories', { name: 'Sold', menu_id: menuId });
    const ids: string[] = [];
    for (const name of ['First', 'Sold', 'Last'])
      ids.push((await write('POST', 'items', { name, price: 500 })).body.data.id);
    await write('POST', `categories/${category.data.id}/items/add`, { items: ids });
    return { categoryId: category.data.id as string, itemId: ids[1] ?? '' };
  };
  const rowOf = (id: string) => app.database.db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst();

  test('that was sold is hidden from everyone, and its order stays whole', async () => {
    const { categoryId, itemId } = await make();
    const placed = await app.request('POST', '/v1/orders', {
      body: app.orderBody({ lines: [{ item_id: itemId, quantity: 2 }] }),
    });
    expect(placed.status).toBe(201);
    const before = await app.request('GET', `/v1/orders/${placed.body.data.id}`, { token: admin });
    expect((await write('DELETE', `items/${itemId}`)).status).toBe(204);

    expect((await app.request('GET', `/v1/items/${itemId}`, { token: admin })).status).toBe(404);
    const { body } = await app.request('GET', `/v1/categories/${categoryId}?include=items`, { token: admin });
    expect(body.data.items).toMatchObject([
      { name: 'First', position: 0 },
      { name: 'Last', position: 1 },
    ]);
    expect(await rowOf(itemId)).toMatchObject({ name: 'Sold', deleted_at: app.clock.now });
    const after = await app.request('GET', `/v1/orders/${placed.body.data.id}`, { token: admin });
    expect(after.body.data.lines).toEqual(before.body.data.lines);
    const again = await app.request('POST', '/v1/orders', {
      body: app.orderBody({ lines: [{ item_id: itemId, quantity: 2 }] }),
    });
    expect([again.status, again.body.code]).toEqual([422, 'order_refused']);
    // It is unknown to every list from now on.
    const added = await write('POST', `categories/${categoryId}/items/add`, { items: [itemId] });
    expect([added.status, Object.keys(added.body.errors)]).toEqual([422, ['items']]);
  });

  test('stays behind its orders whatever its id is, and so does one that was never sold', async () => {
    const { categoryId, itemId } = await make();
    for (const id of ['ffffffff-ffff-4fff-bfff-ffffffffffff', '00000000-0000-4000-8000-000000000001']) {
      expect((await write('POST', 'items', { id, name: 'Pie', price: 500 })).status).toBe(201);
      await write('POST', `categories/${categoryId}/items/add`, { items: [id] });
      const lines = [{ item_id: id, quantity: 1 }];
      expect((await app.request('POST', '/v1/orders', { body: app.orderBody({ lines }) })).status).toBe(201);
      expect((await write('DELETE', `items/${id}`)).status).toBe(204);
      expect(await rowOf(id)).toMatchObject({ name: 'Pie', deleted_at: app.clock.now });
    }
    await write('DELETE', `items/${itemId}`);
    expect(await rowOf(itemId)).toMatchObject({ name: 'Sold', deleted_at: app.clock.now });
  });

  test('is deleted once, and its id makes no other item', async () => {
    const { itemId: id } = await make();
    await write('DELETE', `items/${id}`);
    expect((await write('DELETE', `items/${id}`)).status).toBe(404);
    const again = await write('POST', 'items', { id, name: 'Another', price: 1 });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    expect((await rowOf(id))?.name).toBe('Sold');
  });
});

test('a deleted menu takes its categories along and leaves their items', async () => {
  const { body: menu } = await write('POST', 'menus', { name: 'Short-lived' });
  const { body: category } = await write('POST', 'categories', { name: 'Its own', menu_id: menu.data.id });
  const { body: item } = await write('POST', 'items', { name: 'Survivor', price: 100 });
  await write('POST', `categories/${category.data.id}/items/add`, { items: [item.data.id] });
  expect((await write('DELETE', `menus/${menu.data.id}`)).status).toBe(204);
  const statuses = await Promise.all(
    [`categories/${category.data.id}`, `items/${item.data.id}`].map((path) =>
      app.request('GET', `/v1/${path}`, { token: admin }),
    ),
  );
  expect(statuses.map(({ status }) => status)).toEqual([404, 200]);
});

describe('HTML in names and descriptions becomes plain text', () => {
  const typed = { name: '<b>Cold</b> &amp; still', description: '<p>Still &amp; cold<br />330&nbsp;ml</p>' };
  const read = { name: 'Cold & still', description: 'Still & cold, 330 ml' };
  const { name } = typed;

  test.each<[string, () => Record<string, unknown>, object]>([
    ['menus', () => typed, read],
    ['categories', () => ({ ...typed, menu_id: app.shop.menuId }), read],
    ['items', () => ({ ...typed, price: 180, kitchen_name: name }), { ...read, kitchen_name: read.name }],
    ['options', () => ({ name }), { name: read.name }],
    ['option-groups', () => ({ name }), { name: read.name }],
  ])('of %s, when made and when changed', async (path, fields, expected) => {
    const made = await write('POST', path, fields());
    expect(made.body.data).toMatchObject(expected);
    const { body } = await write('PATCH', `${path}/${made.body.data.id}`, { name: 'We <3 <i>chips</i>' });
    expect(body.data).toMatchObject({ ...expected, name: 'We <3 chips' });
  });

  test('a name of tags alone is refused', async () => {
    const { status } = await write('POST', 'items', { name: '<p><br></p>', price: 1 });
    expect(status).toBe(422);
  });
});
