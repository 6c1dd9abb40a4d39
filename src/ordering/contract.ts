import { z } from 'zod';
import type { SecretHeader } from '#platform/http/endpoint.ts';
import { FailedMail } from '#mail/contract.ts';
import {
  startsBeforeEnd,
  endBeforeStartProblem,
  Id,
  Include,
  Instant,
  LocalDate,
  CursorPaginatedQuery,
  ListAnswer,
  Money,
  SingleAnswer,
  PaginatedAnswer,
} from '#platform/http/shapes.ts';
import { Store } from '#store/contract.ts';
import { PlaceOrderBody, BasketQuote, BasketToQuote } from '#ordering/basket.ts';
import { PushSubscription } from '#push/contract.ts';
import { openStatuses } from '#ordering/order-status.ts';
import { DAY } from '#platform/zone-clock.ts';
import { FollowUp, GuestOrder, Order, OrderStatus, PaidBy, Rating, RejectReason } from '#ordering/order.ts';
import { SearchText } from '#platform/contact-fields.ts';
import { knownDeviceHeader, Password, SignInAnswer } from '#accounts/contract.ts';

/** The relations that a response can include with an order. Its history and its prints are always included. */
export const orderRelations = ['store'] as const;
export const ShownOrder = Order.extend({ store: Store.optional() });
export const ShownGuestOrder = GuestOrder.extend({ store: Store.optional() });

const OrderFilter = CursorPaginatedQuery.extend({
  store_id: Id.optional(),
  /** The account whose orders are listed; a customer may name only their own account. */
  customer_id: Id.optional(),
  start_date: LocalDate.optional(),
  end_date: LocalDate.optional(),
  /**
   * Statuses, separated by commas, e.g. the open statuses for a board. This filter and the following filters are
   * additions to the original specification.
   */
  status: z
    .string()
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(OrderStatus))
    .optional(),
  /** `1`: only lost orders without a follow-up. */
  lost: z.enum(['0', '1']).default('0'),
  /** `1`: only orders that were handed over and not paid. */
  not_paid: z.enum(['0', '1']).default('0'),
  /** The search text: an order's number, part of a name, or at least four digits of a phone number. */
  search: SearchText.optional(),
  include: Include(orderRelations),
}).refine(startsBeforeEnd, endBeforeStartProblem);

/**
 * Whether a query asks only for orders that boards show. These are open orders, lost orders, unpaid orders after the
 * handover, and all orders of the last two days.
 */
function isOfPresent(
  { search, status, lost, not_paid: notPaid, start_date: from }: z.infer<typeof OrderFilter>,
  now: Date,
) {
  if (search) return false;
  if (lost === '1' || notPaid === '1') return true;
  if (status && status.length > 0 && status.every((each) => openStatuses.includes(each))) return true;
  return from !== undefined && from >= new Date(now.getTime() - 2 * DAY).toISOString().slice(0, 10);
}

/**
 * The response with an order: the whole order for its customer, the holder of its session and its store's staff. All
 * others get the guest's view.
 */
const OrderOrGuestOrder = z.union([ShownOrder, ShownGuestOrder]);
/**
 * The body of a handover. Without `paid_by`, an order that is paid at the till counts as paid by the method chosen at
 * the checkout.
 */
const HandedOver = z.object({ paid_by: PaidBy.optional() });
const Minutes = z.int().min(1).max(480);
const Reason = z.string().trim().max(300);

const RemoveLines = z.object({
  lines: z
    .array(
      z.object({
        line_id: Id,
        quantity: z.int().min(1).max(1000),
        /** The quantity that the caller saw. If the line's quantity has changed since, the removal fails with 409. */
        was: z.int().min(1).optional(),
      }),
    )
    .min(1)
    .max(200),
  ends_offers: z
    .boolean()
    .optional()
    .describe('Whether the rest loses its discount, because it no longer earns it; it never costs more than before.'),
  /**
   * The reason, which the customer sees: `sold_out` and `customer_asked` are translated, any other text is shown as
   * typed.
   */
  reason: Reason.min(1),
});

const LinesDone = z.object({
  /** The ids of the lines; removed lines are ignored. */
  lines: z.array(Id).min(1).max(200),
  /** `false` clears the ticks. */
  done: z.boolean(),
});

/** A rating in the owner's list. The customer's name is left out, because the rated order has it. */
const OrderRating = Rating.extend({ order_id: Id, store_id: Id, number: z.string() });
export type OrderRating = z.infer<typeof OrderRating>;

/** The header with one order's secret, which allows calls about that order only. */
export const orderSession: SecretHeader = {
  scheme: 'orderSession',
  header: 'X-Order-Session',
  description: "One order's own secret.",
};

