import { z } from 'zod';
import { m } from '#messages';
import { startsBeforeEnd, endBeforeStartProblem, Id, LocalDate, SingleAnswer } from '#platform/http/shapes.ts';
import { OrderChannel, OrderStatus } from '#ordering/order.ts';
import { StatementSums } from '#payment/bank-contract.ts';
import { FulfilmentType, PaymentMethod } from '#store/contract.ts';
import { rangeLength, maxRangeDays } from '#reports/date-range.ts';

/** A store, and the first and the last trading day of a range, both included. */
const Range = z
  .object({ store_id: Id, start_date: LocalDate, end_date: LocalDate })
  .refine(startsBeforeEnd, endBeforeStartProblem)
  .refine(({ start_date, end_date }) => rangeLength(start_date, end_date) <= maxRangeDays, {
    path: ['start_date'],
    error: () => m.reports_range_too_long(),
  });

/** Sums of paid orders, in minor units with VAT. `gross` = `subtotal` - `discounts` + `fees` + `tips`. */
export const SaleSums = z.object({
  orders: z.int(),
  gross: z.int(),
  subtotal: z.int(),
  discounts: z.int(),
  fees: z.int(),
  tips: z.int(),
});
export type SaleSums = z.infer<typeof SaleSums>;

/** The number and sums of refunds, which count on the refund's day, not the order's. */
export const RefundSums = z.object({ refunds: z.int(), refunded: z.int(), refunded_tips: z.int() });
export type RefundSums = z.infer<typeof RefundSums>;

export const DaySums = SaleSums.extend({ date: LocalDate, ...RefundSums.shape });
export type DaySums = z.infer<typeof DaySums>;

/** Sold and refunded amounts at one VAT rate (`rate`, in basis points). */
export const VatSums = z.object({
  rate: z.int(),
  net: z.int(),
  vat: z.int(),
  refunded_net: z.int(),
  refunded_vat: z.int(),
});
export type VatSums = z.infer<typeof VatSums>;

/** The sales of an item, whatever its options, before discounts and refunds. */
export const ItemSums = z.object({ item_id: Id, name: z.string(), quantity: z.int(), total: z.int() });
export type ItemSums = z.infer<typeof ItemSums>;

/**
 * Card payments, and where their money is now. A refund or dispute counts on the day of its order. `net` = `charged` -
 * `refunded` - `disputed` - `fees` + `other` = `paid_out` + `on_the_way` + `waiting`.
 */
export const CardSums = z.object({
  currency: z.string(),
  orders: z.int(),
  ...StatementSums.shape,
  /** The part of `net` that is in the bank account. */
  paid_out: z.int(),
  /** The part of `net` in payouts on their way to the bank. */
  on_the_way: z.int(),
  /** The part of `net` that is still at the provider. */
  waiting: z.int(),
});
export type CardSums = z.infer<typeof CardSums>;

const part = <T extends z.ZodType>(key: T) => z.object({ key, orders: z.int(), gross: z.int() });

