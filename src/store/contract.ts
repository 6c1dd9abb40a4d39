import { fulfilmentTypes, pauseCauses, paymentMethods } from '#database/column-values.ts';
import { z } from 'zod';
import { m } from '#messages';
import { DeliveryAddress } from '#store/delivery-address.ts';
import { normalisePrefix } from '#store/postcodes.ts';
import { receiptFields } from '#store/receipt-look.ts';
import { cardProviderNames } from '#platform/card-providers.ts';
import { EmailOrNone, PhoneOrNone } from '#platform/contact-fields.ts';
import { plainContactText, toPlainLines, toPlainLine } from '#platform/plain-text.ts';
import { bodySchemaWithConflictCheck } from '#platform/http/conflict-check.ts';
import {
  Id,
  EmptyIncludeQuery,
  Instant,
  LocalDate,
  Money,
  SingleAnswer,
  PaginatedAnswer,
  PaginatedQuery,
  PictureAddress,
  WebAddress,
} from '#platform/http/shapes.ts';
import { ClockTime, Closure, Closures, OpeningEntry, SpecialDay, SpecialDays, WayPause } from '#store/hours-shapes.ts';
import { PublicOffer } from '#store/offer-shapes.ts';
import type { PathName } from '#platform/http/endpoint.ts';

export const PostcodePrefix = z.string().transform((text, context) => {
  const prefix = normalisePrefix(text);
  if (prefix !== null) return prefix;
  context.addIssue({ code: 'custom', message: m.store_prefix_invalid() });
  return z.NEVER;
});

export const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use small letters, digits and hyphens.')
  .max(80);

export const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Use a colour such as #b92f16.')
  .toLowerCase();

export const Currency = z.string().refine(isCurrency, { error: () => m.store_currency_unknown() });
export const TimeZone = z.string().refine(isTimeZone, 'Not a known time zone.');

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The fields that say how long personal data is stored, as the privacy page shows. For idle accounts, the longest
 * retention of all stores applies.
 */
export const retentionFields = {
  /** Days after which a guest's order loses its name, address and notes; null: never. */
  keep_guest_days: z.int().min(1).max(3650).nullable(),
  /** Months without use until a customer's account is deleted, after a month's notice; null: never. */
  keep_idle_account_months: z.int().min(6).max(120).nullable(),
};

/**
 * The shop's location. Until a person confirms it, pages show only the address, because a new shop has a default
 * location.
 */
export const locationFields = {
  location: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  /**
   * Whether a person has confirmed the location. A call with a `location` confirms it, unless the call also has
   * `location_confirmed: false`. A call with `true`, but without a `location`, confirms the stored location.
   */
  location_confirmed: z.boolean(),
};

/** Fields that only staff see. Some of them reveal the limits on orders, or when no board is attended. */
export const staffOnlyFields = {
  /** The limit of one person's unfinished orders, by account and phone; null: no limit. */
  max_open_orders_per_person: z.int().min(1).max(1000).nullable(),
  /** The limit of orders from one network in an hour; null: no limit. */
  max_orders_per_address_hour: z.int().min(1).max(100_000).nullable(),
  /** Whether an open store is paused automatically while no order board is attended. */
  pause_when_unattended: z.boolean(),
  mails_takings: z.boolean(),
  /** Months of retention of the audit log. The longest retention of all stores applies. */
  keep_audit_months: z.int().min(12).max(120),
  ...receiptFields,
};

export const storePathName = {
  finder: 'store',
  description: 'Its id, its slug or its name.',
  example: 'coalfinch',
} as const satisfies PathName;

export const FoundAddresses = z.object({
  /** `unavailable`: the look-up service did not answer, or the shop has no such service. */
  state: z.enum(['found', 'unknown', 'unavailable']),
  addresses: z.array(DeliveryAddress.omit({ instructions: true })),
});
export type FoundAddresses = z.infer<typeof FoundAddresses>;

export const DeliveryZone = z.object({
  name: z.string().overwrite(toPlainLine).min(1).max(80),
  /** Each prefix is an outward code, such as `CV2`, or a sector, such as `CV21 2`. */
  postcode_prefixes: z.array(z.string().max(8)).max(200),
  fee: Money,
  minimum_order: Money,
  free_over: Money.nullable(),
  extra_minutes: z.int().min(0).max(240),
});
export type DeliveryZone = z.infer<typeof DeliveryZone>;

export const PaymentMethod = z.enum(paymentMethods);
export type PaymentMethod = z.infer<typeof PaymentMethod>;
export const FulfilmentType = z.enum(fulfilmentTypes);
export type FulfilmentType = z.infer<typeof FulfilmentType>;

export const StoreAddress = z.object({
  line1: z.string().overwrite(toPlainLine).max(120),
  line2: z.string().overwrite(toPlainLine).max(120),
  city: z.string().overwrite(toPlainLine).max(80),
  postcode: z.string().overwrite(plainContactText).max(10),
});
export type StoreAddress = z.infer<typeof StoreAddress>;

