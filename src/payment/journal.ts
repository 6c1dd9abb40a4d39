import { z } from 'zod';
import { journalCheckOf } from '#database/journal/journal.ts';
import { Id, Instant, LocalDate } from '#platform/http/shapes.ts';
import { OrderStatus, PaymentStatus } from '#ordering/order.ts';

/** The two journals: the events of the providers, and the movements of money. */
export const JournalName = z.enum(['events', 'movements']);
export type JournalName = z.infer<typeof JournalName>;

export const JournalCheck = journalCheckOf(JournalName);
export type JournalCheck = z.infer<typeof JournalCheck>;

/**
 * How an order's money and its status disagree. `kept`: the provider's money differs from the order's price. `held`:
 * money is held for an order that needs none, or none for one that waits. `unpaid`: it was accepted and is not paid.
 * `journal`: a payment and its movements. `refunds`: the order's refunded sum. `owed`: the provider's work is not done
 * after an hour.
 */
export const DisagreementKind = z.enum(['kept', 'held', 'unpaid', 'journal', 'refunds', 'owed']);
export type DisagreementKind = z.infer<typeof DisagreementKind>;

export const Disagreement = z.object({
  order_id: Id,
  order_number: z.string(),
  store_id: Id,
  trading_day: LocalDate,
  status: OrderStatus,
  payment_status: PaymentStatus,
  kind: DisagreementKind,
  /** Minor units. */
  expected: z.int(),
  found: z.int(),
  /** null: no payment was begun. */
  currency: z.string().nullable(),
});
export type Disagreement = z.infer<typeof Disagreement>;

/** Whether money, orders and journals agree. Lists are empty when all is well. */
export const PaymentChecks = z.object({
  checked_at: Instant,
  journals: z.array(JournalCheck),
  /** Orders that have been compared. */
  orders: z.int(),
  disagreements: z.array(Disagreement),
  messages: z.object({
    /** When the last one came. */
    last_at: Instant.nullable(),
    /** Stored, and not handled yet. */
    waiting: z.int(),
    /** Given up after three days, within the last 30 days. */
    failed: z.int(),
    /** With a wrong signature, within the last 24 hours. */
    refused: z.int(),
  }),
});
export type PaymentChecks = z.infer<typeof PaymentChecks>;
