import {
  disputeStages,
  followUps,
  orderChannels,
  orderStatuses,
  pausedWays,
  paymentHistoryKinds,
  paymentStatuses,
  refundHistoryKinds,
  timeRefusalKinds,
  temporaryRefusalKinds,
  rejectReasons,
  soldOutWishes,
  handoverPaymentMethods,
} from '#database/column-values.ts';
import { z } from 'zod';
import { EmailOrNone, Name, Phone } from '#platform/contact-fields.ts';
import { Print } from '#ordering/print.ts';
import { DeliveryAddress } from '#store/delivery-address.ts';
import { Id, Instant, Money } from '#platform/http/shapes.ts';
import { AllergenCode, AllergenConflict, Allergens } from '#menu/menu-shapes.ts';
import { FulfilmentType, PaymentMethod } from '#store/contract.ts';

/**
 * An amount in minor units. It has no maximum, because a quote may exceed the largest price or order that the API
 * accepts.
 */
export const UncappedMoney = z.int().min(0);

const clock = z.string();

/** The data of a problem that staff may override, from which its text is made in the reader's language. */
export const ProblemDetails = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(timeRefusalKinds) }),
  z.object({ kind: z.enum(temporaryRefusalKinds), time: clock, way: z.enum(pausedWays).optional() }),
  z.object({ kind: z.literal('too_soon'), time: clock, earliest: clock }),
  z.object({ kind: z.literal('cash_limit'), amount: UncappedMoney, currency: z.string() }),
]);
export type ProblemDetails = z.infer<typeof ProblemDetails>;

const money = { amount: UncappedMoney, currency: z.string() };

/**
 * The system's notes in an order's history. Amounts are in minor units. `reason` is a person's text or a RemovalReason.
 * The reason of a step without a note is in the HistoryEntry.
 */
export const HistoryNote = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(paymentHistoryKinds) }),
  z.object({ kind: z.literal('arrived') }),
  z.object({ kind: z.literal('refund'), ...money, reason: z.string() }),
  z.object({ kind: z.enum(refundHistoryKinds), ...money }),
  z.object({ kind: z.enum(disputeStages), ...money }),
  z.object({
    kind: z.literal('lines_removed'),
    lines: z.array(z.object({ name: z.string(), quantity: z.int() })),
    ...money,
    reason: z.string(),
  }),
  z.object({ kind: z.literal('overridden'), problems: z.array(ProblemDetails) }),
]);
export type HistoryNote = z.infer<typeof HistoryNote>;

export const OrderStatus = z.enum(orderStatuses);
export type OrderStatus = z.infer<typeof OrderStatus>;

export const PaymentStatus = z.enum(paymentStatuses);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

export const PaidBy = z.enum(handoverPaymentMethods);
export type PaidBy = z.infer<typeof PaidBy>;

export const RejectReason = z.enum(rejectReasons);
export type RejectReason = z.infer<typeof RejectReason>;

export const SoldOutWish = z.enum(soldOutWishes);
export type SoldOutWish = z.infer<typeof SoldOutWish>;
export const FollowUp = z.enum(followUps);
export type FollowUp = z.infer<typeof FollowUp>;

export const OrderChannel = z.enum(orderChannels);
export type OrderChannel = z.infer<typeof OrderChannel>;

export const Contact = z.object({
  name: Name,
  phone: Phone,
  email: EmailOrNone.default(''),
});
export type Contact = z.infer<typeof Contact>;

export const LineOption = z.object({
  option_group_id: Id,
  option_id: Id,
  group_name: z.string(),
  name: z.string(),
  quantity: z.int(),
  /** The price of one selection, in minor units, before free selections are deducted. */
  price: Money,
  /**
   * The dish's id, if the choice is a deal's dish. This field, `kitchen_name` and `station` are missing for other
   * choices.
   */
  item_id: Id.optional(),
  kitchen_name: z.string().nullable().optional(),
  station: z.string().nullable().optional(),
});
export type LineOption = z.infer<typeof LineOption>;

