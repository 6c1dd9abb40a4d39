import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToApp, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

// Fifty writers at once take seconds of both cores, which a busy machine gives them late.

let app: TestApp;
let admin: string;
let client: PusherClient;
const heard: { version: number }[] = [];
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

const rename = (name: string) =>
  app.request('PATCH', `/v1/items/${app.shop.chips}`, { token: admin, body: { name } }).then(({ status }) => status);
const address = () => `/v1/menus/store/${app.shop.storeId}?include=categories.items.option_groups.options`;
const shownNames = async () => {
  const { body } = await app.request('GET', address());
  return (body.data as { categories: { items: { id: string; name: string }[] }[] }[])
    .flatMap(({ categories }) => categories.flatMap(({ items }) => items))
    .flatMap(({ id, name }) => (id === app.shop.chips ? [name] : []));
};

test('writers and customers at once: everyone is answered, and no order is lost', async () => {
  let isWriting = true;
  const writers = Array.from({ length: 30 }, async (_, writer) => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const { status } = await app.request('POST', '/v1/items', {
        token: admin,
        body: { name: `Dish ${writer}.${turn}`, price: 500 },
      });
      statuses.push(status);
    }
    return statuses;
  });
  const customers = Array.from({ length: 6 }, async () => {
    const statuses: number[] = [];
    while (isWriting) {
      const { status } = await app.request('POST', '/v1/orders', { body: app.orderBody({ session: randomUUID() }) });
      statuses.push(status);
    }
    return statuses;
  });
  const written = (await Promise.all(writers)).flat();
  isWriting = false;
  const ordered = (await Promise.all(customers)).flat();
  expect(new Set(written)).toEqual(new Set([201]));
  expect(new Set(ordered)).toEqual(new Set([201]));
  const { rows } = await app.database.pool.query('select count(*)::int as count from orders');
  expect(rows[0].count).toBe(ordered.length);
});

test('a change alone is shown at once, to whoever asks', async () => {
  expect(await rename('Salted chips')).toBe(200);
  expect(await shownNames()).toEqual(['Salted chips']);
});

test('while a menu is written again and again, every answer has the last change, and browsers hear of it', async () => {
  for (let turn = 0; turn < 40; turn += 1) {
    expect(await rename(`Chips ${turn}`)).toBe(200);
    const readers = await Promise.all([shownNames(), shownNames()]);
    expect(readers).toEqual([[`Chips ${turn}`], [`Chips ${turn}`]]);
  }
  const { rows } = await app.database.pool.query('select version from stores where id = $1', [app.shop.storeId]);
  await expect.poll(() => heard.at(-1)?.version).toBe(rows[0].version);
});
