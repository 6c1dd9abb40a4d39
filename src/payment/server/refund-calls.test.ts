import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAudit } from '#testing/read-audit.ts';
import { listPayments } from '#payment/server/read-payments.ts';
import { setRefunds } from '#payment/testing/refunds.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let staff: string;
beforeAll(async () => {
  app = await startTestApp({ payment_methods: JSON.stringify({ collection: ['cash', 'card'], delivery: ['cash'] }) });
  admin = await app.signIn('admin');
  staff = await app.signIn('store_admin', [app.shop.storeId]);
});
afterAll(() => app.close());

/** An order paid on the sandbox's page and accepted. */
async function paidByCard({
  refuses = 'nothing',
  ...change
}: { refuses?: string; lines?: object[] } = {}): Promise<string> {
  const { body } = await app.request('POST', '/v1/orders', {
    body: app.orderBody({ payment_method: 'card', ...change }),
  });
  const page = new URL(body.data.payment.redirect_url, app.url);
  const form = new URLSearchParams({ outcome: 'approve', delivery: 'at_once', refuses });
  await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  await app.request('POST', `/v1/orders/${body.data.id}/payment/reconcile`, { token: admin });
  await app.request('POST', `/v1/orders/${body.data.id}/accept`, { token: admin, body: { minutes: 20 } });
  return body.data.id;
}

const moneyOf = async (id: string, token = staff) =>
  (await app.request('GET', `/v1/orders/${id}/payments`, { token })).body.data;
const becomes = (id: string, money: object) => expect.poll(() => moneyOf(id)).toMatchObject(money);
const refund = (id: string, body: object) =>
  app.request('POST', `/v1/orders/${id}/refunds`, {
    token: admin,
    body: { key: randomUUID(), reason: 'Cold', ...body },
  });

