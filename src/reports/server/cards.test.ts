import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Papa from 'papaparse';
import { insertKeySet } from '#payment/testing/bank-bench.ts';
import { entry, payout } from '#payment/testing/bank.ts';
import { writePayment, writeStatement } from '#payment/testing/statement.ts';
import { writeOrders, writeRefund } from '#reports/testing/samples.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
let store: string;
const day = '2026-11-21';
const orderOf = { day, subtotal: 1250, vat: [{ rate: 2000, net: 1042, vat: 208 }] };

/**
 * Six orders of £12.50 on a Saturday: one is in a payout that has arrived, one was refunded by £3.00 on Sunday, one was disputed,
 * one is in a payout that came back, one is not on the statement yet, and one was paid in cash. The fee of each card is 39p.
 */
beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
  const { db } = app.database;
  store = (await seedSmallShop(db)).storeId;
  await insertKeySet(db, 'set_1', new Date('2026-11-01T00:00:00Z'));
  const ids = await writeOrders(db, store, [
    ...Array.from({ length: 5 }, () => orderOf),
    { ...orderOf, payment_method: 'cash' },
  ]);
  for (const [index, orderId] of ids.slice(0, 5).entries()) {
    await writePayment(db, { orderId, keySet: 'set_1', intent: `pi_${index}`, amount: 1250 });
  }
  await writeRefund(db, store, {
    order: ids[1] ?? '',
    day: '2026-11-22',
    amount: 300,
    vat: [],
    providerRefund: 're_1',
  });
  const charge = (index: number) => entry({ id: `txn_${index}`, intent: `pi_${index}` });
  const refund = entry({ id: 'txn_r', kind: 'refund', amount: -300, fee: 0, intent: 'pi_1', source: 're_1' });
  const fee = entry({ id: 'txn_f', kind: 'fee', amount: -50, fee: 0, source: null });
  const dispute = entry({ id: 'txn_d', kind: 'dispute', amount: -1250, fee: 2000, intent: 'pi_2' });
  await writeStatement(db, 'set_1', {
    entries: [charge(2), dispute],
    payouts: [
      { payout: payout({ id: 'po_1', amount: 1211 - 50 }), entries: [charge(0), fee] },
      {
        payout: payout({ id: 'po_2', amount: 911, status: 'in_transit', arrivesOn: '2026-11-26' }),
        entries: [charge(1), refund],
      },
      { payout: payout({ id: 'po_3', status: 'failed', failure: 'account_closed' }), entries: [charge(3)] },
      { payout: payout({ id: 'po_4', amount: 5000, isAutomatic: false, hasEntries: false }), entries: null },
    ],
  });
});
afterAll(() => app.close());

async function rowsOf(rows: string, from = day, to = day): Promise<Record<string, string>[]> {
  const path = `/v1/reports/sales/export?store_id=${store}&start_date=${from}&end_date=${to}&rows=${rows}`;
  const answer = await app.request('GET', path, { token });
  expect(answer.status).toBe(200);
  return Papa.parse<Record<string, string>>(answer.body, { header: true, skipEmptyLines: true }).data;
}
const card = (row: Record<string, string> | undefined) =>
  ['type', 'card_fee', 'card_disputed', 'card_net', 'card_currency', 'payout_id', 'payout_date'].map(
    (key) => row?.[key],
  );

test('a report says what the cards of its orders came to, and where the money is', async () => {
  const path = `/v1/reports/sales?store_id=${store}&start_date=${day}&end_date=${day}`;
  const { body } = await app.request('GET', path, { token });
  expect(body.data.cards).toEqual([
    {
      currency: 'GBP',
      orders: 4,
      charged: 5000,
      refunded: 300,
      disputed: 1250,
      fees: 4 * 39 + 2e3,
      other: 0,
      net: 5000 - 300 - 1250 - 2156,
      paid_out: 1211,
      on_the_way: 911,
      waiting: 1211 - 3250 + 1211,
    },
  ]);
  expect(body.data.fee_unknown).toEqual({ orders: 1, total: 1250 });
});