export const Store = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  legal_name: z.string(),
  phone: z.string(),
  email: z.string(),
  address: StoreAddress,
  ...locationFields,
  currency: z.string(),
  timezone: z.string(),
  day_starts_at: ClockTime,
  operational_hours: z.array(OpeningEntry),
  closures: z.array(Closure),
  special_hours: z.array(SpecialDay).meta({ examples: [[]] }),
  is_accepting_orders: z.boolean(),
  paused_until: Instant.nullable(),
  pause_reason: z.string().nullable().describe('The text of the people who paused it.'),
  pause_cause: z
    .enum(pauseCauses)
    .nullable()
    .describe('Why the shop paused by itself; null: people paused it. `restored`: until its owner lets it go on.'),
  pauses: z
    .array(WayPause)
    .meta({ description: 'Of one way to order each; `paused_until` is of all.', examples: [[]] }),
  busy_extra_minutes: z.int(),
  prep_minutes: z.int(),
  answer_minutes: z.int(),
  auto_accept: z.boolean(),
  last_order_minutes: z.int(),
  collection_enabled: z.boolean(),
  delivery_enabled: z.boolean(),
  delivery_zones: z.array(DeliveryZone),
  slot_minutes: z.int(),
  max_orders_per_slot: z.int().nullable(),
  preorder_days: z.int(),
  payment_methods: z.object({ collection: z.array(PaymentMethod), delivery: z.array(PaymentMethod) }),
  cash_max: z.int().nullable(),
  service_fee: z.int(),
  bag_fee: z.int(),
  vat_number: z.string().nullable(),
  guest_checkout: z.boolean(),
  google_review_url: z.string().nullable(),
  ...retentionFields,
  logo: z.string().nullable(),
  /** The owner's colour, `#rrggbb`, from which the shop's shades are derived; null: the standard colour. */
  accent_color: z.string().nullable(),
  /** The picture of the home page and of shared links; null: pictures of dishes are shown there. */
  cover: z.string().nullable(),
  /** The number at Companies House; null if no company runs the shop. */
  company_number: z.string().nullable(),
  allergens_text: z.string().describe("The owner's own text on the page of allergens."),
  card_provider: z.enum(cardProviderNames).nullable(),
  /** Counts the changes to the store and to its menu. */
  version: z.int(),
  offers: z
    .array(PublicOffer)
    .optional()
    .meta({ description: 'Those that apply without a code; missing without one.', examples: [[]] }),
  best_sellers: z
    .array(Id)
    .optional()
    .meta({ description: 'The items that sold most in 30 days, best first; missing without any.', examples: [[]] }),
});
export type Store = z.infer<typeof Store>;

export const StaffStore = Store.extend(staffOnlyFields);
export type StaffStore = z.infer<typeof StaffStore>;

/** A store with the fields that the caller may see. Only the store's staff get the staff fields. */
export const ShownStore = Store.extend(z.object(staffOnlyFields).partial().shape);

/** The fields that an admin may set. In a PATCH all are optional; a POST requires a name. */
export const StoreFields = z.object({
  name: z.string().overwrite(toPlainLine).trim().min(1).max(80),
  slug: Slug,
  legal_name: z.string().overwrite(toPlainLine).trim().max(200),
  phone: PhoneOrNone,
  email: EmailOrNone,
  address: StoreAddress,
  ...locationFields,
  currency: Currency,
  timezone: TimeZone,
  day_starts_at: ClockTime,
  operational_hours: z.array(OpeningEntry).max(50),
  closures: Closures,
  special_hours: SpecialDays,
  is_accepting_orders: z.boolean(),
  prep_minutes: z.int().min(0).max(240),
  answer_minutes: z.int().min(1).max(120),
  auto_accept: z.boolean(),
  last_order_minutes: z.int().min(0).max(240),
  collection_enabled: z.boolean(),
  delivery_enabled: z.boolean(),
  delivery_zones: z.array(DeliveryZone.extend({ postcode_prefixes: z.array(PostcodePrefix).max(200) })).max(100),
  slot_minutes: z.int().min(5).max(120),
  max_orders_per_slot: z.int().min(1).max(1000).nullable(),
  preorder_days: z.int().min(0).max(30),
  payment_methods: z.object({ collection: z.array(PaymentMethod), delivery: z.array(PaymentMethod) }),
  cash_max: Money.nullable(),
  service_fee: Money,
  bag_fee: Money,
  vat_number: z.string().overwrite(toPlainLine).max(30).nullable(),
  guest_checkout: z.boolean(),
  google_review_url: WebAddress.nullable(),
  ...retentionFields,
  ...staffOnlyFields,
  logo: PictureAddress.nullable(),
  accent_color: Colour.nullable(),
  cover: PictureAddress.nullable(),
  company_number: z.string().overwrite(toPlainLine).trim().max(20).nullable(),
  allergens_text: z.string().overwrite(toPlainLines).trim().max(500),
});
export type StoreFields = z.infer<typeof StoreFields>;

