/**
 * The types of the columns in `schema.ts`. The domains above check input with schemas of their own, and
 * `column-types.test.ts` compares the two.
 */

export type Weekday = 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday';

/** `HH:mm`, local. */
export interface OpeningEntry {
  day: Weekday;
  open: string;
  close: string;
}

/** Local dates, both included. */
export interface Closure {
  from: string;
  to: string;
  reason: string;
}

export interface StoreAddress {
  line1: string;
  line2: string;
  city: string;
  postcode: string;
}

/** Sums in minor units. */
export interface DeliveryZone {
  name: string;
  postcode_prefixes: string[];
  fee: number;
  minimum_order: number;
  free_over: number | null;
  extra_minutes: number;
}

export type FulfilmentType = 'collection' | 'delivery';
export type PaymentMethod = 'cash' | 'card';

export interface DeliveryAddress {
  line1: string;
  line2: string;
  city: string;
  postcode: string;
  instructions: string;
}

export type AllergenCode =
  | 'celery'
  | 'gluten'
  | 'crustaceans'
  | 'eggs'
  | 'fish'
  | 'lupin'
  | 'milk'
  | 'molluscs'
  | 'mustard'
  | 'nuts'
  | 'peanuts'
  | 'sesame'
  | 'soya'
  | 'sulphites';
/** null: not known. */
export type Allergens = { contains: AllergenCode[]; may_contain: AllergenCode[] } | null;
export type AllergenAnswers = {
  contains: AllergenCode[];
  may_contain: AllergenCode[];
  not_in: AllergenCode[];
} | null;
export type Dietary = 'vegetarian' | 'vegan' | 'halal' | 'gluten_free';
/** `HH:mm`, local; null: always. */
export type Availability = { days: Weekday[]; from: string; to: string } | null;

/** A call of the menu's own, as the contract names it. */
export interface MenuChangeCall {
  call: string;
  id?: string | undefined;
  body: Record<string, unknown>;
}

export type OrderStatus =
  | 'pending_payment'
  | 'placed'
  | 'accepted'
  | 'packed'
  | 'out_for_delivery'
  | 'delivered'
  | 'collected'
  | 'rejected'
  | 'cancelled'
  | 'expired';
export type PaymentStatus = 'unpaid' | 'authorised' | 'paid' | 'partially_refunded' | 'refunded' | 'voided' | 'failed';
export type RejectReason =
  | 'too_busy'
  | 'closing_early'
  | 'item_unavailable'
  | 'cannot_deliver'
  | 'bad_address'
  | 'not_answered'
  | 'other';
export type FollowUp = 'rung' | 'left';
export type PaidBy = 'cash' | 'terminal' | 'not_paid';
export type OrderChannel = 'web' | 'app' | 'phone' | 'counter';

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

export interface LineOption {
  option_group_id: string;
  option_id: string;
  group_name: string;
  name: string;
  quantity: number;
  price: number;
}

/** As it was ordered; amounts in minor units, the rate in basis points. */
export interface Line {
  id: string;
  item_id: string;
  name: string;
  kitchen_name: string | null;
  station?: string | null | undefined;
  min_age?: number | null | undefined;
  quantity: number;
  unit_price: number;
  options: LineOption[];
  note: string;
  vat_rate: number;
  vat_parts?: { rate: number; amount: number }[] | undefined;
  allergens: Allergens;
  allergen_conflicts?: { code: AllergenCode; kind: 'contains' | 'may_contain' | 'not_stated' }[] | undefined;
  total: number;
}

export interface Discount {
  code: string;
  name: string;
  amount: number;
}

export interface ChargedFee {
  code: string;
  amount: number;
  vat_rate: number | null;
  name?: string;
}

/** `time` and `earliest`: HH:mm by the shop's clock; amounts in minor units. */
export type ProblemDetails =
  | { kind: 'past' | 'not_accepting' | 'unavailable' | 'fully_booked' | 'last_orders' | 'closed' }
  | { kind: 'paused' | 'slot_full' | 'closed_until'; time: string }
  | { kind: 'too_soon'; time: string; earliest: string }
  | { kind: 'cash_limit'; amount: number; currency: string };

export type HistoryNote =
  | { kind: 'marked_paid' | 'cash_instead' }
  | { kind: 'refund'; amount: number; currency: string; reason: string }
  | { kind: 'refund_failed' | 'refund_by_hand' | 'refund_waits'; amount: number; currency: string }
  | {
      kind: 'inquiry' | 'inquiry_closed' | 'disputed' | 'dispute_won' | 'dispute_lost';
      amount: number;
      currency: string;
    }
  | {
      kind: 'lines_removed';
      lines: { name: string; quantity: number }[];
      amount: number;
      currency: string;
      reason: string;
    }
  | { kind: 'overridden'; problems: ProblemDetails[] };

export interface VatRow {
  rate: number;
  net: number;
  vat: number;
}

export type PrintCopy = 'kitchen' | 'customer';
export type PrintStatus = 'queued' | 'claimed' | 'sent' | 'printed' | 'failed' | 'expired' | 'unknown';
export type { KeyedProviderName, ProviderName } from '#platform/card-providers.ts';
/** The state of a payment attempt on our side. */
export type PaymentState = 'pending' | 'authorised' | 'captured' | 'voided' | 'refunded' | 'failed';
/** The state of a payment attempt at the provider. */
export type ProviderState = 'open' | 'authorised' | 'declined' | 'abandoned' | 'captured' | 'voided' | 'refunded';
export type OwedAct = 'capture' | 'release';
export type PaymentFailure = 'declined' | 'abandoned' | 'wrong_amount' | 'capture_failed';
export type RefundKind = 'asked' | 'order_ended' | 'at_provider' | 'line_removed' | 'late_payment';
export type PauseCause = 'no_board';
/** Test keys move no money. */
export type PaymentMode = 'test' | 'live';
/** The outcome of a provider's message: applied, about nothing of this shop, or given up. */
export type PaymentEventOutcome = 'applied' | 'unknown' | 'failed';
export type MovementKind = 'held' | 'captured' | 'released' | 'refunded' | 'refund_failed' | 'disputed' | 'dispute_won';
export type RefundStatus = 'pending' | 'succeeded' | 'failed';

export interface RefundedLine {
  line_id: string;
  quantity: number;
  amount: number;
}

export type SandboxRefusal = 'capture' | 'refund';

/** Pieces of a line that staff took off the order; `amount` is their price after their share of the discounts. */
export interface RemovedLine {
  line_id: string;
  name: string;
  kitchen_name: string | null;
  station?: string | null | undefined;
  options: { name: string; quantity: number }[];
  quantity: number;
  amount: number;
  reason: string;
  actor: string;
  at: string;
}
