import { paymentModes } from '#database/column-values.ts';
import { z } from 'zod';
import { BankEntryKind, DisputeStatus, PayoutStatus } from '#payment/bank.ts';
import {
  startsBeforeEnd,
  endBeforeStartProblem,
  Id,
  Instant,
  LocalDate,
  SingleAnswer,
  PaginatedAnswer,
  PaginatedQuery,
} from '#platform/http/shapes.ts';

/** The mode of the keys: only payments with `live` keys move money. */
const Mode = z.enum(paymentModes);

/**
 * Sums over lines of the provider's statement, in minor units of one currency. For the lines of a payout, `net` is the
 * payout's amount.
 */
export const StatementSums = z.object({
  charged: z.int(),
  /** Refunds less failed refunds; negative if more failed than were made. */
  refunded: z.int(),
  /** The sum that payers' banks took back, less the sum that they returned; negative if they returned more. */
  disputed: z.int(),
  fees: z.int(),
  /** The sum of all other entries, such as an earlier payout that came back. */
  other: z.int(),
  net: z.int(),
});
export type StatementSums = z.infer<typeof StatementSums>;

/** A transfer of the money of all stores from the provider to the shop's bank account. */
export const Payout = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: PayoutStatus,
  /** The provider's name for the reason of the failure; null: the payout has not failed. */
  failure: z.string().nullable(),
  /**
   * Whether the provider made the payout on its schedule. For payouts that the owner triggered, the provider lists no
   * entries.
   */
  is_automatic: z.boolean(),
  arrives_on: LocalDate,
  created_at: Instant,
  mode: Mode,
  /** The number of orders in the payout; null: not known yet. For a payout that the owner triggered, it stays null. */
  orders: z.int().nullable(),
  sums: StatementSums.nullable(),
  link: z.url(),
});
export type Payout = z.infer<typeof Payout>;

/**
 * A line of the provider's statement. Minor units, negative where money left the balance; `net` is `amount` less `fee`.
 */
export const BankEntry = z.object({
  id: z.string(),
  kind: BankEntryKind,
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: z.string(),
  created_at: Instant,
  /** null: the entry belongs to no order of this shop. */
  order_id: Id.nullable(),
  order_number: z.string().nullable(),
  store_id: Id.nullable(),
  /** The reason of the refund; null: the entry is no refund, or its reason is not known. */
  refund_reason: z.string().nullable(),
  dispute: z.object({ status: DisputeStatus, reason: z.string() }).nullable(),
});
export type BankEntry = z.infer<typeof BankEntry>;

export const PayoutContent = Payout.extend({ entries: z.array(BankEntry) });
export type PayoutContent = z.infer<typeof PayoutContent>;

/** A dispute or an inquiry: the payer's bank took a payment's money back, or asks the shop about it. */
export const Dispute = z.object({
  id: z.string(),
  order_id: Id,
  order_number: z.string(),
  store_id: Id,
  payment_id: Id,
  customer_name: z.string(),
  amount: z.int(),
  currency: z.string(),
  /** The provider's name for the reason: fraudulent, product_not_received … */
  reason: z.string(),
  status: DisputeStatus,
  /** The deadline for the shop's answer on the provider's page; null: there is none. */
  respond_by: Instant.nullable(),
  created_at: Instant,
  closed_at: Instant.nullable(),
  mode: Mode,
  link: z.url(),
});
export type Dispute = z.infer<typeof Dispute>;

const atProvider = { description: "The provider's id.", example: 'po_1PgafuB7WZ01zgkWXYmPNZs8' };

export const bankEndpoints = {
  'GET /v1/payouts': {
    access: 'admin',
    summary: 'List payouts to the bank account, the newest arrival first; the days are days of arrival.',
    query: PaginatedQuery.extend({
      status: PayoutStatus.optional(),
      start_date: LocalDate.optional(),
      end_date: LocalDate.optional(),
    }).refine(startsBeforeEnd, endBeforeStartProblem),
    response: PaginatedAnswer(Payout),
  },
  'GET /v1/payouts/{payout}': {
    access: 'admin',
    summary: 'A payout with everything in it: charges, refunds, disputes and fees, each with its order.',
    idOrName: atProvider,
    response: SingleAnswer(PayoutContent),
  },
  'GET /v1/disputes': {
    access: 'admin',
    summary: 'List disputed payments: those to be answered first, by their deadline, then the newest.',
    query: PaginatedQuery.extend({
      store_id: Id.optional(),
      order_id: Id.optional(),
      /** `open`: not decided yet. `unanswered`: the shop has to answer. */
      state: z.enum(['unanswered', 'open', 'closed']).optional(),
    }),
    response: PaginatedAnswer(Dispute),
  },
} as const;
