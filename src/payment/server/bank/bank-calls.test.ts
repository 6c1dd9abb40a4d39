import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertKeySet } from '#payment/testing/bank-bench.ts';
import { entry, payout } from '#payment/testing/bank.ts';
import { writeDispute, writePayment, writeStatement } from '#payment/testing/statement.ts';
import { writeOrders, writeRefund } from '#reports/testing/samples.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
const orders: string[] = [];
const payments: string[] = [];
beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
  const { db } = app.database;
  await insertKeySet(db, 'set_1', new Date('2026-11-01T00:00:00Z'));
  const order = { day: '2026-11-21', subtotal: 1250, vat: [] };
  orders.push(...(await writeOrders(db, app.shop.storeId, [order, order, order, order])));
  for (const [index, orderId] of orders.entries()) {
    payments.push(await writePayment(db, { orderId, keySet: 'set_1', intent: `pi_${index}`, amount: 1250 }));
  }
  const charges = [0, 1].map((index) => entry({ id: `txn_${index}`, intent: `pi_${index}` }));
  const dispute = entry({ id: 'txn_d', kind: 'dispute', amount: -1250, fee: 2000, intent: 'pi_1', source: 'dp_1' });
  const other = entry({ id: 'txn_o', kind: 'payout_failed', amount: 5000, fee: 0, source: 'po_old' });
  await writeStatement(db, 'set_1', {
    payouts: [
      { payout: payout({ id: 'po_1', amount: 4172 }), entries: [...charges, dispute, other] },
      {
        payout: payout({ id: 'po_2', arrivesOn: '2026-11-26', status: 'in_transit', isAutomatic: false }),
        entries: null,
      },
      {
        payout: payout({ id: 'po_3', arrivesOn: '2026-11-20', status: 'failed', failure: 'account_closed' }),
        entries: [],
      },
    ],
  });
  const about = (index: number, at: string) => ({
    id: `dp_${index}`,
    keySet: 'set_1',
    paymentId: payments[index] ?? '',
    orderId: orders[index] ?? '',
    storeId: app.shop.storeId,
    at: new Date(at),
  });
  await writeDispute(db, { ...about(1, '2026-11-22T10:00:00Z'), status: 'lost' });
  const [first, second] = [new Date('2026-12-01T23:59:59Z'), new Date('2026-12-04T23:59:59Z')];
  await writeDispute(db, { ...about(2, '2026-11-23T10:00:00Z'), respondBy: second });
  const question = { status: 'inquiry_needs_response', respondBy: first } as const;
  await writeDispute(db, { ...about(3, '2026-11-24T10:00:00Z'), ...question });
});
afterAll(() => app.close());

const get = async (path: string) => {
  const { status, body } = await app.request('GET', path, { token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const ids = async (path: string): Promise<string[]> => (await get(path)).data.map(({ id }: { id: string }) => id);

describe('payouts', () => {
  test('are listed by arrival, with what they are made of', async () => {
    const { data, meta } = await get('/v1/payouts');
    expect(meta.total).toBe(3);
    expect(data).toMatchObject([
      { id: 'po_2', status: 'in_transit', is_automatic: false, orders: null, sums: null },
      {
        id: 'po_1',
        amount: 4172,
        currency: 'GBP',
        status: 'paid',
        failure: null,
        arrives_on: '2026-11-25',
        mode: 'test',
        orders: 2,
        link: 'https://dashboard.stripe.com/acct_1/test/payouts/po_1',
        sums: {
          charged: 2500,
          refunded: 0,
          disputed: 1250,
          fees: 2078,
          other: 5e3,
          net: 4172,
        },
      },
      { id: 'po_3', status: 'failed', failure: 'account_closed', orders: 0 },
    ]);
  });

  test.each([
    ['status=paid', ['po_1']],
    ['start_date=2026-11-25', ['po_2', 'po_1']],
    ['end_date=2026-11-24', ['po_3']],
    ['per_page=1&page=2', ['po_1']],
  ])('by %s', async (query, found) => {
    expect(await ids(`/v1/payouts?${query}`)).toEqual(found);
  });

  test('show each order in them', async () => {
    const { data } = await get('/v1/payouts/po_1');
    expect(data.entries.map((one: Record<string, unknown>) => [one['kind'], one['net'], one['order_id']])).toEqual([
      ['charge', 1211, orders[0]],
      ['charge', 1211, orders[1]],
      ['dispute', -3250, orders[1]],
      ['payout_failed', 5000, null],
    ]);
    expect(data.entries[0]).toMatchObject({ order_number: '1', store_id: app.shop.storeId });
    expect(data.entries[2]).toMatchObject({ dispute: { status: 'lost', reason: 'fraudulent' }, refund_reason: null });
    expect(data.entries[0]).toMatchObject({ dispute: null, refund_reason: null });
    expect(data.sums.net).toBe(data.amount);
    expect((await get('/v1/payouts/po_2')).data).toMatchObject({ sums: null, entries: [] });
  });

  test.each(['po_nobody', randomUUIDv7(), "po_'--"])('that do not exist are not found: %s', async (id) => {
    const answer = await app.request('GET', `/v1/payouts/${encodeURIComponent(id)}`, { token });
    expect(answer.status).toBe(404);
  });

  test.each([
    ['status=lost', 'status'],
    ['start_date=2026-11-26&end_date=2026-11-25', 'end_date'],
  ])('by %s are refused', async (query, path) => {
    const answer = await app.request('GET', `/v1/payouts?${query}`, { token });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]]);
  });
});