/** A line of an order, with the dish's data as of the order; later changes of the menu do not affect it. */
export const Line = z.object({
  id: Id,
  item_id: Id,
  name: z.string(),
  kitchen_name: z.string().nullable(),
  /** The station that makes the dish. Missing in orders that predate this field. */
  station: z.string().nullable().optional(),
  /** The buyer's minimum age. Missing in orders that predate this field. */
  min_age: z.int().nullable().optional(),
  quantity: z.int(),
  /** The price of one item with its options, after free selections. */
  unit_price: UncappedMoney,
  options: z.array(LineOption),
  note: z.string(),
  vat_rate: z.int(),
  /** The parts of `unit_price` at each VAT rate; missing unless an option's rate differs from the item's. */
  vat_parts: z.array(z.object({ rate: z.int(), amount: UncappedMoney })).optional(),
  /**
   * The line's share of the discounts; `total` is the price before it. Missing in orders without discounts, and in
   * orders that predate this field.
   */
  discount: UncappedMoney.optional(),
  allergens: Allergens,
  /** The conflicts of the line's allergens with the order's `allergies`. Missing in orders that predate this field. */
  allergen_conflicts: z.array(AllergenConflict).optional(),
  total: UncappedMoney,
  /** When staff ticked the line as cooked; null or missing: not ticked. */
  done_at: Instant.nullable().optional(),
  /** The portions of counted dishes that one piece of the line takes; missing if the line has no counted dish. */
  portions: z.array(z.object({ item_id: Id, quantity: z.int() })).optional(),
});
export type Line = z.infer<typeof Line>;

export const RemovedLine = z.object({
  line_id: Id,
  name: z.string(),
  kitchen_name: z.string().nullable(),
  /** The station that makes the dish. Missing if an older release removed the line. */
  station: z.string().nullable().optional(),
  options: z.array(LineOption.pick({ name: true, quantity: true, item_id: true, kitchen_name: true, station: true })),
  quantity: z.int().min(1),
  /** The price of the removed pieces after their share of the discounts, in minor units. */
  amount: UncappedMoney,
  /** The reason for the removal: a person's text, or a RemovalReason. Empty once the customer's details were erased. */
  reason: z.string(),
  actor: z.string(),
  at: Instant,
});
export type RemovedLine = z.infer<typeof RemovedLine>;

/** The codes of reasons for removals and cancellations. Any other stored reason is a person's text. */
export const RemovalReason = z.enum(['sold_out', 'customer_asked']);
export type RemovalReason = z.infer<typeof RemovalReason>;
export const CancelReason = z.enum(['customer_asked', 'item_unavailable', 'cannot_deliver', 'too_late', 'payment']);
export type CancelReason = z.infer<typeof CancelReason>;

/**
 * The state of the refund for removed lines. `waits`: a dispute blocks the refund. `by_bank`: the payer's bank takes
 * back the whole charge. `not_made`: the refund failed, so the shop pays the money back another way.
 */
export const RemovedLinesRefundState = z.enum(['on_its_way', 'made', 'waits', 'by_bank', 'not_made', 'by_hand']);
export type RemovedLinesRefundState = z.infer<typeof RemovedLinesRefundState>;
export const RemovedLinesRefund = z.object({ state: RemovedLinesRefundState, amount: UncappedMoney });
export type RemovedLinesRefund = z.infer<typeof RemovedLinesRefund>;

/** The state of a called-off order's refund. `after_dispute`: the refund is made once the dispute is decided. */
export const OrderRefundState = z.enum([...RemovedLinesRefundState.options, 'after_dispute']);
export type OrderRefundState = z.infer<typeof OrderRefundState>;
export const OrderRefundSum = z.object({ state: OrderRefundState, amount: UncappedMoney });
export type OrderRefundSum = z.infer<typeof OrderRefundSum>;

export const Discount = z.object({
  /** The code as the customer typed it; null for an automatic offer. */
  code: z.string().nullable(),
  name: z.string(),
  amount: UncappedMoney,
  offer_id: Id.optional(),
  /** The fee that the discount reduces; missing if the discount reduces the lines. */
  of_fee: z.literal('delivery').optional(),
});
export type Discount = z.infer<typeof Discount>;
/** `vat_rate` is null for the delivery fee, whose VAT is split over the rates of the lines. */
export const Fee = z.object({ code: z.string(), name: z.string(), amount: Money, vat_rate: z.int().nullable() });
export type Fee = z.infer<typeof Fee>;
/** `net` and `vat` add up to the gross amount at `rate`, which is in basis points. */
export const VatRow = z.object({ rate: z.int(), net: UncappedMoney, vat: UncappedMoney });
export type VatRow = z.infer<typeof VatRow>;

