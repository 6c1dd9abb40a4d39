import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VatRow } from '#ordering/order.ts';
import { apportion, vatInGross } from '#platform/money.ts';
import type { SalesReport } from '#reports/contract.ts';
import { totalOf, writeOrders, writeRefund, type WrittenOrder } from '#reports/testing/samples.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { slowDraws } from '#testing/draws.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const newShop = async () => (await seedSmallShop(app.database.db)).storeId;

const query = (store: string, from: string, to: string) => `store_id=${store}&start_date=${from}&end_date=${to}`;
async function report(store: string, from: string, to: string): Promise<SalesReport> {
  const { status, body } = await app.request('GET', `/v1/reports/sales?${query(store, from, to)}`, { token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
async function rowsOf(store: string, from: string, to: string, rows: string): Promise<Record<string, string>[]> {
  const answer = await app.request('GET', `/v1/reports/sales/export?${query(store, from, to)}&rows=${rows}`, { token });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="shop-.*\.csv"$/);
  const parsed = Papa.parse<Record<string, string>>(answer.body, { header: true, skipEmptyLines: true });
  expect(parsed.errors).toEqual([]);
  return parsed.data;
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const pence = (rows: readonly Record<string, string>[], column: string) =>
  sum(rows.map((row) => Math.round(Number(row[column]) * 100)));

const [pizza, chips] = [randomUUID(), randomUUID()];
const [korma, cola] = [randomUUID(), randomUUID()];

/**
 * The week in which the clocks go back, Monday 19 to Sunday 25 October 2026. Its sums were made by hand:
 *
 *     order                      gross  subtotal  off  fee  tip   20 % net+vat   0 % net
 *     Mon  card web collection   1200   1200                      1000 + 200
 *     Mon  cash counter          0600   0600                                     600
 *     Tue  card web delivery     2330   2000      200  330  200   1275 + 255     600
 *     Sat  card app, two items   3000   3000                      2000 + 400     600
 *     Sun  01:30 summer time     1000   1000                      0833 + 167
 *     Sun  01:30 winter time     0500   0500                                     500
 *     all six                    8630   8300      200  330  200   5108 + 1022    2300
 */
const week: WrittenOrder[] = [
  {
    day: '2026-10-19',
    subtotal: 1200,
    vat: [{ rate: 2000, net: 1000, vat: 200 }],
    lines: [{ item_id: pizza, name: 'Pizza', quantity: 1, total: 1200 }],
    promised_at: '2026-10-19T18:30:00Z',
    packed_at: '2026-10-19T18:29:00Z',
    completed_at: '2026-10-19T18:50:00Z',
    // It was to be paid in cash, and was paid at the card machine; of the next it was the other way round.
    payment_method: 'cash',
    paid_by: 'terminal',
  },
  {
    day: '2026-10-19',
    at: '2026-10-19T19:15:00Z',
    subtotal: 600,
    vat: [{ rate: 0, net: 600, vat: 0 }],
    payment_method: 'card',
    paid_by: 'cash',
    channel: 'counter',
    lines: [{ item_id: chips, name: 'Chips', quantity: 2, total: 600 }],
  },
  {
    day: '2026-10-20',
    subtotal: 2000,
    discount: 200,
    fee: 330,
    tip: 200,
    vat: [
      { rate: 2000, net: 1275, vat: 255 },
      { rate: 0, net: 600, vat: 0 },
    ],
    fulfilment_type: 'delivery',
    status: 'delivered',
    payment_status: 'partially_refunded',
    lines: [
      { item_id: pizza, name: 'Pizza', quantity: 1, total: 1400 },
      { item_id: chips, name: 'Chips', quantity: 2, total: 600 },
    ],
    promised_at: '2026-10-20T19:00:00Z',
    completed_at: '2026-10-20T19:12:30Z',
  },
  {
    day: '2026-10-24',
    subtotal: 3000,
    vat: [
      { rate: 2000, net: 2000, vat: 400 },
      { rate: 0, net: 600, vat: 0 },
    ],
    channel: 'app',
    payment_status: 'refunded',
    status: 'cancelled',
    cancel_reason: 'No more rice',
    lines: [
      { item_id: pizza, name: 'Pizza Napoli', quantity: 2, total: 2400 },
      { item_id: chips, name: 'Chips', quantity: 2, total: 600 },
    ],
  },
  {
    day: '2026-10-24',
    at: '2026-10-25T00:30:00Z',
    subtotal: 1000,
    vat: [{ rate: 2000, net: 833, vat: 167 }],
  },
  {
    day: '2026-10-24',
    at: '2026-10-25T01:30:00Z',
    subtotal: 500,
    vat: [{ rate: 0, net: 500, vat: 0 }],
  },
  // None of these was paid.
  {
    day: '2026-10-21',
    subtotal: 900,
    vat: [],
    status: 'rejected',
    reject_reason: 'too_busy',
    payment_status: 'voided',
  },
  {
    day: '2026-10-21',
    subtotal: 800,
    vat: [],
    status: 'rejected',
    reject_reason: 'too_busy',
    payment_status: 'voided',
  },
  {
    day: '2026-10-22',
    subtotal: 700,
    vat: [],
    status: 'cancelled',
    cancel_reason: 'Changed mind',
    payment_status: 'voided',
  },
  { day: '2026-10-23', subtotal: 650, vat: [], status: 'expired', payment_status: 'unpaid' },
  { day: '2026-10-23', subtotal: 1100, vat: [], status: 'accepted', payment_status: 'unpaid', payment_method: 'cash' },
  { day: '2026-10-23', subtotal: 1500, vat: [], status: 'delivered', payment_status: 'failed' },
  // Nor are these of the week.
  { day: '2026-10-18', subtotal: 9900, vat: [{ rate: 2000, net: 8250, vat: 1650 }] },
  { day: '2026-10-26', subtotal: 9900, vat: [{ rate: 2000, net: 8250, vat: 1650 }] },
];

describe('a week with the end of summer time in it', () => {
  let store: string;
  beforeAll(async () => {
    store = await newShop();
    const { db } = app.database;
    const ids = await writeOrders(db, store, week);
    const [tuesday = '', saturday = '', before = ''] = [ids[2], ids[3], ids[12]];
    // £5.00 of Tuesday's order on Wednesday, all of Saturday's on Saturday, £1.20 of last week's on Monday.
    await writeRefund(db, store, {
      order: tuesday,
      day: '2026-10-21',
      amount: 500,
      tip: 20,
      vat: [{ rate: 2000, net: 400, vat: 80 }],
    });
    await writeRefund(db, store, { order: tuesday, day: '2026-10-21', amount: 999, vat: [], status: 'failed' });
    // What went back for a removed line is in no sum: the sale does not contain it either.
    await writeRefund(db, store, { order: tuesday, day: '2026-10-21', amount: 250, vat: [], kind: 'line_removed' });
    await writeRefund(db, store, {
      order: saturday,
      day: '2026-10-24',
      amount: 3000,
      vat: [
        { rate: 2000, net: 2000, vat: 400 },
        { rate: 0, net: 600, vat: 0 },
      ],
    });
    await writeRefund(db, store, {
      order: before,
      day: '2026-10-19',
      amount: 120,
      vat: [{ rate: 2000, net: 100, vat: 20 }],
      status: 'pending',
    });
  });

  test('comes to the sums that were made by hand', async () => {
    const found = await report(store, '2026-10-19', '2026-10-25');
    expect(found.totals).toEqual({
      orders: 6,
      gross: 8630,
      subtotal: 8300,
      discounts: 200,
      fees: 330,
      tips: 200,
      average: 1438,
      refunds: 3,
      refunded: 3620,
      refunded_tips: 20,
    });
    expect(found.vat).toEqual([
      { rate: 2000, net: 5108, vat: 1022, refunded_net: 2500, refunded_vat: 500 },
      { rate: 0, net: 2300, vat: 0, refunded_net: 600, refunded_vat: 0 },
    ]);
    expect(found.days.map(({ date, orders, gross, refunded }) => [date, orders, gross, refunded])).toEqual([
      ['2026-10-19', 2, 1800, 120],
      ['2026-10-20', 1, 2330, 0],
      ['2026-10-21', 0, 0, 500],
      ['2026-10-22', 0, 0, 0],
      ['2026-10-23', 0, 0, 0],
      ['2026-10-24', 3, 4500, 3000],
      ['2026-10-25', 0, 0, 0],
    ]);
  });

  test('says by hour, channel, fulfilment, payment and item where it came from', async () => {
    const found = await report(store, '2026-10-19', '2026-10-25');
    // 18:00 UTC is 19:00 in summer time; both half past ones are in the hour that came twice.
    expect(found.hours).toEqual([
      { hour: 1, orders: 2, gross: 1500 },
      { hour: 19, orders: 3, gross: 6530 },
      { hour: 20, orders: 1, gross: 600 },
    ]);
    expect(found.channels).toEqual([
      { key: 'web', orders: 4, gross: 5030 },
      { key: 'app', orders: 1, gross: 3000 },
      { key: 'counter', orders: 1, gross: 600 },
    ]);
    expect(found.fulfilment_types).toEqual([
      { key: 'collection', orders: 5, gross: 6300 },
      { key: 'delivery', orders: 1, gross: 2330 },
    ]);
    expect(found.payment_methods).toEqual([
      { key: 'card', orders: 5, gross: 8030 },
      { key: 'cash', orders: 1, gross: 600 },
    ]);
    expect(found.items).toEqual([
      { item_id: pizza, name: 'Pizza Napoli', quantity: 4, total: 5000 },
      { item_id: chips, name: 'Chips', quantity: 6, total: 1800 },
    ]);
  });

  test('says what came to nothing, what was late, and what is owing', async () => {
    const found = await report(store, '2026-10-19', '2026-10-25');
    expect(found.lost).toEqual([
      { status: 'rejected', reason: 'too_busy', orders: 2, total: 1700 },
      { status: 'cancelled', reason: 'No more rice', orders: 1, total: 3000 },
      { status: 'cancelled', reason: 'Changed mind', orders: 1, total: 700 },
      { status: 'expired', reason: null, orders: 1, total: 650 },
    ]);
    expect(found.late).toEqual({ orders: 1, average_minutes: 13, worst_minutes: 13 });
    expect(found.unpaid).toEqual({ orders: 1, total: 1100 });
    expect(found.failed).toEqual({ orders: 1, total: 1500 });
  });

  test('is the same in the accountant’s tables', async () => {
    const orders = await rowsOf(store, '2026-10-19', '2026-10-25', 'orders');
    expect(orders).toHaveLength(9);
    expect(pence(orders, 'total')).toBe(8630 - 3620);
    expect(pence(orders, 'tip')).toBe(200 - 20);
    expect(pence(orders, 'vat')).toBe(1022 - 500);
    expect(pence(orders, 'net')).toBe(5108 + 2300 - 3100);
    expect(pence(orders, 'discounts')).toBe(-200);
    const vat = await rowsOf(store, '2026-10-19', '2026-10-25', 'vat');
    expect(vat.map((row) => [row['trading_day'], row['vat_percent'], row['vat']])).toEqual([
      ['2026-10-19', '20', '1.80'],
      ['2026-10-19', '0', '0.00'],
      ['2026-10-20', '20', '2.55'],
      ['2026-10-20', '0', '0.00'],
      ['2026-10-21', '20', '-0.80'],
      ['2026-10-24', '20', '1.67'],
      ['2026-10-24', '0', '0.00'],
    ]);
    expect(pence(vat, 'sales_vat')).toBe(1022);
  });

  test('without any orders is a report of nothing', async () => {
    const found = await report(store, '2026-01-01', '2026-01-02');
    expect(found).toMatchObject({ totals: { orders: 0, gross: 0, average: null }, vat: [], items: [], lost: [] });
    expect(found.days).toHaveLength(2);
    expect(await rowsOf(store, '2026-01-01', '2026-01-02', 'orders')).toEqual([]);
  });

  test.each([
    ['backwards', '2026-10-25', '2026-10-19', 'end_date'],
    ['longer than three years', '2022-01-01', '2026-01-01', 'start_date'],
    ['of no real day', '2026-02-30', '2026-03-01', 'start_date'],
  ])('a range that is %s is refused', async (_name, from, to, path) => {
    const answer = await app.request('GET', `/v1/reports/sales?${query(store, from, to)}`, { token });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]]);
  });
});

