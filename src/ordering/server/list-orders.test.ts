import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  await place('Aisha Khan', '+44 7700 900123');
  await place('Tom_Hughes', '01788 555012');
  app.clock.now = new Date(saturdayEvening.getTime() + 86_400_000);
  await place('100% Tom', '0044 1788 555012');
});
afterAll(() => app.close());

async function place(name: string, phone: string): Promise<void> {
  const { status } = await app.request('POST', '/v1/orders', { body: app.orderBody({ contact: { name, phone } }) });
  expect(status).toBe(201);
}

async function find(search: string, more = ''): Promise<string[]> {
  const path = `/v1/orders?store_id=${app.shop.storeId}&search=${encodeURIComponent(search)}${more}`;
  const { body } = await app.request('GET', path, { token: admin });
  return body.data.map((order: { contact: { name: string } }) => order.contact.name);
}

describe('staff find orders of any day', () => {
  test.each([
    ['1', ['100% Tom', 'Aisha Khan']],
    ['#2', ['Tom_Hughes']],
    ['khan', ['Aisha Khan']],
    ['TOM', ['100% Tom', 'Tom_Hughes']],
    ['khan  aisha', ['Aisha Khan']],
    ['a isha', ['Aisha Khan']],
    ['07700 900123', ['Aisha Khan']],
    ['01788 555', ['100% Tom', 'Tom_Hughes']],
    ['', ['100% Tom', 'Tom_Hughes', 'Aisha Khan']],
    ['nobody', []],
  ])('by “%s”', async (search, expected) => {
    expect(await find(search)).toEqual(expected);
  });

  test('and signs that mean something to the database mean themselves', async () => {
    expect(await find('%')).toEqual(['100% Tom']);
    expect(await find('_')).toEqual(['Tom_Hughes']);
    expect(await find(String.raw`\ `)).toEqual([]);
    expect(await find("' or 1=1 --")).toEqual([]);
  });

  test('a trading day at a time', async () => {
    expect(await find('tom', '&start_date=2026-11-21&end_date=2026-11-21')).toEqual(['Tom_Hughes']);
  });
});

test('another shop’s staff find nothing', async () => {
  const token = await app.signIn('store_admin', []);
  const { body } = await app.request('GET', '/v1/orders?search=tom', { token });
  expect(body.data).toEqual([]);
});

describe('a call that names itself', () => {
  const step = (id: string, name: string, key: string, body = {}) =>
    app.request('POST', `/v1/orders/${id}/${name}`, { body, token: admin, headers: { 'idempotency-key': key } });
  const newOrder = async () => (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id;

  test('changes nothing when it is made again, however late', async () => {
    const id = await newOrder();
    await step(id, 'accept', 'a');
    await step(id, 'packed', 'b');
    await step(id, 'undo', 'c');
    // Two pages send the same list, one far behind the other.
    const again = [await step(id, 'accept', 'a'), await step(id, 'packed', 'b'), await step(id, 'undo', 'c')];
    expect(again.map(({ status, body }) => [status, body.data.status])).toEqual(Array(3).fill([200, 'accepted']));
    expect(again[2]?.body.data.history.map(({ to }: { to: string }) => to)).toEqual([
      'placed',
      'accepted',
      'packed',
      'accepted',
    ]);
  });

  test('is done once when it comes twice at the same time', async () => {
    const id = await newOrder();
    await step(id, 'accept', 'a');
    const both = await Promise.all([
      step(id, 'promise', 'p', { minutes: 40 }),
      step(id, 'promise', 'p', { minutes: 40 }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await app.request('GET', `/v1/orders/${id}`, { token: admin });
    expect(body.data.history).toHaveLength(3);
  });

  test('may be made again after it was refused', async () => {
    const id = await newOrder();
    expect((await step(id, 'packed', 'k')).status).toBe(409);
    await step(id, 'accept', 'a');
    expect((await step(id, 'packed', 'k')).body.data.status).toBe('packed');
  });
});
