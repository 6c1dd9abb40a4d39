import type { DaySums, RefundSums, SalesReport, SaleSums, VatSums } from '#reports/contract.ts';
import type { OrderChannel } from '#ordering/order.ts';
import { datesInRange } from '#reports/date-range.ts';
import type { FulfilmentType, PaymentMethod } from '#store/contract.ts';
import { keysOf } from '#platform/keys-of.ts';

/** The sums of each day. `sales` lacks days without sales, and `refunds` days without refunds. */
export interface CountedDays {
  sales: readonly (SaleSums & { date: string })[];
  refunds: readonly (RefundSums & { date: string })[];
}

export interface CountedVat {
  date: string;
  rate: number;
  net: number;
  vat: number;
  isRefund: boolean;
}

/** The orders that share one hour, channel, fulfilment type and payment method. */
export interface CountedOrders {
  /** The hour in which the orders were placed, on the shop's clock. */
  hour: number;
  channel: OrderChannel;
  fulfilment_type: FulfilmentType;
  payment_method: PaymentMethod;
  orders: number;
  gross: number;
}

export type VatDay = VatSums & { date: string };

const noSums: SaleSums = { orders: 0, gross: 0, subtotal: 0, discounts: 0, fees: 0, tips: 0 };
const noRefunds: RefundSums = { refunds: 0, refunded: 0, refunded_tips: 0 };

export function fillMissingDays(range: { from: string; to: string }, { sales, refunds }: CountedDays): DaySums[] {
  const sold = new Map(sales.map((day) => [day.date, day]));
  const given = new Map(refunds.map((day) => [day.date, day]));
  return datesInRange(range).map((date) => ({ ...noSums, ...noRefunds, ...sold.get(date), ...given.get(date), date }));
}

export function totalOfDays(days: readonly DaySums[]): SalesReport['totals'] {
  const total = { ...noSums, ...noRefunds };
  for (const day of days) for (const key of sumKeys) total[key] += day[key];
  return { ...total, average: total.orders === 0 ? null : Math.round(total.gross / total.orders) };
}

/**
 * One row for each day and VAT rate, with its sales and refunds. Rows are sorted by day, then by rate from the highest.
 */
export function vatByDay(counted: readonly CountedVat[]): VatDay[] {
  const found = new Map<string, VatDay>();
  for (const { date, rate, net, vat, isRefund } of counted) {
    const key = `${date} ${rate}`;
    const row = found.get(key) ?? { date, rate, net: 0, vat: 0, refunded_net: 0, refunded_vat: 0 };
    row[isRefund ? 'refunded_net' : 'net'] += net;
    row[isRefund ? 'refunded_vat' : 'vat'] += vat;
    found.set(key, row);
  }
  return [...found.values()].toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : b.rate - a.rate));
}

/** One row for each VAT rate, with its sales and refunds; the highest rate is first. */
export function vatByRate(counted: readonly Omit<CountedVat, 'date'>[]): VatSums[] {
  const found = new Map<number, VatSums>();
  for (const { rate, net, vat, isRefund } of counted) {
    const row = found.get(rate) ?? { rate, net: 0, vat: 0, refunded_net: 0, refunded_vat: 0 };
    row[isRefund ? 'refunded_net' : 'net'] += net;
    row[isRefund ? 'refunded_vat' : 'vat'] += vat;
    found.set(rate, row);
  }
  return [...found.values()].toSorted((a, b) => b.rate - a.rate);
}

export function sumOrdersByDimension(
  counted: readonly CountedOrders[],
): Pick<SalesReport, 'hours' | 'channels' | 'fulfilment_types' | 'payment_methods'> {
  return {
    hours: partsBy(counted, 'hour')
      .map(({ key: hour, ...rest }) => ({ hour, ...rest }))
      .toSorted((a, b) => a.hour - b.hour),
    channels: partsBy(counted, 'channel'),
    fulfilment_types: partsBy(counted, 'fulfilment_type'),
    payment_methods: partsBy(counted, 'payment_method'),
  };
}

function partsBy<K extends 'hour' | 'channel' | 'fulfilment_type' | 'payment_method'>(
  counted: readonly CountedOrders[],
  by: K,
): { key: CountedOrders[K]; orders: number; gross: number }[] {
  const found = new Map<CountedOrders[K], { key: CountedOrders[K]; orders: number; gross: number }>();
  for (const part of counted) {
    const row = found.get(part[by]) ?? { key: part[by], orders: 0, gross: 0 };
    row.orders += part.orders;
    row.gross += part.gross;
    found.set(part[by], row);
  }
  return [...found.values()].toSorted((a, b) => b.gross - a.gross || b.orders - a.orders);
}

const sumKeys = [...keysOf(noSums), ...keysOf(noRefunds)];
