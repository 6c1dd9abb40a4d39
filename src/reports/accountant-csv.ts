import Papa from 'papaparse';
import type { Fee } from '#ordering/order.ts';
import type { VatDay } from '#reports/sales-report.ts';
import { DAY, MINUTE, dateOf, dayOf, wallTimeAt } from '#platform/zone-clock.ts';

/** A sale, or a refund, as the accountant's table shows it. Minor units, from 0 for refunds as well. */
export interface MoneyMovement {
  kind: 'sale' | 'refund';
  trading_day: string;
  at: Date;
  order_number: number;
  order_id: string;
  channel: string;
  fulfilment_type: string;
  payment_method: string;
  status: string;
  payment_status: string;
  subtotal: number;
  discounts: number;
  fees: readonly Pick<Fee, 'amount'>[];
  tip: number;
  total: number;
  vat: readonly { net: number; vat: number }[];
  reason: string;
}

export interface CsvSetting {
  currency: string;
  timezone: string;
}

/** A row for each order that was paid and each refund, which is negative; the columns sum to the report's figures. */
export async function ordersCsv(
  movements: readonly MoneyMovement[],
  { currency, timezone }: CsvSetting,
): Promise<string> {
  const amount = amountIn(currency);
  return toCsv(orderColumns, movements, (one) => {
    const sign = one.kind === 'refund' ? -1 : 1;
    const of = (value: number) => amount(sign * value);
    const sum = (values: readonly number[]) => of(values.reduce((total, value) => total + value, 0));
    const isSale = one.kind === 'sale';
    return [
      one.trading_day,
      localTime(timezone, one.at),
      one.kind,
      String(one.order_number),
      one.channel,
      one.fulfilment_type,
      one.payment_method,
      one.status,
      one.payment_status,
      isSale ? amount(one.subtotal) : '',
      isSale ? amount(-one.discounts) : '',
      isSale ? sum(one.fees.map((fee) => fee.amount)) : '',
      of(one.tip),
      of(one.total),
      sum(one.vat.map(({ net }) => net)),
      sum(one.vat.map(({ vat }) => vat)),
      currency,
      one.reason,
      one.order_id,
    ];
  });
}

/** A row for each trading day and VAT rate. */
export async function vatCsv(days: readonly VatDay[], { currency }: Pick<CsvSetting, 'currency'>): Promise<string> {
  const amount = amountIn(currency);
  return toCsv(vatColumns, days, ({ date, rate, net, vat, refunded_net, refunded_vat }) => [
    date,
    String(rate / 100),
    ...[net, vat, net + vat, -refunded_net, -refunded_vat, net - refunded_net, vat - refunded_vat].map(amount),
    currency,
  ]);
}

// Column names are part of the file's format, as an accountant's import expects them: they are not translated.
const orderColumns = [
  'trading_day',
  'local_time',
  'type',
  'order_number',
  'channel',
  'fulfilment',
  'payment_method',
  'order_status',
  'payment_status',
  'subtotal',
  'discounts',
  'fees',
  'tip',
  'total',
  'net',
  'vat',
  'currency',
  'reason',
  'order_id',
];
const vatColumns = [
  'trading_day',
  'vat_percent',
  'sales_net',
  'sales_vat',
  'sales_gross',
  'refunds_net',
  'refunds_vat',
  'net',
  'vat',
  'currency',
];

/** What a spreadsheet would take for a formula gets an apostrophe; our own negative amounts are numbers. */
const formula = /^(?!-\d+(\.\d+)?$)[=+\-@\t\r]/;

const atOnce = 1000;

/** RFC 4180, with the mark by which spreadsheets know UTF-8. Lets others have the thread between some rows and the next. */
async function toCsv<T>(
  fields: readonly string[],
  records: readonly T[],
  cells: (record: T) => string[],
): Promise<string> {
  const unparse = (rows: string[][]) => `${Papa.unparse(rows, { newline: '\r\n', escapeFormulae: formula })}\r\n`;
  let table = unparse([[...fields]]);
  for (let start = 0; start < records.length; start += atOnce) {
    table += unparse(records.slice(start, start + atOnce).map(cells));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return `\uFEFF${table}`;
}

/** `1840` pence → `18.40`, with as many places as the currency has. */
function amountIn(currency: string): (value: number) => string {
  const places =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  return (value) => (value / 10 ** places).toFixed(places).replace(/^-(0(\.0*)?)$/, '$1');
}

/** `2026-11-21 18:05`, on the shop's clock. */
function localTime(timezone: string, at: Date): string {
  const wall = wallTimeAt(timezone, at.getTime());
  const minutes = Math.floor((((wall % DAY) + DAY) % DAY) / MINUTE);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${dateOf(dayOf(wall))} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
