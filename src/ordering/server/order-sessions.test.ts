import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { sessionEncryptionWork } from '#ordering/server/domain.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const place = async (session: string) =>
  (await app.request('POST', '/v1/orders', { body: app.orderBody({ session }) })).body.data;
const read = async (session: string, at: TestApp = app) =>
  (await at.request('GET', '/v1/orders/session/own', { headers: { 'x-order-session': session } })).body.data;
const rowOf = (id: string) =>
  app.database.db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('an order is found by its session, which stands in its row only encrypted, however it is written', async () => {
  const session = randomUUID();
  const order = await place(session.toUpperCase());
  expect(order.session).toBe(session);
  for (const written of [session, session.toUpperCase()])
    expect(await read(written)).toMatchObject({ id: order.id, session });
  const row = await rowOf(order.id);
  expect(row).toMatchObject({ session: null, session_hash: hashSession(session) });
  expect(row.session_sealed?.toString('latin1')).not.toContain(session.slice(0, 8));
  expect((await place(session.toUpperCase())).id).toBe(order.id);
  expect(await read(randomUUID())).toBeUndefined();
});

test('an instance with another key finds the order, and leaves only the session out', async () => {
  const session = randomUUID();
  const body = app.orderBody({ session });
  const order = (await app.request('POST', '/v1/orders', { body })).body.data;
  const database = { ...app.database, drop: async () => {} };
  const other = await startAppOn(database, app.shop);
  try {
    const { session: shown, ...rest } = await read(session);
    const there = await read(session, other);
    expect([shown, there]).toEqual([session, rest]);
    const again = await other.request('POST', '/v1/orders', { body });
    expect([again.status, again.body.data.id]).toEqual([200, order.id]);
    const headers = { 'x-order-session': session };
    const cancelled = await other.request('POST', `/v1/orders/${order.id}/cancel`, { headers, body: {} });
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, 'cancelled']);
  } finally {
    await other.close();
  }
});

test('an order that an earlier release writes meanwhile is found at once, and encrypted soon', async () => {
  const { db } = app.database;
  const order = await place(randomUUID());
  const [id, session] = [randomUUID(), randomUUID()];
  await sql`
    insert into orders select (jsonb_populate_record(orders, ${JSON.stringify({ id, session, session_hash: null, session_sealed: null, number: 999 })}::jsonb)).*
    from orders where id = ${order.id}`.execute(db);
  expect(await read(session)).toMatchObject({ id, session });
  await sessionEncryptionWork(app.services).work(true);
  expect(await rowOf(id)).toMatchObject({ session: null, session_hash: hashSession(session) });
  expect(await read(session)).toMatchObject({ id, session });
});