const ofStaff = {
  access: 'store_admin',
  response: SingleAnswer(Order),
  errors: ['illegal_transition', 'idempotency_conflict'],
} as const;

export const orderEndpoints = {
  'POST /v1/orders/quote': {
    access: 'guest',
    summary: 'Price a basket and say what stands in its way.',
    body: BasketToQuote,
    response: SingleAnswer(BasketQuote),
    // The rate is high, because many customers on one Wi-Fi price their baskets while they choose.
    rate: { burst: 300, perSecond: 10 },
    isRead: true,
    ownTransaction: true,
    errors: ['forbidden'],
  },
  'POST /v1/orders': {
    access: 'guest',
    summary: 'Place an order. The same session twice answers the one order with 200.',
    body: PlaceOrderBody,
    response: SingleAnswer(Order),
    status: 201,
    ownTransaction: true,
    errors: [
      'forbidden',
      'order_refused',
      'price_changed',
      'session_reused',
      'illegal_transition',
      'payment_unavailable',
      'too_many_orders',
    ],
    also: { status: 200, when: 'The session had placed this order already.' },
  },
  'GET /v1/orders': {
    readsPast: (query: z.infer<typeof OrderFilter>, now: Date) => !isOfPresent(query, now),
    access: 'customer',
    devices: true,
    summary: 'List orders: own, own stores, or all.',
    query: OrderFilter,
    response: PaginatedAnswer(ShownOrder),
  },
  'GET /v1/orders/session/{sessionId}': {
    access: 'guest',
    secret: orderSession,
    summary: 'The one order of a session. `own`: of the one in X-Order-Session, which then stands in no log.',
    idOrName: { description: 'The session, or `own`.', example: 'own' },
    query: z.object({ include: Include(orderRelations) }),
    response: SingleAnswer(ShownOrder),
  },
  'GET /v1/orders/{id}': {
    access: 'guest',
    secret: orderSession,
    summary: 'Read an order; whole with its X-Order-Session, for its owner and for staff.',
    query: z.object({ include: Include(orderRelations) }),
    response: SingleAnswer(OrderOrGuestOrder),
  },
  'GET /v1/orders/{id}/failed-mails': {
    access: 'store_admin',
    summary: 'The mails about an order that its customer did not get, or not yet, oldest first.',
    response: SingleAnswer(z.array(FailedMail)),
  },
  'POST /v1/orders/{id}/accept': {
    access: 'store_admin',
    summary: 'Take the order and promise it in so many minutes.',
    body: z.object({ minutes: Minutes.optional() }),
    response: SingleAnswer(Order),
    errors: ['illegal_transition', 'idempotency_conflict', 'hold_ended'],
  },
  'POST /v1/orders/{id}/reject': {
    ...ofStaff,
    summary: 'Refuse the order and release its payment.',
    body: z.object({ reason: RejectReason }),
  },
  'POST /v1/orders/{id}/packed': { ...ofStaff, summary: 'Cooked and packed.' },
  'POST /v1/orders/{id}/collected-by-driver': { ...ofStaff, summary: 'Out for delivery.' },
  'POST /v1/orders/{id}/collected-by-customer': {
    ...ofStaff,
    summary: 'Handed to the customer. `paid_by` says how staff were paid, if it was still to be paid.',
    body: HandedOver,
  },
  'POST /v1/orders/{id}/delivered-to-customer': {
    ...ofStaff,
    summary: 'Delivered. `paid_by` says how staff were paid, if it was still to be paid.',
    body: HandedOver,
  },
  'POST /v1/orders/{id}/promise': {
    ...ofStaff,
    summary: 'Promise another time, so many minutes from now.',
    body: z.object({ minutes: Minutes }),
  },
  'POST /v1/orders/{id}/lines/remove': {
    access: 'store_admin',
    summary:
      'Take dishes off an order that is placed, accepted or packed. It then costs less: the difference is not charged, or goes back. Fees and tip stay; taking off the last dish cancels it.',
    body: RemoveLines,
    response: SingleAnswer(Order),
    errors: ['conflict', 'illegal_transition', 'idempotency_conflict'],
  },
  'POST /v1/orders/{id}/lines/done': {
    ...ofStaff,
    summary: 'Tick lines as cooked, or clear their ticks. All boards show them; no other call needs them.',
    body: LinesDone,
  },
  'POST /v1/orders/{id}/undo': { ...ofStaff, summary: 'Take the last step back, within two minutes.' },
  'POST /v1/orders/{id}/followed-up': {
    access: 'store_admin',
    summary:
      'An order that nobody answered in time: its customer was rung, or it was left at that. Takes it off the boards.',
    body: z.object({ how: FollowUp }),
    response: SingleAnswer(Order),
    errors: ['illegal_transition'],
  },
  'POST /v1/orders/{id}/cancel': {
    access: 'guest',
    secret: orderSession,
    summary:
      "Cancel: by the session's holder or the customer until it is accepted, by staff with a reason. `customer_asked`, `item_unavailable`, `cannot_deliver`, `too_late` and `payment` are shown in the reader's language, any other text as it is.",
    body: z.object({ reason: Reason.optional() }),
    response: SingleAnswer(Order),
    errors: ['forbidden', 'illegal_transition', 'idempotency_conflict'],
  },
  'POST /v1/orders/{id}/arrived': {
    access: 'guest',
    secret: orderSession,
    summary: "The order's customer is at the shop to collect it: the board rings. A second call changes nothing.",
    response: SingleAnswer(Order),
    errors: ['forbidden', 'illegal_transition', 'idempotency_conflict'],
  },
  'POST /v1/orders/{id}/rating': {
    access: 'guest',
    secret: orderSession,
    summary:
      "The order's customer rates it for the owner alone, within 30 days of the handover. A second call changes nothing.",
    body: z.object({
      stars: Rating.shape.stars.describe('5 is the best.'),
      text: z.string().trim().max(1000).default(''),
    }),
    response: SingleAnswer(Order),
    errors: ['forbidden', 'conflict', 'illegal_transition', 'idempotency_conflict'],
  },
  'GET /v1/ratings': {
    access: 'admin',
    summary: "List the ratings of orders, newest first, with the average of the last 90 days' ratings.",
    query: CursorPaginatedQuery.extend({
      store_id: Id.optional(),
      stars: z.coerce.number().int().min(1).max(5).optional(),
    }),
    response: PaginatedAnswer(OrderRating).extend({
      summary: z.object({
        /** The average stars with two decimals; null without a rating. */
        average: z.number().nullable(),
        count: z.int(),
      }),
    }),
  },
  'POST /v1/orders/{id}/forget': {
    access: 'admin',
    summary:
      "Remove a guest's details from an order that has ended, for good. What was sold stays. Those of an account are removed with it.",
    response: SingleAnswer(Order),
    errors: ['conflict'],
  },
  'POST /v1/orders/{id}/push': {
    access: 'guest',
    devices: false,
    secret: orderSession,
    summary:
      'Notify this device of the order: for whoever may read it whole. `own_orders`: of all orders of the account.',
    body: z.object({ subscription: PushSubscription, own_orders: z.boolean().optional() }),
    response: null,
    errors: ['forbidden', 'conflict'],
  },
  'POST /v1/orders/{id}/push/stop': {
    access: 'guest',
    devices: false,
    secret: orderSession,
    summary: 'Notify the device with this endpoint of the own orders no more.',
    body: z.object({ endpoint: PushSubscription.shape.endpoint }),
    response: null,
    errors: ['forbidden'],
  },
} as const;