test.each([
  ['of 25 hours', '2026-10-24', 25, '2026-10-24T04:00:00Z', '2026-10-25T04:59:00Z'],
  ['of 23 hours', '2026-03-28', 23, '2026-03-28T05:00:00Z', '2026-03-29T03:59:00Z'],
])('a trading day %s has all of its orders, and none of its neighbours’', async (_name, day, hours, first, last) => {
  const store = await newShop();
  const shop = { timezone: 'Europe/London', day_starts_at: '05:00' };
  const order = (at: string): WrittenOrder => ({ day: tradingDayOf(shop, new Date(at)), at, subtotal: 100, vat: [] });
  const start = Date.parse(first);
  const every = Array.from({ length: hours }, (_, hour) => order(new Date(start + hour * 3_600_000).toISOString()));
  const around = [start - 60_000, Date.parse(last) + 60_000].map((at) => order(new Date(at).toISOString()));
  await writeOrders(app.database.db, store, [...every, order(last), ...around]);
  const found = await report(store, day, day);
  expect(found.totals.orders).toBe(hours + 1);
  expect(sum(found.hours.map(({ orders }) => orders))).toBe(hours + 1);
});

const days = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'];
const anyOrder: fc.Arbitrary<WrittenOrder> = fc
  .record({
    day: fc.constantFrom(...days),
    hot: fc.integer({ min: 0, max: 9_999 }),
    cold: fc.integer({ min: 1, max: 9_999 }),
    off: fc.integer({ min: 0, max: 500 }),
    fee: fc.integer({ min: 0, max: 400 }),
    tip: fc.integer({ min: 0, max: 300 }),
    payment_status: fc.constantFrom(
      'paid',
      'partially_refunded',
      'refunded',
      'unpaid',
      'authorised',
      'voided',
      'failed',
    ),
    status: fc.constantFrom('accepted', 'collected', 'cancelled', 'rejected', 'expired', 'out_for_delivery'),
    channel: fc.constantFrom('web', 'app', 'phone', 'counter'),
    payment_method: fc.constantFrom('cash', 'card'),
    item: fc.constantFrom(korma, cola),
  })
  .map(({ hot, cold, off, item, ...rest }) => {
    const discount = Math.min(off, hot + cold);
    const parts = apportion(discount, [hot, cold]);
    const gross = [hot - (parts[0] ?? 0) + rest.fee, cold - (parts[1] ?? 0)];
    const vat: VatRow[] = [2000, 0].map((rate, index) => {
      const amount = gross[index] ?? 0;
      return { rate, net: amount - vatInGross(amount, rate), vat: vatInGross(amount, rate) };
    });
    const lines = [{ item_id: item, name: 'Thing', quantity: 1 + (hot % 3), total: hot + cold }];
    return { ...rest, subtotal: hot + cold, discount, vat, lines } as WrittenOrder;
  });

