import { owedProviderCalls, paymentFailures, paymentStates } from '#database/column-values.ts';
import { z } from 'zod';
import { bankEndpoints, Dispute } from '#payment/bank-contract.ts';
import { orderSession } from '#ordering/contract.ts';
import { m } from '#messages';
import {
  startsBeforeEnd,
  endBeforeStartProblem,
  Id,
  Instant,
  LocalDate,
  Money,
  SingleAnswer,
  CursorPaginatedQuery,
  PaginatedAnswer,
} from '#platform/http/shapes.ts';
import { Order, OrderStatus, PaidBy, PaymentStatus } from '#ordering/order.ts';
import { DisputeStatus } from '#payment/bank.ts';
import { PaymentChecks } from '#payment/journal.ts';
import { Refund, RefundStatus } from '#payment/refund.ts';
import { wallets } from '#store/wallets.ts';
import { paymentSetupEndpoints } from '#payment/setup-contract.ts';
import { SearchText } from '#platform/contact-fields.ts';
import { PaymentMethod, storePathName } from '#store/contract.ts';

export const PaymentAttempt = z.object({
  id: Id,
  provider: z.string(),
  status: z.enum(paymentStates),
  amount: z.int(),
  /** The captured amount; null: nothing was captured yet. */
  captured: z.int().nullable(),
  currency: z.string(),
  reference: z.string().nullable(),
  failure: z.enum(paymentFailures).nullable(),
  /** The call that the payment still needs at the provider; null: none. */
  owed: z.enum(owedProviderCalls).nullable(),
  /**
   * Whether the payer's bank has taken the payment back, by an open or a lost dispute. The payment's refunds wait while
   * the dispute is open.
   */
  is_disputed: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentAttempt = z.infer<typeof PaymentAttempt>;

/** An order's payments, refunds and disputes, for its staff. Minor units. */
export const OrderPayments = z.object({
  order_id: Id,
  payment_method: PaymentMethod,
  payment_status: PaymentStatus,
  total: z.int(),
  /** The refunded sum. Refunds for removed lines are left out, because the total no longer contains these lines. */
  refunded: z.int(),
  pending: z.int(),
  /**
   * The amount that staff can refund now; 0 if nothing was charged, a release is owed, or the payer's bank took the
   * payment back.
   */
  refundable: z.int(),
  /** The uncharged part of the order's price; not 0 if somebody captured only a part of the payment at the provider. */
  short: z.int(),
  payments: z.array(PaymentAttempt),
  refunds: z.array(Refund),
  disputes: z.array(Dispute),
});
export type OrderPayments = z.infer<typeof OrderPayments>;

export const OrderPayment = z.object({
  order_id: Id,
  order_number: z.string(),
  store_id: Id,
  trading_day: LocalDate,
  created_at: Instant,
  /** When the order was placed; null while its payment in advance has not succeeded. */
  placed_at: Instant.nullable(),
  customer_name: z.string(),
  status: OrderStatus,
  payment_method: PaymentMethod,
  /** The payment method used at the handover; null: the order's `payment_method`. */
  paid_by: PaidBy.nullable(),
  payment_status: PaymentStatus,
  total: z.int(),
  refunded: z.int(),
  /** The sum of refunds in progress. */
  pending: z.int(),
  provider: z.string().nullable(),
  reference: z.string().nullable(),
  /** The status of the order's newest dispute; null: it was never disputed. */
  dispute_status: DisputeStatus.nullable(),
  /** Whether no money moves, because the order or its card payment is a test. */
  is_test: z.boolean(),
});
export type OrderPayment = z.infer<typeof OrderPayment>;

const DayFilter = CursorPaginatedQuery.extend({
  store_id: Id.optional(),
  /** The first trading day, included. */
  start_date: LocalDate.optional(),
  /** The last trading day, included. */
  end_date: LocalDate.optional(),
});

const RefundOrder = z
  .object({
    /**
     * The idempotency key of a refund. The client makes a new key for each refund, so that a retried call makes no
     * second refund.
     */
    key: z.uuid(),
    amount: Money.min(1).optional(),
    lines: z
      .array(z.object({ line_id: Id, quantity: z.int().min(1).max(1000) }))
      .min(1)
      .max(200)
      .optional(),
    reason: z.string().trim().min(1).max(300),
  })
  .refine(({ amount, lines }) => (amount === undefined) !== (lines === undefined), {
    path: ['amount'],
    error: () => m.payment_refund_one_way(),
  });

export const paymentEndpoints = {
  ...paymentSetupEndpoints,
  ...bankEndpoints,
  'GET /v1/stores/{id}/wallets': {
    idOrName: storePathName,
    access: 'guest',
    summary: 'The wallets, such as Apple Pay, on the page where customers pay by card.',
    response: z.object({ data: z.array(z.enum(wallets)) }),
  },
  'POST /v1/orders/{id}/payment/reconcile': {
    access: 'guest',
    secret: orderSession,
    summary: "On return from paying: ask the provider how it went. For the session's holder, the customer and staff.",
    response: SingleAnswer(Order),
    ownTransaction: true,
    errors: ['forbidden', 'payment_unavailable'],
  },
  'POST /v1/orders/{id}/pay': {
    access: 'guest',
    secret: orderSession,
    summary:
      'Try again to pay a pending order, or an accepted or packed one whose card was refused: by card, or in cash at handover.',
    body: z.object({ payment_method: PaymentMethod }),
    response: SingleAnswer(Order),
    // One call to this endpoint may cause several calls to the provider, so its rate is low.
    rate: { burst: 30, perSecond: 0.5 },
    ownTransaction: true,
    errors: ['forbidden', 'illegal_transition', 'idempotency_conflict', 'payment_unavailable'],
  },
  'GET /v1/orders/{id}/payments': {
    access: 'store_admin',
    summary: "An order's payments and refunds, oldest first.",
    response: SingleAnswer(OrderPayments),
  },
  'POST /v1/orders/{id}/refunds': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Give back an amount, or some of the lines, of an order that was paid. The same key twice is one refund.',
    body: RefundOrder,
    response: SingleAnswer(Refund),
    status: 201,
    also: { status: 200, when: 'The key had made this refund already.' },
    errors: ['conflict'],
  },
  'POST /v1/orders/{id}/payment/mark-paid': {
    access: 'store_admin',
    summary:
      'Note that an order whose card payment failed, or that was handed over unpaid, was paid in cash or at the card machine.',
    body: z.object({ payment_method: PaymentMethod }),
    response: SingleAnswer(OrderPayments),
    errors: ['conflict'],
  },
  'GET /v1/payments': {
    readsPast: true,
    access: 'admin',
    summary:
      "List orders by how they are paid, newest first; `search` is a number, a name or the provider's reference.",
    query: DayFilter.extend({
      payment_status: PaymentStatus.optional(),
      search: SearchText.optional(),
    }).refine(startsBeforeEnd, endBeforeStartProblem),
    response: PaginatedAnswer(OrderPayment),
  },
  'GET /v1/refunds': {
    readsPast: true,
    access: 'admin',
    summary: 'List refunds, newest first.',
    query: DayFilter.extend({ status: RefundStatus.optional() }).refine(startsBeforeEnd, endBeforeStartProblem),
    response: PaginatedAnswer(Refund),
  },
  'GET /v1/payments/checks': {
    access: 'admin',
    summary:
      'Compare the status of every card order with its money, and verify the journals of messages and movements.',
    query: z.object({ store_id: Id.optional() }),
    response: SingleAnswer(PaymentChecks),
  },
  'POST /v1/refunds/{id}/retry': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Have what is due of a failed refund made once more by the provider, or note that it was given back by hand. A part is a refund of its own, which is returned.',
    body: z.object({ by: z.enum(['provider', 'hand']) }),
    response: SingleAnswer(Refund),
    errors: ['conflict'],
  },
  'POST /v1/payments/webhooks/{provider}': {
    access: 'guest',
    summary: "A payment provider's own message, signed by it.",
    body: z.unknown(),
    signed: true,
    bodyLimit: 512 * 1024,
    response: z.object({ received: z.boolean() }),
    ownTransaction: true,
    idOrName: { description: 'Its name.', example: 'sandbox' },
    errors: ['invalid_signature'],
  },
} as const;
