import Papa from 'papaparse';
import type { PaymentMode } from '#database/column-values.ts';
import type { Fee } from '#ordering/order.ts';
import type { OfferResult, OfferSums } from '#reports/contract.ts';
import type { VatDay } from '#reports/sales-report.ts';
import { dateOfDayNumber, DAY, dayNumberOfWallTime, MINUTE, wallTimeAt } from '#platform/zone-clock.ts';
import { formatDecimalAmount } from '#platform/money.ts';
import type { BankEntryKind, PayoutStatus } from '#payment/bank.ts';
import { isPayoutPaidOrExpected } from '#payment/bank-rules.ts';

/** A sale or refund in the accountant's table. Amounts are in minor units and never negative, even for refunds. */
export interface SaleOrRefund {
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
  /**
   * The figures of the provider's statement; null: no card payment at a provider, or the statement does not list it
   * yet.
   */
  card: CardMoney | null;
  card_mode: CardMode;
}

/**
 * The mode of the provider's keys in a card payment; only live keys move money. null: no card payment through the shop.
 */
export type CardMode = PaymentMode | 'sandbox' | null;

export type RowBatches<T> = AsyncIterable<readonly T[]>;
export type CsvChunks = AsyncGenerator<string, void, void>;

export interface CsvContext {
  currency: string;
  timezone: string;
}

/**
 * Writes a row for each paid order and, with negative amounts, for each refund. The columns add up to the report's
 * figures.
 */
export function ordersCsv(movements: RowBatches<SaleOrRefund>, { currency, timezone }: CsvContext): CsvChunks {
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
      ...cardCells(one.card),
      one.card_mode ?? '',
    ];
  });
}

function cardCells(card: CardMoney | null): string[] {
  if (!card) return ['', '', '', '', '', ''];
  const amount = amountIn(card.currency);
  return [
    amount(card.fee),
    amount(-card.disputed),
    amount(card.net),
    card.currency,
    card.payout_id ?? '',
    card.payout_date ?? '',
  ];
}

/** A line of a payout. `order_number` and `order_id` are null if the line belongs to no order of the shop. */
export interface PayoutLine {
  payout_id: string;
  arrives_on: string;
  payout_status: string;
  kind: string;
  at: Date | null;
  order_number: number | null;
  order_id: string | null;
  amount: number;
  fee: number;
  net: number;
  currency: string;
  mode: PaymentMode;
}

/**
 * Writes a row for each line of the payouts. The `net` amounts of a payout add up to the amount that the bank receives.
 */
export function payoutsCsv(lines: RowBatches<PayoutLine>, { timezone }: Pick<CsvContext, 'timezone'>): CsvChunks {
  return toCsv(payoutColumns, lines, (line) => [
    line.payout_id,
    line.arrives_on,
    line.payout_status,
    line.kind,
    line.at ? localTime(timezone, line.at) : '',
    line.order_number === null ? '' : String(line.order_number),
    ...[line.amount, line.fee, line.net].map(amountIn(line.currency)),
    line.currency,
    line.order_id ?? '',
    line.mode,
  ]);
}

export function vatCsv(days: RowBatches<VatDay>, { currency }: Pick<CsvContext, 'currency'>): CsvChunks {
  const amount = amountIn(currency);
  return toCsv(vatColumns, days, ({ date, rate, net, vat, refunded_net, refunded_vat }) => [
    date,
    String(rate / 100),
    ...[net, vat, net + vat, -refunded_net, -refunded_vat, net - refunded_net, vat - refunded_vat].map(amount),
    currency,
  ]);
}

/**
 * Writes a row for each offer and each of its codes, with sums of the report's days and of the days that
 * `previousRange` chooses.
 */
export function offersCsv(
  results: RowBatches<OfferResult>,
  { currency, from, to }: Pick<CsvContext, 'currency'> & { from: string; to: string },
): CsvChunks {
  const amount = amountIn(currency);
  const cellsOf = ({ orders, discounts, gross, refunded, first_orders, repeat_orders }: OfferSums) => [
    String(orders),
    ...[-discounts, gross, -refunded, gross - refunded].map(amount),
    String(first_orders),
    String(repeat_orders),
  ];
  return toCsv(offerColumns, results, ({ offer_id, name, code, now, before }) => [
    from,
    to,
    name,
    code ?? '',
    ...cellsOf(now),
    ...cellsOf(before),
    currency,
    offer_id,
  ]);
}