/** The fulfilment type that a pause affects; null: the whole shop. */
const PausedPart = FulfilmentType.nullable().default(null);

export const Slot = z.object({ starts_at: Instant, ends_at: Instant, is_available: z.boolean() });
export type Slot = z.infer<typeof Slot>;

export const storeEndpoints = {
  'GET /v1/stores': {
    access: 'guest',
    summary: 'List the stores.',
    query: PaginatedQuery,
    response: PaginatedAnswer(ShownStore),
  },
  'GET /v1/stores/{id}': {
    idOrName: storePathName,
    access: 'guest',
    summary: 'Read one store, by id, slug or name.',
    query: EmptyIncludeQuery,
    response: SingleAnswer(ShownStore),
  },
  'POST /v1/stores': {
    answersScope: true,
    access: 'admin',
    summary: 'Create a store.',
    body: StoreFields.partial()
      .required({ name: true })
      .extend({ is_first: z.literal(true).optional().describe('Refuse while another store exists.') }),
    response: SingleAnswer(StaffStore),
    status: 201,
    errors: ['conflict'],
  },
  'PATCH /v1/stores/{id}': {
    answersScope: true,
    idOrName: storePathName,
    access: 'admin',
    freshSignInFor: 'another link for reviews, email address or phone number: they lead customers away from the shop',
    summary: 'Change a store.',
    body: bodySchemaWithConflictCheck(StoreFields.partial()),
    response: SingleAnswer(StaffStore),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/stores/{id}': {
    idOrName: storePathName,
    access: 'admin',
    summary: 'Delete a store that never sold.',
    response: null,
    errors: ['conflict'],
  },
  'GET /v1/stores/{id}/slots': {
    idOrName: storePathName,
    access: 'guest',
    summary: 'The times an order can be asked for, with what is still free.',
    query: z.object({
      fulfilment_type: FulfilmentType,
      date: LocalDate.optional(),
      /**
       * The delivery's postcode, whose zone decides the extra minutes. Without a postcode, the fewest extra minutes of
       * all zones apply.
       */
      postcode: z.string().max(10).optional(),
      /** The preparation minutes of the order's slowest item; they apply if they exceed the shop's. */
      prep_minutes: z.coerce.number().int().min(0).max(240).optional(),
    }),
    response: z.object({ data: z.array(Slot) }),
  },
  'GET /v1/stores/{id}/addresses': {
    idOrName: storePathName,
    access: 'guest',
    summary: 'The addresses of a postcode to which the shop delivers, from its look-up service.',
    query: z.object({ postcode: z.string().max(10) }),
    response: SingleAnswer(FoundAddresses),
    rate: { burst: 30, perSecond: 0.2 },
  },
  'GET /v1/stores/{id}/slots/taken': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'How many orders each slot from now on holds already; slots without any are left out.',
    response: z.object({ data: z.array(z.object({ starts_at: Instant, orders: z.int() })) }),
  },
  'POST /v1/stores/{id}/pause': {
    answersScope: true,
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'Take no orders for a while, or none of one way to order.',
    body: z.object({
      fulfilment_type: PausedPart,
      minutes: z.int().min(1).max(1440).optional(),
      until: Instant.optional(),
      reason: z.string().overwrite(toPlainLine).trim().max(200).default(''),
    }),
    response: SingleAnswer(StaffStore),
    errors: ['conflict'],
  },
  'POST /v1/stores/{id}/resume': {
    answersScope: true,
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'End a pause.',
    body: z.object({ fulfilment_type: PausedPart }),
    response: SingleAnswer(StaffStore),
    errors: ['conflict'],
  },
  'POST /v1/stores/{id}/close-early': {
    answersScope: true,
    idOrName: storePathName,
    access: 'store_admin',
    summary: "Close at a time of today's trading day, by the shop's clock; null takes that back.",
    body: z.object({ at: ClockTime.nullable() }),
    response: SingleAnswer(StaffStore),
  },
  'POST /v1/stores/{id}/busy': {
    answersScope: true,
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'Add minutes to every promise; 0 ends it.',
    body: z.object({ minutes: z.int().min(0).max(120) }),
    response: SingleAnswer(StaffStore),
  },
} as const;

/** The settings about stores that a page gets from the server, in addition to `BrowserConfig`. */
export interface StoreConfig {
  /** The store that `/` shows, by id, slug or name; null for the first store. */
  storeName: string | null;
}

/** Makes a slug of a name: `Nonna's Kitchen` becomes `nonnas-kitchen`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}|['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug || 'shop';
}
