import type { AllergenCode, ConflictKind, Weekday } from '#database/page-values.ts';
import type {
  DisputeStage,
  FulfilmentType,
  OfferKind,
  OrderChannel,
  PausedWay,
  PaymentHistoryKind,
  RefundHistoryKind,
  TimeRefusalKind,
  TemporaryRefusalKind,
  KeyTrialState,
} from '#database/column-values.ts';

/**
 * The types of the JSON columns in `schema.ts`. The domains check input with their own schemas, which
 * `column-types.test.ts` compares with these types.
 */

/** A weekly opening that begins on `day`; `open` and `close` are local times, `HH:mm`. */
export interface OpeningEntry {
  day: Weekday;
  open: string;
  close: string;
}

/** A closure; `from` and `to` are local dates, both included. */
export interface Closure {
  from: string;
  to: string;
  reason: string;
}

/**
 * The openings that begin on a local date, in place of the week's openings. If `hours` is empty, the store is closed.
 */
export interface SpecialDay {
  date: string;
  repeats_yearly: boolean;
  hours: { open: string; close: string }[];
  reason: string;
  /** Only for a day that was closed early: the special day that applied before; null: the week's openings applied. */
  instead_of?: { hours: { open: string; close: string }[]; reason: string } | null | undefined;
}

/** A pause of collection or delivery; `until` is an instant in ISO 8601. */
export interface WayPause {
  fulfilment_type: FulfilmentType;
  until: string;
  reason: string;
}

/**
 * An offer of a store. A field is null if it does not limit the offer, or does not exist for the offer's kind. Amounts
 * are in minor units, instants in ISO 8601.
 */
export interface Offer {
  id: string;
  name: string;
  kind: OfferKind;
  /**
   * By the offer's kind: basis points (`percent`), an amount off (`amount`), or a price (`item_price`, `set_price`).
   */
  value: number | null;
  take: number | null;
  pay: number | null;
  parts: { item_ids: string[]; quantity: number }[] | null;
  max_pieces: number | null;
  minimum_subtotal: number | null;
  fulfilment_types: FulfilmentType[] | null;
  channels: OrderChannel[] | null;
  days: Weekday[] | null;
  from_time: string | null;
  until_time: string | null;
  starts_at: string | null;
  ends_at: string | null;
  item_ids: string[] | null;
  category_ids: string[] | null;
  excluded_item_ids: string[] | null;
  /** Whether customers must enter a code: the offer's own `code`, or one of its single-use codes. */
  by_code: boolean;
  code: string | null;
  first_order_only: boolean;
  customer_ids: string[] | null;
  max_uses: number | null;
  max_uses_per_person: number | null;
  max_uses_per_day: number | null;
  /** The sum of discounts, in minor units, after which the offer ends. */
  budget: number | null;
  combines: boolean;
  is_active: boolean;
}

export interface StoreAddress {
  line1: string;
  line2: string;
  city: string;
  postcode: string;
}

/** A delivery zone; amounts are in minor units. */
export interface DeliveryZone {
  name: string;
  postcode_prefixes: string[];
  fee: number;
  minimum_order: number;
  free_over: number | null;
  extra_minutes: number;
}

export interface DeliveryAddress {
  line1: string;
  line2: string;
  city: string;
  postcode: string;
  instructions: string;
}

/** The allergens of a dish or option; null: not known. */
export type Allergens = { contains: AllergenCode[]; may_contain: AllergenCode[] } | null;
export type PriceChange = { price: number; at: string } | null;

export type AllergenAnswers = {
  contains: AllergenCode[];
  may_contain: AllergenCode[];
  not_in: AllergenCode[];
} | null;
/**
 * The days and hours in which a part of the menu can be ordered; null: always. `from` and `to` are local times,
 * `HH:mm`.
 */
export type Availability = { days: Weekday[]; from: string; to: string } | null;

/** A call that changes the menu; `call` is its key in the contract. */
export interface MenuChangeCall {
  call: string;
  id?: string | undefined;
  body: Record<string, unknown>;
}

export interface ItemOption {
  option_group_id: string;
  option_id: string;
}

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
  item_id?: string | undefined;
  kitchen_name?: string | null | undefined;
  station?: string | null | undefined;
}