// The column names are not translated, because the programs that import this file find the columns by name.
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
  'card_fee',
  'card_disputed',
  'card_net',
  'card_currency',
  'payout_id',
  'payout_date',
  'card_mode',
];
const payoutColumns = [
  'payout_id',
  'payout_date',
  'payout_status',
  'type',
  'local_time',
  'order_number',
  'amount',
  'fee',
  'net',
  'currency',
  'order_id',
  'card_mode',
];
const offerSumColumns = ['orders', 'discounts', 'gross', 'refunded', 'takings', 'first_orders', 'repeat_orders'];
const offerColumns = [
  'first_day',
  'last_day',
  'offer',
  'code',
  ...offerSumColumns,
  ...offerSumColumns.map((column) => `${column}_before`),
  'currency',
  'offer_id',
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

/**
 * Matches texts that a spreadsheet would run as a formula; such texts get an apostrophe. Negative amounts do not match.
 */
const formula = /^(?!-\d+(\.\d+)?$)[=+\-@\t\r]/;

/** Writes CSV as in RFC 4180, with a byte order mark for spreadsheets. Batches are read on demand (backpressure). */
async function* toCsv<T>(fields: readonly string[], batches: RowBatches<T>, cells: (record: T) => string[]): CsvChunks {
  const unparse = (rows: string[][]) => `${Papa.unparse(rows, { newline: '\r\n', escapeFormulae: formula })}\r\n`;
  yield `\uFEFF${unparse([[...fields]])}`;
  for await (const records of batches) if (records.length > 0) yield unparse(records.map(cells));
}

/** Returns a function that formats minor units with the currency's decimals: `1840` pence become `18.40`. */
function amountIn(currency: string): (value: number) => string {
  return (value) => formatDecimalAmount(value, currency).replace(/^-(0(\.0*)?)$/, '$1');
}

/** Formats a time by the shop's clock: `2026-11-21 18:05`. */
function localTime(timezone: string, at: Date): string {
  const wall = wallTimeAt(timezone, at.getTime());
  const minutes = Math.floor((((wall % DAY) + DAY) % DAY) / MINUTE);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${dateOfDayNumber(dayNumberOfWallTime(wall))} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A line of the provider's statement. Amounts are in minor units; `net` is `amount` less `fee`. */
export interface BankEntryFigures {
  kind: BankEntryKind;
  amount: number;
  fee: number;
  net: number;
  currency: string;
  payout_id: string | null;
  payout_status: PayoutStatus | null;
  arrives_on: string | null;
}

/**
 * The statement's figures for an order or a refund: fee, disputed sum, net amount and payout. Amounts are in minor
 * units of `currency`; `disputed` is 0 or more.
 */
interface CardMoney {
  fee: number;
  disputed: number;
  net: number;
  currency: string;
  payout_id: string | null;
  /** The day on which the payout arrives in the bank account; null: the money is in no payout, or the payout failed. */
  payout_date: string | null;
}

/**
 * Sums up the statement entries of an order or a refund; null without entries. Currency and payout are those of the
 * charge, or else of the first entry. Entries in another currency are left out, because the table of payouts has them.
 */
export function sumBankEntryFigures(entries: readonly BankEntryFigures[]): CardMoney | null {
  const main = entries.find(({ kind }) => kind === 'charge') ?? entries[0];
  if (!main) return null;
  const same = entries.filter(({ currency }) => currency === main.currency);
  const sum = (key: 'fee' | 'net', of = same) => of.reduce((total, entry) => total + entry[key], 0);
  const disputes = same.filter(({ kind }) => kind === 'dispute' || kind === 'dispute_won');
  return {
    fee: sum('fee'),
    disputed: 0 - disputes.reduce((total, { amount }) => total + amount, 0),
    net: sum('net'),
    currency: main.currency,
    payout_id: main.payout_id,
    payout_date: main.payout_status && isPayoutPaidOrExpected(main.payout_status) ? main.arrives_on : null,
  };
}
