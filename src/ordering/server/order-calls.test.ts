import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({}, { PAYMENT_SANDBOX: '1' });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const call = (
  id: string,
  name: string,
  key: string | null,
  { body = {}, token = admin, session }: { body?: object; token?: string; session?: string } = {},
) =>
  app.request('POST', `/v1/orders/${id}/${name}`, {
    body,
    ...(session === undefined && { token }),
    headers: { ...(key !== null && { 'idempotency-key': key }), ...(session && { 'x-order-session': session }) },
  });
const place = async (change: Record<string, unknown> = {}): Promise<{ id: string; session: string }> =>
  (await app.request('POST', '/v1/orders', { body: app.orderBody(change) })).body.data;
const statusOf = async (id: string) =>
  (await app.request('GET', `/v1/orders/${id}`, { token: admin })).body.data.status as string;
const auditOf = async (id: string) => {
  const lines = app.database.db.selectFrom('audit_log').select(['action', 'store_id', 'role']).orderBy('id');
  return lines.where('subject_id', '=', id).execute();
};

describe('an Idempotency-Key', () => {
  test('that was another call’s is refused, and nothing is done', async () => {
    const { id } = await place();
    expect((await call(id, 'accept', 'one', { body: { minutes: 20 } })).status).toBe(200);
    const packed = await call(id, 'packed', 'one');
    expect([packed.status, packed.body.code, await statusOf(id)]).toEqual([409, 'idempotency_conflict', 'accepted']);
    expect((await call(id, 'packed', 'two')).status).toBe(200);
  });

  test('that came with another body is refused; with the same one, however written, it is the same call', async () => {
    const { id } = await place();
    await call(id, 'accept', 'a');
    expect((await call(id, 'promise', 'p', { body: { minutes: 40 } })).status).toBe(200);
    const other = await call(id, 'promise', 'p', { body: { minutes: 50 } });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    const same = await call(id, 'promise', 'p', { body: { unknown: true, minutes: 40 } });
    expect([same.status, same.body.data.history.length]).toEqual([200, 3]);
  });

  test('is its caller’s own', async () => {
    const { id, session } = await place();
    expect((await call(id, 'accept', 'k')).status).toBe(200);
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    expect((await call(id, 'packed', 'k', { token: staff })).body.data?.status).toBe('packed');
    // Not “the same call again”: its own answer.
    expect((await call(id, 'cancel', 'k', { session })).body.code).toBe('illegal_transition');
  });

  test('lets one of two different calls through that come with it at the same time', async () => {
    const { id } = await place();
    await call(id, 'accept', 'a');
    const both = await Promise.all([call(id, 'packed', 'k'), call(id, 'promise', 'k', { body: { minutes: 30 } })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('idempotency_conflict');
  });
});

describe('paying again', () => {
  const cash = { payment_method: 'cash' };
  const pending = () => place({ payment_method: 'card' });

  test('answers as it did before, wherever the order has come to since', async () => {
    const { id, session } = await pending();
    const first = await call(id, 'pay', 'k', { session, body: cash });
    expect([first.status, first.body.data.status]).toEqual([200, 'placed']);
    await call(id, 'accept', null);
    expect((await call(id, 'pay', 'k', { session, body: cash })).status).toBe(200);
    await call(id, 'cancel', null, { body: { reason: 'no dough' } });
    const last = await call(id, 'pay', 'k', { session, body: cash });
    expect([last.status, last.body.data.id]).toEqual([200, id]);
    const other = await call(id, 'pay', 'k', { session, body: { payment_method: 'card' } });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    expect((await call(id, 'cancel', 'k', { session })).body.code).toBe('idempotency_conflict');
  });

  test('by card shows the page that is open, with a key or without', async () => {
    const { id, session } = await pending();
    const body = { payment_method: 'card' };
    const answers = [
      await call(id, 'pay', 'k', { session, body }),
      await call(id, 'pay', 'k', { session, body }),
      await call(id, 'pay', null, { session, body }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const pages = new Set(answers.map(({ body: { data } }) => data.payment.redirect_url));
    expect([...pages]).toEqual([expect.stringContaining('/sandbox/')]);
  });

  test('without a key is no mistake once the kitchen has accepted the order', async () => {
    const { id, session } = await pending();
    expect((await call(id, 'pay', null, { session, body: cash })).status).toBe(200);
    await call(id, 'accept', null);
    const again = await call(id, 'pay', null, { session, body: cash });
    expect([again.status, again.body.data.status]).toEqual([200, 'accepted']);
    const other = await call(id, 'pay', null, { session, body: { payment_method: 'card' } });
    expect([other.status, other.body.code]).toEqual([409, 'illegal_transition']);
  });

  test('may be tried again under its key after it was refused', async () => {
    const { id, session } = await pending();
    await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body: { cash_max: 1 } });
    expect((await call(id, 'pay', 'k', { session, body: cash })).status).toBe(422);
    await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body: { cash_max: null } });
    expect((await call(id, 'pay', 'k', { session, body: cash })).body.data.status).toBe('placed');
  });

  test('at the same time under one key is one call', async () => {
    const { id } = await pending();
    const both = await Promise.all([call(id, 'pay', 'k', { body: cash }), call(id, 'pay', 'k', { body: cash })]);
    expect(both.map(({ status, body }) => [status, body.data.status])).toEqual(Array(2).fill([200, 'placed']));
    expect(await auditOf(id)).toHaveLength(1);
  });

  test('or asking how it went, by staff, is in the audit log; by its customer it is not', async () => {
    const { id, session } = await pending();
    await call(id, 'payment/reconcile', null, { session });
    await call(id, 'pay', 'guest', { session, body: { payment_method: 'card' } });
    expect(await auditOf(id)).toEqual([]);
    await call(id, 'payment/reconcile', null);
    await call(id, 'pay', 'staff', { body: cash });
    await call(id, 'pay', 'staff', { body: cash });
    const line = { store_id: app.shop.storeId, role: 'admin' };
    expect(await auditOf(id)).toEqual([
      { action: 'POST /v1/orders/{id}/payment/reconcile', ...line },
      { action: 'POST /v1/orders/{id}/pay', ...line },
    ]);
  });
});