test('a report without cards has none', async () => {
  const path = `/v1/reports/sales?store_id=${store}&start_date=2026-01-01&end_date=2026-01-01`;
  const { body } = await app.request('GET', path, { token });
  expect([body.data.cards, body.data.fee_unknown]).toEqual([[], { orders: 0, total: 0 }]);
});

describe('the accountant’s table', () => {
  test('has fee, net and payout of each order', async () => {
    const rows = await rowsOf('orders');
    expect(rows.map(card)).toEqual([
      ['sale', '0.39', '0.00', '12.11', 'GBP', 'po_1', '2026-11-25'],
      ['sale', '0.39', '0.00', '12.11', 'GBP', 'po_2', '2026-11-26'],
      ['sale', '20.39', '-12.50', '-20.39', 'GBP', '', ''],
      ['sale', '0.39', '0.00', '12.11', 'GBP', 'po_3', ''],
      ['sale', '', '', '', '', '', ''],
      ['sale', '', '', '', '', '', ''],
    ]);
  });

  test('has a refund’s own on the refund’s row', async () => {
    const rows = await rowsOf('orders', '2026-11-22', '2026-11-22');
    expect(rows.map(card)).toEqual([['refund', '0.00', '0.00', '-3.00', 'GBP', 'po_2', '2026-11-26']]);
  });

  test('of payouts comes to what the bank account got, line by line', async () => {
    const rows = await rowsOf('payouts', '2026-11-25', '2026-11-26');
    expect(rows.map((row) => [row['payout_id'], row['type'], row['order_number'], row['fee'], row['net']])).toEqual([
      ['po_1', 'charge', '1', '0.39', '12.11'],
      ['po_1', 'fee', '', '0.00', '-0.50'],
      ['po_3', 'charge', '4', '0.39', '12.11'],
      ['po_4', 'unknown', '', '0.00', '50.00'],
      ['po_2', 'charge', '2', '0.39', '12.11'],
      ['po_2', 'refund', '2', '0.00', '-3.00'],
    ]);
    expect(await rowsOf('payouts', '2026-11-26', '2026-11-26')).toHaveLength(2);
  });

  test('says which money is real, row by row', async () => {
    const { db } = app.database;
    const later = '2026-12-05';
    await db
      .updateTable('payment_key_sets')
      .set({ replaced_at: new Date('2026-12-01T00:00:00Z') })
      .execute();
    await insertKeySet(db, 'set_2', new Date('2026-11-01T00:00:00Z'), 'live');
    const orders = await writeOrders(db, store, [
      ...Array.from({ length: 3 }, () => ({ ...orderOf, day: later })),
      { ...orderOf, day: later, payment_method: 'cash' },
    ]);
    for (const [index, keySet] of ['set_1', 'set_2', null].entries()) {
      await writePayment(db, { orderId: orders[index] ?? '', keySet, intent: `pi_1${index}`, amount: 1250 });
    }
    await writeRefund(db, store, { order: orders[1] ?? '', day: later, amount: 300, vat: [] });
    const payoutOn = (id: string, isKnown: boolean) => ({
      payout: payout({ id, amount: 1211, arrivesOn: '2026-12-09', hasEntries: isKnown }),
      entries: isKnown ? [entry({ id: `txn_${id}`, intent: null, paymentId: null })] : null,
    });
    await writeStatement(db, 'set_1', { payouts: [payoutOn('po_5', true)] });
    await writeStatement(db, 'set_2', { payouts: [payoutOn('po_6', true), payoutOn('po_7', false)] });
    const modes = (rows: Record<string, string>[]) => rows.map((row) => [row['type'], row['card_mode']]);
    expect(modes(await rowsOf('orders', later, later)).toSorted()).toEqual([
      ['refund', 'live'],
      ['sale', ''],
      ['sale', 'live'],
      ['sale', 'sandbox'],
      ['sale', 'test'],
    ]);
    expect(modes(await rowsOf('payouts', '2026-12-09', '2026-12-09'))).toEqual([
      ['charge', 'test'],
      ['charge', 'live'],
      ['unknown', 'live'],
    ]);
  });
});