describe('disputes', () => {
  test('are listed by what is to be answered first', async () => {
    const { data } = await get('/v1/disputes');
    expect(data).toMatchObject([
      { id: 'dp_3', status: 'inquiry_needs_response', respond_by: '2026-12-01T23:59:59.000Z' },
      { id: 'dp_2', status: 'needs_response', respond_by: '2026-12-04T23:59:59.000Z', closed_at: null },
      {
        id: 'dp_1',
        order_id: orders[1],
        order_number: '2',
        customer_name: 'Ada Byron',
        amount: 1250,
        status: 'lost',
        reason: 'fraudulent',
        mode: 'test',
        closed_at: '2026-11-22T10:00:00.000Z',
        link: 'https://dashboard.stripe.com/acct_1/test/payments/pi_1',
      },
    ]);
  });

  test.each([
    ['state=open', ['dp_3', 'dp_2']],
    ['state=unanswered', ['dp_3', 'dp_2']],
    ['state=closed', ['dp_1']],
  ])('by %s', async (query, found) => {
    expect(await ids(`/v1/disputes?${query}`)).toEqual(found);
  });

  test('of one order or of one store', async () => {
    expect(await ids(`/v1/disputes?order_id=${orders[2]}`)).toEqual(['dp_2']);
    expect(await ids(`/v1/disputes?store_id=${app.shop.storeId}`)).toHaveLength(3);
    expect(await ids(`/v1/disputes?store_id=${randomUUIDv7()}`)).toEqual([]);
  });

  test('mark their order in the list of payments and in its own', async () => {
    const { data } = await get(`/v1/payments?store_id=${app.shop.storeId}`);
    const marks = new Map(data.map((one: Record<string, string>) => [one['order_id'], one['dispute_status']]));
    expect(orders.map((id) => marks.get(id))).toEqual([null, 'lost', 'needs_response', 'inquiry_needs_response']);
    const own = (await get(`/v1/orders/${orders[2]}/payments`)).data;
    expect(own).toMatchObject({ refundable: 0, disputes: [{ id: 'dp_2' }] });
    expect((await get(`/v1/orders/${orders[3]}/payments`)).data.refundable).toBe(1250);
  });

  const refund = (index: number) =>
    app.request('POST', `/v1/orders/${orders[index]}/refunds`, {
      token,
      body: { key: crypto.randomUUID(), amount: 100, reason: 'Cold' },
    });

  test.each([
    [1, 'was lost'],
    [2, 'is not decided'],
  ])('order %i: one that %s keeps the money from being refunded twice', async (index) => {
    const { status, body } = await refund(index);
    expect([status, body.message]).toEqual([409, expect.stringContaining('bank has taken the money back already')]);
  });

  test('that are only a question let a refund pass', async () => {
    expect((await refund(3)).status).toBe(201);
  });
});

test('a payout says why its refunds were made', async () => {
  const { db } = app.database;
  const paidBack = entry({ id: 'txn_r', kind: 'refund', amount: -300, fee: 0, intent: 'pi_0', source: 're_1' });
  const atStripe = entry({ id: 'txn_s', kind: 'refund', amount: -200, fee: 0, intent: 'pi_9', source: 're_2' });
  await writeStatement(db, 'set_1', {
    payouts: [{ payout: payout({ id: 'po_4', arrivesOn: '2026-11-10', amount: -500 }), entries: [paidBack, atStripe] }],
  });
  await writeRefund(db, app.shop.storeId, {
    order: orders[0] ?? '',
    day: '2026-11-22',
    amount: 300,
    vat: [],
    providerRefund: 're_1',
  });
  const { data } = await get('/v1/payouts/po_4');
  expect(data.entries).toMatchObject([
    { id: 'txn_r', order_number: '1', refund_reason: 'Cold', dispute: null },
    { id: 'txn_s', order_number: null, refund_reason: null, dispute: null },
  ]);
});
