import { z } from 'zod';
import { toPlainLines, toPlainLine } from '#platform/plain-text.ts';
import { m } from '#messages';
import { allergenCodes } from '#database/page-values.ts';
import { AllergenCode } from '#menu/menu-shapes.ts';
import { optionProblemCodes } from '#menu/option-rules.ts';
import { PhoneOrNone } from '#platform/contact-fields.ts';
import { Id, Instant, Money } from '#platform/http/shapes.ts';
import { FulfilmentType, PaymentMethod } from '#store/contract.ts';
import { DeliveryAddress } from '#store/delivery-address.ts';
import {
  Contact,
  Line,
  OrderChannel,
  priceFields,
  ProblemDetails,
  SoldOutWish,
  UncappedMoney,
} from '#ordering/order.ts';

const Note = z.string().overwrite(toPlainLines).trim().max(500);

export const BasketLine = z.object({
  item_id: Id,
  quantity: z.int().min(1).max(99),
  note: Note.max(200).default(''),
  options: z
    .array(z.object({ option_group_id: Id, option_id: Id, quantity: z.int().min(1).max(20).default(1) }))
    .max(30)
    .default([]),
});
export type BasketLine = z.infer<typeof BasketLine>;

/** The content of an order before it is placed: the input of a quote and of an order. */
export const Basket = z.object({
  store_id: Id,
  fulfilment_type: FulfilmentType,
  requested_for: Instant.nullable().default(null),
  address: DeliveryAddress.partial().nullable().optional(),
  note: Note.default(''),
  allergy_note: Note.default(''),
  /**
   * The allergens that the customer avoids. They are sent only once the customer has confirmed them at the checkout.
   */
  allergies: z.array(AllergenCode).max(allergenCodes.length).optional(),
  tip: Money.max(100_000).default(0),
  expected_total: Money.optional(),
  codes: z
    .array(z.string().overwrite(toPlainLine).trim().min(1).max(40))
    .max(1)
    .optional()
    .describe('The code of an offer, in any case and with any spaces.'),
  age_confirmed: z.boolean().optional(),
  /**
   * The session of the unpaid order that this order replaces. The unpaid order is cancelled when this order is placed.
   */
  replaces: z.uuid().optional(),
  lines: z
    .array(BasketLine)
    .min(1, { error: () => m.ordering_basket_empty() })
    .max(100),
});
export type Basket = z.infer<typeof Basket>;

/**
 * The body of a quote request: a basket. The channel and the payment method are optional, and are checked only if they
 * are sent.
 */
export const BasketToQuote = Basket.extend({
  channel: OrderChannel.optional(),
  payment_method: PaymentMethod.optional(),
  contact: z
    .object({ phone: z.string().max(40).default(''), email: z.string().max(200).default('') })
    .optional()
    .describe('Who will order. Without it no offer that depends on the person is in the total.'),
});
export type BasketToQuote = z.infer<typeof BasketToQuote>;

/** A contact whose phone may be empty, which `PlaceOrderBody` allows only for the channels `counter` and `test`. */
const OrderContact = Contact.extend({
  phone: PhoneOrNone,
});

export const PlaceOrderBody = Basket.extend({
  session: z.uuid({ version: 'v4' }),
  contact: OrderContact,
  address: DeliveryAddress.nullable().optional(),
  payment_method: PaymentMethod,
  channel: OrderChannel.default('web'),
  /** Whether staff place the order in spite of its warnings. Only the channels of staff may send this field. */
  override: z.boolean().optional(),
  // These fields have no default, because a repeated request must get the hash that its first attempt stored. If an
  // update added a default between the attempts, the hash would differ.
  if_sold_out: SoldOutWish.optional().describe('`ring` without it.'),
  cutlery: z.boolean().optional().describe('Whether napkins and cutlery are wanted; false without it.'),
}).refine(({ channel, contact }) => channel === 'counter' || channel === 'test' || contact.phone !== '', {
  path: ['contact', 'phone'],
  error: () => m.accounts_phone_wrong(),
});
export type PlaceOrderBody = z.infer<typeof PlaceOrderBody>;

const problemCodes = [
  'basket_empty',
  'item_unknown',
  'item_sold_out',
  'item_max',
  'menu_unavailable',
  ...optionProblemCodes,
  'shop_closed',
  'shop_paused',
  'not_accepting_orders',
  'fulfilment_unavailable',
  'slot_past',
  'slot_unavailable',
  'slot_full',
  'address_required',
  'postcode_invalid',
  'outside_zones',
  'below_minimum',
  'order_too_large',
  'tip_too_large',
  'age_unconfirmed',
  'payment_method_unavailable',
  'cash_limit',
  'code_not_valid',
] as const;
export const BasketProblemCode = z.enum(problemCodes);
export type BasketProblemCode = z.infer<typeof BasketProblemCode>;

/** A reason why a basket cannot be ordered; `path` names the field of the request, e.g. `lines.0.options`. */
export const BasketProblem = z.object({
  code: BasketProblemCode,
  message: z.string(),
  path: z.string(),
  /**
   * The data of a problem that staff may override, so that clients can write it in their own language; missing for
   * other problems.
   */
  details: ProblemDetails.optional(),
});
export type BasketProblem = z.infer<typeof BasketProblem>;

export const BasketQuote = z.object({
  lines: z.array(Line.omit({ id: true })),
  ...priceFields,
  /** The earliest time at which the order could be ready for collection, or be delivered; null if there is none. */
  earliest_at: Instant.nullable(),
  /**
   * The longest preparation time of the dishes, in minutes; 0 if no dish has a preparation time of its own. Clients
   * send this value when they ask for slots.
   */
  prep_minutes: z.int(),
  problems: z.array(BasketProblem),
  /** The basket's offers; missing if the store has no public offers and no code was sent. */
  offers: z
    .object({
      near: z
        .array(z.object({ offer_id: Id, missing: UncappedMoney }))
        .describe('Those of which only so much of the least subtotal is missing, the nearest first.'),
      on_order: z
        .array(Id)
        .describe('Those that depend on the person and are checked when the order is placed; in no total yet.'),
      conditions: z
        .array(z.object({ offer_id: Id, sentence: z.string() }))
        .optional()
        .describe('Of a code without a problem, in words; the rules of automatic offers stand in the store.'),
    })
    .optional(),
});
export type BasketQuote = z.infer<typeof BasketQuote>;
