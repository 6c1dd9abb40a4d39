import { randomUUIDv7 } from 'node:crypto';
import Papa from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OfferReport } from '#reports/contract.ts';
import { writeOrders, writeRefund, type WrittenOrder } from '#reports/testing/samples.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
let storeId: string;
let tuesday: string;
let hello: string;
const gone = randomUUIDv7();
const [ada, bob] = [
  { phone: '07700 900001', email: 'ada@example.com' },
  { phone: '07700 900002', email: 'bob@example.com' },
];
/** £20.00 less £2.00, on Tuesday 3 November 2026 by default. */
const order = (rest: Partial<WrittenOrder>): WrittenOrder => ({
  day: '2026-11-03',
  subtotal: 2000,
  discount: 200,
  vat: [{ rate: 2000, net: 1500, vat: 300 }],
  contact: ada,
  ...rest,
});
const query = (from = '2026-11-02', to = '2026-11-08') => `store_id=${storeId}&start_date=${from}&end_date=${to}`;
async function report(from?: string, to?: string): Promise<OfferReport> {
  const { status, body } = await app.request('GET', `/v1/reports/offers?${query(from, to)}`, { token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
const sums = (orders: number, discounts: number, gross: number, refunded: number, first: number, repeat: number) => ({
  orders,
  discounts,
  gross,
  refunded,
  first_orders: first,
  repeat_orders: repeat,
});
const none = sums(0, 0, 0, 0, 0, 0);

beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
  const { db } = app.database;
  storeId = (await seedSmallShop(db)).storeId;
  const make = async (body: object): Promise<string> => {
    const offer = { store_id: storeId, kind: 'percent', value: 1000, ...body };
    return (await app.request('POST', '/v1/offers', { token, body: offer })).body.data.id;
  };
  tuesday = await make({ name: 'Tuesday' });
  hello = await make({ name: 'Hello', by_code: true });
  const [ofTuesday, ofGone] = [{ offer_id: tuesday }, { offer_id: gone, code: 'Old one' }];
  const [first] = await writeOrders(db, storeId, [
    order({ day: '2026-10-27', offer: ofTuesday, contact: { phone: '+44 7700 900001', email: '' } }),
    order({ offer: ofTuesday }),
    // Known by the email address alone.
    order({ offer: ofTuesday, contact: { phone: '', email: 'Bob@example.com' }, at: '2026-11-03T17:00:00Z' }),
    order({ offer: ofTuesday, contact: { phone: '', email: '' }, channel: 'counter' }),
    order({ offer: { offer_id: hello, code: 'he llo-1' }, contact: bob, day: '2026-11-04' }),
    order({ offer: { offer_id: hello, code: 'HELLO-2' }, contact: bob, day: '2026-11-05', subtotal: 1000 }),
    order({ offer: ofGone, day: '2026-11-05' }),
    // None of these counts: called off, unpaid, test money, a test order, another week.
    order({ offer: ofTuesday, status: 'cancelled', payment_status: 'refunded' }),
    order({ offer: ofTuesday, status: 'rejected', payment_status: 'unpaid' }),
    order({ offer: ofTuesday, status: 'accepted', payment_status: 'unpaid' }),
    order({ offer: ofTuesday, is_test: true }),
    order({ offer: ofTuesday, channel: 'test' }),
    order({ offer: ofTuesday, day: '2026-11-10' }),
    { ...order({}), discount: 0 },
  ]);
  const vat = [{ rate: 2000, net: 250, vat: 50 }];
  const refund = { order: first ?? '', day: '2026-11-04', amount: 300, vat };
  await writeRefund(db, storeId, refund);
  await writeRefund(db, storeId, { ...refund, amount: 500, status: 'failed' });
});
afterAll(() => app.close());

test('each offer and code has its paid orders, discount, takings, refunds and customers, beside the days before', async () => {
  const { offers, before, shop, currency } = await report();
  expect(offers).toEqual([
    {
      offer_id: tuesday,
      name: 'Tuesday',
      code: null,
      now: sums(3, 600, 5400, 300, 1, 1),
      before: sums(1, 200, 1800, 0, 1, 0),
    },
    { offer_id: hello, name: 'Hello', code: null, now: sums(2, 400, 2600, 0, 0, 2), before: none },
    { offer_id: hello, name: 'Hello', code: 'HELLO-1', now: sums(1, 200, 1800, 0, 0, 1), before: none },
    { offer_id: hello, name: 'Hello', code: 'HELLO-2', now: sums(1, 200, 800, 0, 0, 1), before: none },
    { offer_id: gone, name: '10 % off', code: null, now: sums(1, 200, 1800, 0, 0, 1), before: none },
    { offer_id: gone, name: '10 % off', code: 'OLDONE', now: sums(1, 200, 1800, 0, 0, 1), before: none },
  ]);
  expect([before, currency]).toEqual([{ start_date: '2026-10-26', end_date: '2026-11-01' }, 'GBP']);
  const { body } = await app.request('GET', `/v1/reports/sales?${query()}`, { token });
  const { average: _average, ...totals } = body.data.totals;
  expect(shop.now).toEqual(totals);
  expect(shop.before).toMatchObject({ orders: 1, gross: 1800, discounts: 200, refunded: 0 });
});

test('an offer without orders has zeros, and one of another store is not there', async () => {
  const { offers } = await report('2026-08-03', '2026-08-09');
  expect(offers.map(({ name, now, before }) => [name, now, before])).toEqual([
    ['Tuesday', none, none],
    ['Hello', none, none],
  ]);
  const { body } = await app.request('GET', `/v1/reports/offers?${query().replace(storeId, app.shop.storeId)}`, {
    token,
  });
  expect(body.data.offers).toEqual([]);
});

test('the table to download has the same figures', async () => {
  const { body } = await app.request('GET', `/v1/reports/sales/export?${query()}&rows=offers`, { token });
  const { data, errors } = Papa.parse<Record<string, string>>(body, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  expect(data.map(({ offer, code, takings }) => [offer, code, takings])).toEqual([
    ['Tuesday', '', '51.00'],
    ['Hello', '', '26.00'],
    ['Hello', 'HELLO-1', '18.00'],
    ['Hello', 'HELLO-2', '8.00'],
    ['10 % off', '', '18.00'],
    ['10 % off', 'OLDONE', '18.00'],
  ]);
  expect(data[0]).toMatchObject({
    first_day: '2026-11-02',
    last_day: '2026-11-08',
    orders: '3',
    discounts: '-6.00',
    gross: '54.00',
    refunded: '-3.00',
    first_orders: '1',
    repeat_orders: '1',
    takings_before: '18.00',
    currency: 'GBP',
    offer_id: tuesday,
  });
});
