import { z } from 'zod';
import { journalCheckSchema } from '#database/journal/journal.ts';
import { Id, Instant, LocalDate } from '#platform/http/shapes.ts';
import { OrderStatus, PaymentStatus } from '#ordering/order.ts';

/** The two journals: the events of the providers, and the movements of money. */
export const JournalName = z.enum(['events', 'movements']);
export type JournalName = z.infer<typeof JournalName>;

export const JournalCheck = journalCheckSchema(JournalName);
export type JournalCheck = z.infer<typeof JournalCheck>;

/**
 * The disagreements between an order's money and its status. `kept`: the captured sum less refunds is not the order's
 * price. `held`: the held sum is not the sum that the order needs. `unpaid`: the order was accepted and is not paid.
 * `journal`: a payment's captured sum is not that of its movements. `refunds`: the order's refunded sum is not that of
 * its refunds. `owed`: a call or refund at the provider has not succeeded within an hour.
 */
export const MoneyDisagreementKind = z.enum(['kept', 'held', 'unpaid', 'journal', 'refunds', 'owed']);
export type MoneyDisagreementKind = z.infer<typeof MoneyDisagreementKind>;

export const MoneyDisagreement = z.object({
  order_id: Id,
  order_number: z.string(),
  store_id: Id,
  trading_day: LocalDate,
  status: OrderStatus,
  payment_status: PaymentStatus,
  kind: MoneyDisagreementKind,
  /** Minor units. */
  expected: z.int(),
  found: z.int(),
  /** The currency of the order's payment; null: no payment was begun. */
  currency: z.string().nullable(),
});
export type MoneyDisagreement = z.infer<typeof MoneyDisagreement>;

/** The result of comparing orders, money and journals. `disagreements` is empty if all orders agree. */
export const PaymentChecks = z.object({
  checked_at: Instant,
  journals: z.array(JournalCheck),
  orders: z.int(),
  disagreements: z.array(MoneyDisagreement),
  messages: z.object({
    /** The time of the last webhook; null: none arrived yet. */
    last_at: Instant.nullable(),
    /** The number of webhooks that are stored and not handled yet. */
    waiting: z.int(),
    /** The number of webhooks in the last 30 days that were given up after three days of retries. */
    failed: z.int(),
    /** The number of webhooks in the last 24 hours that were refused for a wrong signature. */
    refused: z.int(),
  }),
});
export type PaymentChecks = z.infer<typeof PaymentChecks>;