/** A line as it was ordered; amounts are in minor units, VAT rates in basis points. */
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
  /** When staff ticked the line as cooked, ISO 8601. */
  done_at?: string | null | undefined;
  portions?: { item_id: string; quantity: number }[] | undefined;
  discount?: number | undefined;
  allergens: Allergens;
  allergen_conflicts?: { code: AllergenCode; kind: ConflictKind }[] | undefined;
  total: number;
}

export interface Discount {
  code: string | null;
  name: string;
  amount: number;
  offer_id?: string | undefined;
  of_fee?: 'delivery' | undefined;
}

export interface ChargedFee {
  code: string;
  amount: number;
  vat_rate: number | null;
  name?: string;
}

/** A problem of a basket. `time` and `earliest` are `HH:mm` by the shop's clock; amounts are in minor units. */
export type ProblemDetails =
  | { kind: TimeRefusalKind }
  | { kind: TemporaryRefusalKind; time: string; way?: PausedWay | undefined }
  | { kind: 'too_soon'; time: string; earliest: string }
  | { kind: 'cash_limit'; amount: number; currency: string };

export type HistoryNote =
  | { kind: PaymentHistoryKind }
  | { kind: 'arrived' }
  | { kind: 'refund'; amount: number; currency: string; reason: string }
  | { kind: RefundHistoryKind; amount: number; currency: string }
  | { kind: DisputeStage; amount: number; currency: string }
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

export type { KeyedCardProviderName, CardProviderName } from '#platform/card-providers.ts';

export interface RefundedLine {
  line_id: string;
  quantity: number;
  amount: number;
}

/** The pieces of an order's line that a complaint is about. */
export interface ComplaintLine {
  line_id: string;
  name: string;
  quantity: number;
}

/** Pieces of a line that staff removed from the order; `amount` is their price after discounts. */
export interface RemovedLine {
  line_id: string;
  name: string;
  kitchen_name: string | null;
  station?: string | null | undefined;
  options: {
    name: string;
    quantity: number;
    item_id?: string | undefined;
    kitchen_name?: string | null | undefined;
    station?: string | null | undefined;
  }[];
  quantity: number;
  amount: number;
  reason: string;
  actor: string;
  at: string;
}

export interface KeyProblem {
  /**
   * `keys_refused`: Stripe refuses the key. `address_refused`: Stripe refuses calls from this machine's address.
   * `not_activated`: the account may not take cards yet. `some_pages_refused`: Stripe refuses payment pages of orders.
   * `pages_refused`: Stripe refuses even a plain probe page.
   */
  kind: 'keys_refused' | 'address_refused' | 'missing_right' | 'not_activated' | 'some_pages_refused' | 'pages_refused';
  /** The missing rights, by their names in Stripe's API. */
  rights?: string[];
  /** Stripe's message about the refused payment pages, for `some_pages_refused` and `pages_refused`. */
  said?: string;
  since: string;
}

/** The owner's trial payment, which is refunded automatically. */
export interface KeyTrial {
  id: string;
  /**
   * The provider's id of the hosted page or, if the trial has no page, of the payment; null: the provider has not
   * answered yet.
   */
  reference: string | null;
  redirect_url: string | null;
  amount: number;
  currency: string;
  state: KeyTrialState;
  at: string;
}

export interface RefusedPaymentPage {
  order: string;
  /** The provider's text without ids and numbers, so that equal reasons have equal texts. */
  reason: string;
  /** The provider's message, unchanged. */
  said: string;
  /**
   * Whether the refusal is about a value of this order, such as its amount or customer. Then the pages of other orders
   * may still open.
   */
  names_order: boolean;
  at: string;
  /** Whether the provider has opened a payment page for any order since this refusal. */
  is_followed: boolean;
}

export interface ApkFacts {
  package: string;
  version: string;
  version_code: number;
  min_sdk: number;
  target_sdk: number;
  /** SHA-256 of the signer's certificate. */
  signer: string;
  is_debug_key: boolean;
  is_debuggable: boolean;
  /** The app's name as the manifest states it; null: not stated. */
  app: string | null;
  /** The address of the app's shop as the manifest states it; null: not stated. */
  shop: string | null;
}

/** A device's last report of itself; an unknown value is missing or null. */
export interface DeviceState {
  version?: string | null | undefined;
  battery?: number | null | undefined;
  is_charging?: boolean | null | undefined;
  /** The strength of the Wi-Fi signal in bars, 0 to 4. */
  wifi?: number | null | undefined;
}