describe('a refund through the sandbox', () => {
  test('goes back in part and whole, and the customer reads it', async () => {
    const id = await paidByCard();
    await becomes(id, { payment_status: 'paid' });
    const { total } = await moneyOf(id);
    const key = randomUUID();
    const first = await refund(id, { key, amount: 300 });
    expect(first).toMatchObject({ status: 201, body: { data: { amount: 300, order_id: id, reason: 'Cold' } } });
    expect(await refund(id, { key, amount: 300 })).toMatchObject({
      status: 200,
      body: { data: { id: first.body.data.id } },
    });
    expect(await refund(id, { key, amount: 301 })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await becomes(id, { payment_status: 'partially_refunded', refunded: 300, pending: 0, refundable: total - 300 });
    const guest = await app.request('GET', `/v1/orders/${id}`);
    expect(guest.body.data).toMatchObject({ refunded: 300, payment_status: 'partially_refunded' });
    expect(JSON.stringify(guest.body)).not.toContain('Cold');
    expect(await refund(id, { amount: total })).toMatchObject({
      status: 422,
      body: { errors: { amount: [expect.stringContaining('You can refund')] } },
    });
    await refund(id, { amount: total - 300 });
    await becomes(id, {
      payment_status: 'refunded',
      refunded: total,
      refundable: 0,
      payments: [{ status: 'refunded' }],
    });
    const audit = (await readAudit(app.database.db)).find(
      (line) => line.action === 'POST /v1/orders/{id}/refunds' && line.subject_id === id,
    );
    expect(audit?.detail).toMatchObject({ amount: 300, reason: 'Cold' });
  });

  test('stands in the list of payments as on its way until it has settled', async () => {
    const id = await paidByCard();
    await becomes(id, { payment_status: 'paid' });
    await refund(id, { amount: 300 });
    await becomes(id, { refunded: 300, pending: 0 });
    // In a transaction of its own, so that nothing settles it meanwhile.
    const during = await app.database.db.transaction().execute(async (tx) => {
      await setRefunds(tx, id, 'pending');
      return listPayments(tx, { page: 1, per_page: 25, search: 'byron', include: [] }, new Date());
    });
    expect(during.data.find((row) => row.order_id === id)).toMatchObject({ pending: 300 });
  });

  test('of a line gives back what was paid for it, and no more pieces than are left', async () => {
    const [pizza] = app.orderBody()['lines'] as object[];
    const id = await paidByCard({ lines: [{ ...pizza, quantity: 2 }] });
    await becomes(id, { payment_status: 'paid' });
    const { body } = await app.request('GET', `/v1/orders/${id}`, { token: admin });
    const [line] = body.data.lines;
    const made = await refund(id, { lines: [{ line_id: line.id, quantity: 1 }] });
    expect(made.body.data).toMatchObject({ amount: line.unit_price, lines: [{ line_id: line.id, quantity: 1 }] });
    expect(await refund(id, { lines: [{ line_id: line.id, quantity: 2 }] })).toMatchObject({ status: 422 });
    expect(await refund(id, { lines: [{ line_id: line.id, quantity: 1 }], amount: 5 })).toMatchObject({ status: 422 });
  });

  test('that the bank refuses is shown as failed, and can be given back by hand', async () => {
    const id = await paidByCard({ refuses: 'refund' });
    await becomes(id, { payment_status: 'paid' });
    const made = await refund(id, { amount: 300 });
    await becomes(id, { refunds: [{ status: 'failed' }], payment_status: 'paid' });
    const failed = await app.request('GET', '/v1/refunds?status=failed', { token: admin });
    expect(failed.body.data).toMatchObject([{ id: made.body.data.id, amount: 300, status: 'failed' }]);
    const again = { token: admin, body: { by: 'hand' } };
    expect(await app.request('POST', `/v1/refunds/${made.body.data.id}/retry`, again)).toMatchObject({
      status: 200,
      body: { data: { status: 'succeeded', payment_id: null } },
    });
    await becomes(id, { payment_status: 'partially_refunded', refunded: 300 });
  });
});

test('a capture that failed can be noted as paid in another way, once', async () => {
  const id = await paidByCard({ refuses: 'capture' });
  await becomes(id, { payment_status: 'failed', refundable: 0 });
  const listed = await app.request('GET', '/v1/payments?payment_status=failed&search=byron', { token: admin });
  expect(listed.body.data).toMatchObject([{ order_id: id, payment_status: 'failed', provider: 'sandbox' }]);
  const mark = () =>
    app.request('POST', `/v1/orders/${id}/payment/mark-paid`, { token: staff, body: { payment_method: 'cash' } });
  expect((await mark()).body.data).toMatchObject({ payment_status: 'paid', payment_method: 'cash' });
  expect((await mark()).status).toBe(409);
  const made = await refund(id, { amount: 100 });
  expect(made.body.data).toMatchObject({ status: 'succeeded', payment_id: null });
});

test('a customer’s order that was handed over unpaid is listed until it is settled', async () => {
  const { id } = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data;
  const call = (name: string, body = {}) => app.request('POST', `/v1/orders/${id}/${name}`, { body, token: staff });
  const listed = async () => {
    const { body } = await app.request('GET', '/v1/orders?not_paid=1', { token: staff });
    return body.data.map((order: { id: string }) => order.id);
  };
  await call('accept');
  expect((await call('payment/mark-paid', { payment_method: 'cash' })).status).toBe(409);
  await call('collected-by-customer', { paid_by: 'not_paid' });
  expect(await listed()).toEqual([id]);
  expect((await call('payment/mark-paid', { payment_method: 'card' })).status).toBe(200);
  const settled = (await app.request('GET', `/v1/orders/${id}`, { token: staff })).body.data;
  expect(settled).toMatchObject({ payment_status: 'paid', paid_by: 'terminal' });
  expect(await listed()).toEqual([]);
  const { data } = (await app.request('GET', '/v1/payments', { token: admin })).body;
  const inList = data.find((row: { order_id: string }) => row.order_id === id);
  expect(inList).toMatchObject({ payment_status: 'paid', paid_by: 'terminal' });
});

test('what is paid already stays paid, whatever is said at the handover', async () => {
  const id = await paidByCard();
  await becomes(id, { payment_status: 'paid' });
  await app.request('POST', `/v1/orders/${id}/collected-by-customer`, { body: { paid_by: 'not_paid' }, token: staff });
  const order = (await app.request('GET', `/v1/orders/${id}`, { token: staff })).body.data;
  expect(order).toMatchObject({ status: 'collected', payment_status: 'paid', paid_by: null });
});

describe('an order that staff took', () => {
  const take = async (): Promise<string> => {
    const body = app.orderBody({ channel: 'counter', contact: { name: 'Ada Byron', phone: '' } });
    const { id } = (await app.request('POST', '/v1/orders', { body, token: staff })).body.data;
    await step(id, 'accept');
    return id;
  };
  const step = async (id: string, call: string, body = {}) =>
    (await app.request('POST', `/v1/orders/${id}/${call}`, { body, token: staff })).body.data;
  const mark = (id: string, token = staff) =>
    app.request('POST', `/v1/orders/${id}/payment/mark-paid`, { token, body: { payment_method: 'card' } });

  test('is paid as it is handed over, and not when that is undone', async () => {
    const id = await take();
    expect(await step(id, 'packed')).toMatchObject({ payment_status: 'unpaid' });
    expect(await step(id, 'collected-by-customer')).toMatchObject({ status: 'collected', payment_status: 'paid' });
    expect(await step(id, 'undo')).toMatchObject({ status: 'packed', payment_status: 'unpaid' });
  });

  test.each([
    ['cash', { payment_status: 'paid', paid_by: 'cash' }],
    ['terminal', { payment_status: 'paid', paid_by: 'terminal' }],
    ['not_paid', { payment_status: 'unpaid', paid_by: 'not_paid' }],
  ])('is handed over as paid by %s, until that is undone', async (paid_by, expected) => {
    const id = await take();
    expect(await step(id, 'collected-by-customer', { paid_by })).toMatchObject({ payment_method: 'cash', ...expected });
    expect(await step(id, 'undo')).toMatchObject({ payment_status: 'unpaid', paid_by: null });
  });

  test('cannot be paid by anything else', async () => {
    const id = await take();
    const path = `/v1/orders/${id}/collected-by-customer`;
    const { status, body } = await app.request('POST', path, { body: { paid_by: 'gold' }, token: staff });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['paid_by']]);
  });

  test('and that was paid at the till stays paid, whatever is undone', async () => {
    const id = await take();
    expect((await mark(id)).body.data).toMatchObject({ payment_status: 'paid', payment_method: 'card' });
    expect((await mark(id)).status).toBe(409);
    await step(id, 'packed');
    await step(id, 'collected-by-customer');
    expect(await step(id, 'undo')).toMatchObject({ status: 'packed', payment_status: 'paid' });
    expect(await step(id, 'undo')).toMatchObject({ payment_status: 'paid' });
  });

  test('is marked as paid by its own shop only', async () => {
    const id = await take();
    const stranger = await app.signIn('store_admin', [randomUUID()]);
    expect((await mark(id, stranger)).status).toBe(403);
    expect(await moneyOf(id)).toMatchObject({ payment_status: 'unpaid' });
  });
});

test('payments are found by number, name, status and day', async () => {
  const search = async (query: string) =>
    (await app.request('GET', `/v1/payments?${query}`, { token: admin })).body.meta.total;
  const all = await search('start_date=2026-11-21&end_date=2026-11-21');
  expect(all).toBeGreaterThan(0);
  expect(await search('search=1')).toBe(1);
  expect(await search('search=ADA')).toBe(all);
  expect(await search('search=%25')).toBe(0);
  expect(await search('end_date=2026-11-20')).toBe(0);
});
