import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToApp, type PusherClient } from '#realtime/testing/clients.ts';
import { staffOnlyFields } from '#store/contract.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
const clients: PusherClient[] = [];
beforeAll(async () => {
  app = await startTestApp({}, { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' });
  admin = await app.signIn('admin');
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await app.close();
});

interface Heard {
  event: string;
  data: { order?: Record<string, unknown>; sequence?: number; store?: { name: string }; version?: number };
}

/** Everything that an unmodified client receives on a channel; rejects when it may not listen. */
async function listen(channel: string, token?: string): Promise<Heard[]> {
  const client = connectToApp(app.url, token);
  clients.push(client);
  const heard: Heard[] = [];
  const subscription = client.subscribe(channel);
  subscription.bind_global((event: string, data: Heard['data']) => {
    if (!event.startsWith('pusher:')) heard.push({ event, data });
  });
  await new Promise<void>((resolve, reject) => {
    subscription.bind('pusher:subscription_succeeded', () => resolve());
    subscription.bind('pusher:subscription_error', (error: { error?: string; status?: number }) =>
      reject(new Error(error.error ?? String(error.status))),
    );
  });
  return heard;
}

const place = async () =>
  (await app.request('POST', '/v1/orders', { body: app.orderBody({ allergies: ['milk'] }) })).body.data as {
    id: string;
  };

test("the store's staff hear whole orders, counted without a gap; the customer's page hears the guest's view", async () => {
  const staff = await listen(`private-stores.${app.shop.storeId}.orders`, admin);
  const first = await place();
  const customer = await listen(`private-orders.${first.id}`);
  await app.request('POST', `/v1/orders/${first.id}/accept`, { token: admin, body: { minutes: 20 } });
  await place();
  await expect.poll(() => staff.filter(({ event }) => event === 'order.placed')).toHaveLength(2);
  const sequences = staff.map(({ data }) => data.sequence ?? 0);
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
  expect(staff[0]?.data.order).toMatchObject({ id: first.id, contact: { name: 'Ada Byron' } });
  await expect.poll(() => customer.at(-1)?.data.order).toMatchObject({ id: first.id, status: 'accepted' });
  expect(staff[0]?.data.order).toMatchObject({
    allergies: ['milk'],
    lines: [{ allergen_conflicts: [{ code: 'milk' }] }],
  });
  expect(JSON.stringify(customer)).not.toMatch(/Ada|07700|session|allergies|allergen_conflicts/);
  expect(JSON.stringify(staff)).not.toContain('"session"');
});

test('no order ever travels on a public channel, whatever becomes of it', async () => {
  const outside = await Promise.all([
    listen('stores'),
    listen('orders'),
    listen(`stores.${app.shop.storeId}`),
    listen(`stores.${app.shop.storeId}.orders`),
  ]);
  const orders = [await place(), await place(), await place()];
  const staff = await listen(`private-stores.${app.shop.storeId}.orders`, admin);
  const after = await listen(`orders.${orders[0]?.id ?? ''}`);
  const calls = [
    ['accept', 'packed', 'undo', 'packed', 'collected-by-customer'],
    ['reject'],
    ['accept', 'promise', 'cancel'],
  ];
  const body = { minutes: 20, reason: 'too_busy' };
  for (const [index, order] of orders.entries()) {
    for (const call of calls[index] ?? []) {
      const { status } = await app.request('POST', `/v1/orders/${order.id}/${call}`, { token: admin, body });
      expect(status).toBe(200);
    }
  }
  // The store's event is the last: when it arrives, all events of the orders have been sent.
  await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { token: admin, body: { minutes: 5 } });
  await expect.poll(() => staff.length).toBeGreaterThanOrEqual(9);
  await expect.poll(() => outside[0]?.map(({ event }) => event)).toEqual(['store.updated']);
  expect([...outside.slice(1), after].flat()).toEqual([]);
  expect(JSON.stringify(outside)).not.toMatch(new RegExp(orders.map(({ id }) => id).join('|')));
});

test('strangers may not listen to a store', async () => {
  const customer = await app.signIn('customer');
  await expect(listen(`private-stores.${app.shop.storeId}.orders`)).rejects.toThrow('403');
  await expect(listen(`private-stores.${app.shop.storeId}.orders`, customer)).rejects.toThrow('403');
});

test('a change of the store or of the menu reaches everyone', async () => {
  const everyone = await listen('stores');
  await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { token: admin, body: { minutes: 10 } });
  await app.request('POST', `/v1/items/${app.shop.chips}/availability`, {
    token: admin,
    body: { is_available: false },
  });
  await expect.poll(() => everyone.map(({ event }) => event)).toEqual(['store.updated', 'menu.updated']);
  expect(everyone[0]?.data.store).toMatchObject({ id: app.shop.storeId, busy_extra_minutes: 10 });
  expect(Object.keys(everyone[0]?.data.store ?? {}).filter((field) => field in staffOnlyFields)).toEqual([]);
});