const Sessions = z.array(z.uuid()).max(30);
const Token = z.string().min(1).max(200);

const OrderHead = z.object({
  id: Id,
  number: z.string(),
  placed_at: Instant.nullable(),
  total: Money,
  currency: z.string(),
});

export const AccountLink = z.object({
  email: z.string(),
  /**
   * Whether the address has a confirmed account, whose password the link does not change. Otherwise the link sets a
   * password.
   */
  has_account: z.boolean(),
  orders: z.array(OrderHead),
});
export type AccountLink = z.infer<typeof AccountLink>;

export const accountLinkEndpoints = {
  'POST /v1/auth/user/orders': {
    access: 'customer',
    summary:
      'Put orders that I placed as a guest into my account, by their sessions. Answers those that are in it now.',
    body: z.object({ sessions: Sessions.min(1) }),
    response: ListAnswer(OrderHead),
  },
  'POST /v1/orders/{id}/account-link': {
    access: 'guest',
    secret: orderSession,
    summary:
      "Mail a link to the order's address that puts it, and others of the same browser, into an account. The answer is the same whether there is one.",
    body: z.object({ sessions: Sessions.default([]) }),
    response: z.object({ message: z.string() }),
    ownTransaction: true,
    errors: ['forbidden', 'conflict'],
  },
  'POST /v1/account-links/read': {
    access: 'guest',
    summary: 'What the link of such a mail will do, within a day.',
    body: z.object({ token: Token }),
    response: SingleAnswer(AccountLink),
    ownTransaction: true,
  },
  'POST /v1/account-links/use': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: 'Do it, once. Without a confirmed account it needs a password, makes the account and signs in.',
    body: z.object({ token: Token, password: Password.optional() }),
    response: SingleAnswer(z.object({ orders: z.array(OrderHead), signed_in: SignInAnswer.nullable() })),
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;
