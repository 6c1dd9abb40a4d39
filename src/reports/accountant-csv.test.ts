import Papa from 'papaparse';
import { expect, test } from 'vitest';
import {
  type RowBatches,
  type BankEntryFigures,
  sumBankEntryFigures,
  type CsvChunks,
  type SaleOrRefund,
  ordersCsv,
  payoutsCsv,
  vatCsv,
} from '#reports/accountant-csv.ts';

const setting = { currency: 'GBP', timezone: 'Europe/London' };
const sale: SaleOrRefund = {
  kind: 'sale',
  trading_day: '2026-10-24',
  at: new Date('2026-10-25T01:30:00Z'),
  order_number: 7,
  order_id: '0199',
  channel: 'web',
  fulfilment_type: 'collection',
  payment_method: 'card',
  status: 'collected',
  payment_status: 'partially_refunded',
  subtotal: 2000,
  discounts: 200,
  fees: [{ amount: 50 }, { amount: 30 }],
  tip: 100,
  total: 1980,
  vat: [
    { net: 1400, vat: 280 },
    { net: 200, vat: 0 },
  ],
  reason: '',
  card: {
    fee: 2039,
    disputed: 1980,
    net: -2039,
    currency: 'GBP',
    payout_id: 'po_1',
    payout_date: '2026-10-28',
  },
  card_mode: 'live',
};
const refund: SaleOrRefund = {
  ...sale,
  kind: 'refund',
  trading_day: '2026-10-26',
  fees: [],
  tip: 0,
  total: 450,
  vat: [{ net: 375, vat: 75 }],
  card: null,
  card_mode: null,
  reason: '=HYPERLINK("http://evil","Żurek"),\nsecond line',
};

/** The whole text of a table of these rows, given one at a time. */
async function whole<T, S>(
  table: (rows: RowBatches<T>, setting: S) => CsvChunks,
  rows: readonly T[],
  setting: S,
): Promise<string> {
  async function* batches() {
    for (const row of rows) yield [row];
  }
  let text = '';
  for await (const piece of table(batches(), setting)) text += piece;
  return text;
}