export const HistoryEntry = z.object({
  from: OrderStatus.nullable(),
  to: OrderStatus,
  actor: z.string(),
  /** The reason of the step: a person's text, a rejection's reason, or a note's text in the caller's language. */
  reason: z.string().nullable(),
  note: HistoryNote.optional(),
  /** The time that this step promised; missing if the step made no promise. */
  promised_at: Instant.optional(),
  at: Instant,
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const priceFields = {
  subtotal: UncappedMoney,
  discounts: z.array(Discount),
  fees: z.array(Fee),
  tip: Money,
  total: UncappedMoney,
  vat: z.array(VatRow),
};

/** The guest's view of an order, for anyone who knows its id. */
export const GuestOrder = z.object({
  id: Id,
  number: z.string(),
  version: z.int(),
  store_id: Id,
  status: OrderStatus,
  payment_status: PaymentStatus,
  payment_method: PaymentMethod,
  paid_by: PaidBy.nullable(),
  fulfilment_type: FulfilmentType,
  requested_for: Instant.nullable(),
  promised_at: Instant.nullable(),
  /**
   * The longest preparation time of the dishes when the order was placed, in minutes; 0 if no dish has a preparation
   * time of its own. The kitchen takes at least the shop's preparation minutes.
   */
  prep_minutes: z.int(),
  lines: z.array(Line.omit({ note: true, allergen_conflicts: true, done_at: true })),
  ...priceFields,
  /**
   * Lines that staff removed, oldest first. They are no longer in `lines`, and the amounts and VAT do not include them.
   */
  removed: z.array(RemovedLine.omit({ reason: true, actor: true })),
  /** The minor units to refund for removed lines that were charged; `removed_refunds` divides them by state. */
  removed_refunded: UncappedMoney,
  removed_refunds: z.array(RemovedLinesRefund),
  /**
   * The refunds of a called-off order's card charge, summed by state; empty if nothing was charged. Any other order has
   * only its failed refunds here.
   */
  money_back: z.array(OrderRefundSum),
  /**
   * Whether the payer has finished on the payment page and their bank has not decided yet. This is possible for
   * called-off orders too.
   */
  payment_processing: z.boolean(),
  /** The minor units refunded so far, except refunds for removed lines. */
  refunded: UncappedMoney,
  reject_reason: RejectReason.nullable(),
  created_at: Instant,
  placed_at: Instant.nullable(),
  accepted_at: Instant.nullable(),
  packed_at: Instant.nullable(),
  left_at: Instant.nullable(),
  completed_at: Instant.nullable(),
  closed_at: Instant.nullable(),
});
export type GuestOrder = z.infer<typeof GuestOrder>;

/** A customer's stars and text. Only this customer and the shop's owner may read them. */
export const Rating = z.object({
  stars: z.int().min(1).max(5),
  /** The customer's text; empty if there is none, or once the customer's details were erased. */
  text: z.string(),
  at: Instant,
});
export type Rating = z.infer<typeof Rating>;

/** The whole order, for its customer, the holder of its session and the store's staff. */
export const Order = GuestOrder.extend({
  channel: OrderChannel,
  placed_by: Id.nullable(),
  session: z.uuid().optional(),
  /**
   * The customer whose account has the order; null if no account has it, and for a reader who only has the order's
   * session.
   */
  customer: z.object({ id: Id, name: z.string(), email: z.string(), phone: z.string() }).nullable(),
  has_account: z.boolean(),
  /** The customer's contact. All three texts are empty once the customer's details were erased. */
  contact: z.object({ name: z.string(), phone: z.string(), email: z.string() }),
  address: DeliveryAddress.nullable(),
  note: z.string(),
  allergy_note: z.string(),
  allergies: z.array(AllergenCode),
  if_sold_out: SoldOutWish,
  cutlery: z.boolean(),
  lines: z.array(Line),
  removed: z.array(RemovedLine),
  /** How staff followed up a lost order; null until they record it, and for orders that were not lost. */
  followed_up: FollowUp.nullable(),
  arrived_at: Instant.nullable(),
  /** The customer's rating; null if there is none, or if the reader is neither the customer nor the owner. */
  rating: Rating.nullable(),
  answer_by: Instant.nullable(),
  /** The deadline for the customer's payment. */
  expires_at: Instant.nullable(),
  payment: z.object({
    method: PaymentMethod,
    status: PaymentStatus,
    redirect_url: z.string().nullable(),
    /**
     * When the bank's hold ends; null while no money is held, or if the end is not known. A minute before it, the order
     * can no longer be accepted.
     */
    held_until: Instant.nullable(),
    /**
     * Whether no money moves: the order is a test, or its card payment used a test key or the sandbox. In the demo no
     * payment counts as a test.
     */
    is_test: z.boolean(),
  }),
  history: z.array(HistoryEntry),
  prints: z.array(Print),
  /**
   * The calls that the reader can make now, e.g. `["accept","reject"]`. Once the hold is over, `accept` is left out.
   */
  actions: z.array(z.string()),
});
export type Order = z.infer<typeof Order>;