export const SalesReport = z.object({
  store_id: Id,
  currency: z.string(),
  timezone: z.string(),
  start_date: LocalDate,
  end_date: LocalDate,
  totals: SaleSums.extend({
    /** `gross` divided by `orders`, rounded; null without orders. */
    average: z.int().nullable(),
    ...RefundSums.shape,
  }),
  /** All trading days of the range, with zeros for days without sales. */
  days: z.array(DaySums),
  /** The orders by the local hour in which they were placed; hours without orders are left out. */
  hours: z.array(z.object({ hour: z.int(), orders: z.int(), gross: z.int() })),
  channels: z.array(part(OrderChannel)),
  fulfilment_types: z.array(part(FulfilmentType)),
  payment_methods: z.array(part(PaymentMethod)),
  vat: z.array(VatSums),
  /** The items, those with the largest total first. */
  items: z.array(ItemSums),
  /**
   * Rejected, cancelled and expired orders, by status and reason: the reject reason, or the text of the cancellation.
   */
  lost: z.array(z.object({ status: OrderStatus, reason: z.string().nullable(), orders: z.int(), total: z.int() })),
  /** Orders that were ready for collection or delivered after the promised time, or are overdue now. */
  late: z.object({ orders: z.int(), average_minutes: z.int().nullable(), worst_minutes: z.int().nullable() }),
  /** Accepted orders that are unpaid. Apart from `late`, no other figure counts them. */
  unpaid: z.object({ orders: z.int(), total: z.int() }),
  /** Accepted orders whose card payment failed. Apart from `late`, no other figure counts them. */
  failed: z.object({ orders: z.int(), total: z.int() }),
  /** Orders paid through a card provider, by the currency of the provider's account. */
  cards: z.array(CardSums),
  /** Card orders whose fee is not known yet; they are not in `cards`. */
  fee_unknown: z.object({ orders: z.int(), total: z.int() }),
  /**
   * Orders paid with test keys, or by the sandbox outside a demo. Apart from `late` and `lost`, no other figure counts
   * them.
   */
  test: z.object({ orders: z.int(), total: z.int() }),
});
export type SalesReport = z.infer<typeof SalesReport>;

/** The sums of paid orders with an offer, in minor units, as in `SaleSums`. */
export const OfferSums = z.object({
  orders: z.int(),
  discounts: z.int(),
  gross: z.int(),
  /** Refunds made on these days, for orders of any day. */
  refunded: z.int(),
  /** Orders of customers who had not ordered before, without orders of unknown persons. */
  first_orders: z.int(),
  /** Orders of customers who had ordered before, without orders of unknown persons. */
  repeat_orders: z.int(),
});
export type OfferSums = z.infer<typeof OfferSums>;

/** An offer, or one of its codes, with the sums of the report's days (`now`) and of the earlier days (`before`). */
export const OfferResult = z.object({
  offer_id: Id,
  name: z.string(),
  code: z.string().nullable().describe('The code, in capitals and without spaces; null: the whole offer.'),
  now: OfferSums,
  before: OfferSums,
});
export type OfferResult = z.infer<typeof OfferResult>;

const ShopSums = SaleSums.extend(RefundSums.shape);
export type ShopSums = z.infer<typeof ShopSums>;

export const OfferReport = z.object({
  store_id: Id,
  currency: z.string(),
  start_date: LocalDate,
  end_date: LocalDate,
  /** The earlier days with which the report's days are compared, as `previousRange` chooses them. */
  before: z.object({ start_date: LocalDate, end_date: LocalDate }),
  /** All paid orders, with offers and without. */
  shop: z.object({ now: ShopSums, before: ShopSums }),
  /** The offers, those with the largest takings first; each is followed by its codes. At most 500 codes in total. */
  offers: z.array(OfferResult),
});
export type OfferReport = z.infer<typeof OfferReport>;

export const ExportTableName = z.enum(['orders', 'vat', 'payouts', 'offers']);
export type ExportTableName = z.infer<typeof ExportTableName>;

export const reportEndpoints = {
  'GET /v1/reports/sales': {
    readsPast: true,
    access: 'admin',
    summary: 'Takings, VAT, items and lost orders of a range of trading days.',
    query: Range,
    response: SingleAnswer(SalesReport),
  },
  'GET /v1/reports/offers': {
    readsPast: true,
    access: 'admin',
    summary: 'The orders, discounts, takings and customers of each offer and code, beside the same days before.',
    query: Range,
    response: SingleAnswer(OfferReport),
  },
  'GET /v1/reports/sales/export': {
    readsPast: true,
    access: 'admin',
    summary:
      'The same for the accountant, as CSV: a row for each order and refund, for each day and VAT rate, for each line of the payouts that arrive, or for each offer and code.',
    query: Range.safeExtend({ rows: ExportTableName }),
    response: z.string(),
    download: 'text/csv',
  },
} as const;
