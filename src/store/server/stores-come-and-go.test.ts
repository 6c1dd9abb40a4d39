import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToApp, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { untilWaiting } from '#testing/database-waits.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let one: TestApp;
let two: TestApp;
let admin: string;
let client: PusherClient;
const heard: { store: { id: string; version: number; is_accepting_orders: boolean }; is_deleted?: boolean }[] = [];
beforeAll(async () => {
  const keys = { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' };
  one = await startTestApp({}, keys);
  two = await startAppOn(one.database, one.shop, keys);
  admin = await one.signIn('admin');
  client = connectToApp(one.url);
  const stores = client.subscribe('stores');
  stores.bind('store.updated', (event: (typeof heard)[number]) => heard.push(event));
  await nextEvent(stores, 'pusher:subscription_succeeded');
});
afterAll(async () => {
  client.disconnect();
  await two.stop();
  await one.close();
});

const bodyFor = ({ storeId, chips }: SmallShop, session = randomUUID()) =>
  one.orderBody({ store_id: storeId, session, lines: [{ item_id: chips, quantity: 1, options: [] }] });
const placeAt = (app: TestApp, shop: SmallShop) => app.request('POST', '/v1/orders', { body: bodyFor(shop) });
const remove = (shop: SmallShop) => one.request('DELETE', `/v1/stores/${shop.storeId}`, { token: admin });
const anotherShop = () => seedSmallShop(one.database.db);
const ordersOf = async ({ storeId }: SmallShop) =>
  one.database.db.selectFrom('orders').select('id').where('store_id', '=', storeId).execute();
const isDeleted = async ({ storeId }: SmallShop) => {
  const found = one.database.db.selectFrom('stores').select('deleted_at').where('id', '=', storeId);
  return (await found.executeTakeFirstOrThrow()).deleted_at !== null;
};
/** Prices a basket, so that this instance knows the shop. */
const look = (app: TestApp, shop: SmallShop) => app.request('POST', '/v1/orders/quote', { body: bodyFor(shop) });

test('a store that is made and one that is deleted are told to everybody, with a version of their own', async () => {
  const { body: made } = await one.request('POST', '/v1/stores', { body: { name: 'New one' }, token: admin });
  const { id, version } = made.data;
  await expect.poll(() => heard.filter(({ store }) => store.id === id)).toHaveLength(1);
  expect(heard.at(-1)).toEqual({ store: expect.objectContaining({ id, version }) });
  expect((await one.request('DELETE', `/v1/stores/${id}`, { token: admin })).status).toBe(204);
  await expect.poll(() => heard.filter(({ store }) => store.id === id)).toHaveLength(2);
  const last = heard.at(-1);
  expect(last).toMatchObject({ store: { id, version: version + 1, is_accepting_orders: false }, is_deleted: true });
});

test('a store that was deleted takes no order at an instance that has it in memory', async () => {
  const shop = await anotherShop();
  expect((await look(two, shop)).body.data.problems).toEqual([]);
  expect((await remove(shop)).status).toBe(204);
  const { status, body } = await placeAt(two, shop);
  expect([status, Object.keys(body.errors)]).toEqual([422, ['store_id']]);
  expect(await ordersOf(shop)).toEqual([]);
});

test('an order that is being written is waited for, and then its store is not deleted', async () => {
  const shop = await anotherShop();
  await look(two, shop);
  const counter = { store_id: shop.storeId, trading_day: '2026-11-21', last_number: 0 };
  await one.database.db.insertInto('order_numbers').values(counter).execute();
  const holding = await one.database.db.startTransaction().execute();
  await holding
    .selectFrom('order_numbers')
    .selectAll()
    .where('store_id', '=', shop.storeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const placing = placeAt(two, shop);
  await untilWaiting(one.database.db);
  const deletion = remove(shop);
  await Promise.race([untilWaiting(one.database.db, 2), deletion]);
  await holding.commit().execute();
  expect((await placing).status).toBe(201);
  const { status, body } = await deletion;
  expect([status, body.code]).toEqual([409, 'conflict']);
  expect(await isDeleted(shop)).toBe(false);
});

test('an order that comes while its store is being deleted is refused', async () => {
  const shop = await anotherShop();
  await look(two, shop);
  const holding = await one.database.db.startTransaction().execute();
  const held = holding.updateTable('stores').where('id', '=', shop.storeId);
  await held.set({ deleted_at: one.clock.now, slug: `deleted-${shop.storeId}` }).execute();
  const placing = placeAt(two, shop);
  await untilWaiting(one.database.db);
  await holding.commit().execute();
  const { status, body } = await placing;
  expect([status, Object.keys(body.errors)]).toEqual([422, ['store_id']]);
  expect(await ordersOf(shop)).toEqual([]);
});

test('of orders and a deletion at the same moment, either the store stays or no order is taken', async () => {
  for (let round = 0; round < 8; round += 1) {
    const shop = await anotherShop();
    await Promise.all([look(one, shop), look(two, shop)]);
    const [deletion, ...placed] = await Promise.all([
      remove(shop),
      ...Array.from({ length: 6 }, (_, index) => placeAt(index % 2 === 0 ? one : two, shop)),
    ]);
    const taken = placed.filter(({ status }) => status === 201);
    expect(placed.every(({ status }) => status === 201 || status === 422)).toBe(true);
    expect(await ordersOf(shop)).toHaveLength(taken.length);
    expect(deletion.status).toBe(taken.length > 0 ? 409 : 204);
    expect(await isDeleted(shop)).toBe(taken.length === 0);
  }
});