test('sales and refunds are rows whose amounts are numbers, refunds below zero, times on the shop’s clock', async () => {
  const csv = await whole(ordersCsv, [sale, refund], setting);
  const { data, errors } = Papa.parse<Record<string, string>>(csv.replace('\uFEFF', ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  expect(data).toMatchObject([
    {
      type: 'sale',
      local_time: '2026-10-25 01:30',
      subtotal: '20.00',
      discounts: '-2.00',
      fees: '0.80',
      tip: '1.00',
      total: '19.80',
      net: '16.00',
      vat: '2.80',
      card_fee: '20.39',
      card_disputed: '-19.80',
      card_net: '-20.39',
      card_currency: 'GBP',
      payout_id: 'po_1',
      payout_date: '2026-10-28',
      card_mode: 'live',
    },
    {
      type: 'refund',
      trading_day: '2026-10-26',
      subtotal: '',
      tip: '0.00',
      total: '-4.50',
      net: '-3.75',
      vat: '-0.75',
      card_fee: '',
      card_net: '',
      payout_id: '',
    },
  ]);
});

test('what somebody wrote can be no formula, and comes back as it was', async () => {
  const csv = await whole(ordersCsv, [refund], setting);
  expect(csv.startsWith('\uFEFFtrading_day,')).toBe(true);
  expect(csv).toContain(`"'=HYPERLINK(""http://evil"",""Żurek""),\nsecond line"`);
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    expect(await whole(ordersCsv, [{ ...refund, reason: `${start}cmd` }], setting)).toContain(`'${start}cmd`);
  }
  expect(csv.split('\r\n')).toHaveLength(3);
});

test('a day and rate is a row, whatever the currency’s places', async () => {
  const day = { date: '2026-10-25', rate: 2000, net: 1400, vat: 280, refunded_net: 375, refunded_vat: 75 };
  expect(
    await whole(vatCsv, [day, { ...day, rate: 0, net: 200, vat: 0, refunded_net: 0, refunded_vat: 0 }], setting),
  ).toBe(
    '\uFEFFtrading_day,vat_percent,sales_net,sales_vat,sales_gross,refunds_net,refunds_vat,net,vat,currency\r\n' +
      '2026-10-25,20,14.00,2.80,16.80,-3.75,-0.75,10.25,2.05,GBP\r\n' +
      '2026-10-25,0,2.00,0.00,2.00,0.00,0.00,2.00,0.00,GBP\r\n',
  );
  expect(await whole(vatCsv, [day], { currency: 'JPY' })).toContain(
    '2026-10-25,20,1400,280,1680,-375,-75,1025,205,JPY',
  );
});

test('each line of a payout is a row, in the places of its own currency', async () => {
  const line = {
    payout_id: 'po_1',
    arrives_on: '2026-10-28',
    payout_status: 'paid',
    kind: 'charge',
    at: new Date('2026-10-25T01:30:00Z'),
    order_number: 7,
    order_id: '0199',
    amount: 1980,
    fee: 39,
    net: 1941,
    currency: 'GBP',
    mode: 'test' as const,
  };
  const unknown = { ...line, kind: 'unknown', at: null, order_number: null, order_id: null, currency: 'JPY', fee: 0 };
  expect(await whole(payoutsCsv, [line, unknown], setting)).toBe(
    '\uFEFFpayout_id,payout_date,payout_status,type,local_time,order_number,amount,fee,net,currency,order_id,card_mode\r\n' +
      'po_1,2026-10-28,paid,charge,2026-10-25 01:30,7,19.80,0.39,19.41,GBP,0199,test\r\n' +
      'po_1,2026-10-28,paid,unknown,,,1980,0,1941,JPY,,test\r\n',
  );
});

const entry = (change: Partial<BankEntryFigures>): BankEntryFigures => ({
  kind: 'charge',
  amount: 1250,
  fee: 39,
  net: 1211,
  currency: 'GBP',
  payout_id: 'po_1',
  payout_status: 'paid',
  arrives_on: '2026-11-25',
  ...change,
});

test('without an entry nothing is known', () => {
  expect(sumBankEntryFigures([])).toBeNull();
});

test('a charge has its fee, and the payout that it is in', () => {
  expect(sumBankEntryFigures([entry({})])).toEqual({
    fee: 39,
    disputed: 0,
    net: 1211,
    currency: 'GBP',
    payout_id: 'po_1',
    payout_date: '2026-11-25',
  });
});

test('a dispute takes the amount and its own fee; won, the amount comes back', () => {
  const lost = entry({ kind: 'dispute', amount: -1250, fee: 2000, net: -3250, payout_id: null, payout_status: null });
  expect(sumBankEntryFigures([lost, entry({})])).toMatchObject({
    fee: 2039,
    disputed: 1250,
    net: -2039,
    payout_id: 'po_1',
  });
  const won = entry({ kind: 'dispute_won', amount: 1250, fee: 0, net: 1250 });
  expect(sumBankEntryFigures([entry({}), lost, won])).toMatchObject({ fee: 2039, disputed: 0, net: -789 });
});

test('what is in another currency is not added up', () => {
  const euro = entry({ kind: 'refund', amount: -100, fee: 0, net: -100, currency: 'EUR' });
  expect(sumBankEntryFigures([euro, entry({})])).toMatchObject({ net: 1211, currency: 'GBP' });
});

test.each([
  ['pending', '2026-11-25'],
  ['in_transit', '2026-11-25'],
  ['failed', null],
  ['cancelled', null],
] as const)('the day of a payout that is %s is %s', (payout_status, day) => {
  expect(sumBankEntryFigures([entry({ payout_status })])?.payout_date).toBe(day);
});