test('whatever was ordered, the report’s sums and the tables’ are the sums over the orders', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOrder, { minLength: 1, maxLength: 40 }), async (orders) => {
      const store = await newShop();
      await writeOrders(app.database.db, store, orders);
      const [from, to] = ['2026-03-29', '2026-03-30'];
      const counted = orders.filter(
        ({ day, payment_status }) =>
          day >= from && day <= to && /^(paid|partially_refunded|refunded)$/.test(payment_status ?? ''),
      );
      const gross = sum(counted.map(totalOf));
      const found = await report(store, from, to);
      expect(found.totals).toMatchObject({
        orders: counted.length,
        gross,
        tips: sum(counted.map(({ tip }) => tip ?? 0)),
        fees: sum(counted.map(({ fee }) => fee ?? 0)),
        discounts: sum(counted.map(({ discount }) => discount ?? 0)),
      });
      expect(sum(found.vat.map(({ net, vat }) => net + vat)) + found.totals.tips).toBe(gross);
      for (const parts of [found.days, found.hours, found.channels, found.fulfilment_types, found.payment_methods]) {
        expect(sum(parts.map((part) => part.gross))).toBe(gross);
        expect(sum(parts.map((part) => part.orders))).toBe(counted.length);
      }
      expect(sum(found.items.map(({ total }) => total))).toBe(found.totals.subtotal);
      expect(pence(await rowsOf(store, from, to, 'orders'), 'total')).toBe(gross);
      expect(pence(await rowsOf(store, from, to, 'vat'), 'sales_gross')).toBe(gross - found.totals.tips);
    }),
    { numRuns: slowDraws },
  );
});
