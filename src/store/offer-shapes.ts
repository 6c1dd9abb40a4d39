import { z } from 'zod';
import { fulfilmentTypes, offerKinds, orderChannels } from '#database/column-values.ts';
import { Id, Instant, Money } from '#platform/http/shapes.ts';
import { toPlainLine } from '#platform/plain-text.ts';
import { ClockTime, Weekday } from '#store/hours-shapes.ts';

const Ids = z.array(Id).min(1).max(200).nullable();
const Count = z.int().min(1).max(1_000_000).nullable();
const Pieces = z.int().min(1).max(1000);

/** The fields of an offer that an admin sets. null: no limit, or the offer's kind does not use the field. */
export const OfferFields = z.object({
  name: z.string().overwrite(toPlainLine).trim().min(1).max(80),
  kind: z.enum(offerKinds),
  value: Money.nullable().describe('Basis points (`percent`), an amount off (`amount`) or a price.'),
  take: z.int().min(2).max(100).nullable(),
  pay: z.int().min(1).max(99).nullable(),
  parts: z
    .array(z.object({ item_ids: z.array(Id).min(1).max(200), quantity: Pieces }))
    .min(1)
    .max(10)
    .nullable(),
  max_pieces: Pieces.nullable().describe('The most pieces that it reduces in one order, the dearest first.'),
  minimum_subtotal: Money.nullable(),
  fulfilment_types: z.array(z.enum(fulfilmentTypes)).min(1).max(fulfilmentTypes.length).nullable(),
  channels: z.array(z.enum(orderChannels)).min(1).max(orderChannels.length).nullable(),
  days: z.array(Weekday).min(1).max(7).nullable(),
  from_time: ClockTime.nullable(),
  until_time: ClockTime.nullable(),
  starts_at: Instant.nullable(),
  ends_at: Instant.nullable(),
  item_ids: Ids,
  category_ids: Ids,
  excluded_item_ids: Ids,
  by_code: z.boolean().describe('Whether only orders with its code get it; true as soon as `code` is given.'),
  code: z.string().overwrite(toPlainLine).trim().min(3).max(30).nullable(),
  first_order_only: z.boolean(),
  customer_ids: Ids,
  max_uses: Count,
  max_uses_per_person: Count,
  max_uses_per_day: Count,
  budget: Money.min(1).nullable().describe('An order whose discount would pass it does not get the offer.'),
  combines: z.boolean(),
  is_active: z.boolean(),
});
export type OfferFields = z.infer<typeof OfferFields>;

export const StoredOffer = OfferFields.extend({ id: Id });
export type StoredOffer = z.infer<typeof StoredOffer>;

/** The public fields of an automatic offer: its rules, without limits and chosen customers. */
export const PublicOffer = StoredOffer.omit({
  by_code: true,
  code: true,
  customer_ids: true,
  max_uses: true,
  max_uses_per_person: true,
  max_uses_per_day: true,
  budget: true,
}).extend({
  is_checked: z
    .literal(true)
    .optional()
    .describe('Only a quote of the server says whether it applies: it has limits, or is for a first order.'),
});
export type PublicOffer = z.infer<typeof PublicOffer>;

/**
 * Whether an offer depends on its earlier uses or on the person. Then only the server can tell whether the offer
 * applies.
 */
export function needsServerCheck(offer: StoredOffer): boolean {
  const { max_uses, max_uses_per_day, budget } = offer;
  return dependsOnPerson(offer) || max_uses !== null || max_uses_per_day !== null || budget !== null;
}

export function dependsOnPerson({ first_order_only, customer_ids, max_uses_per_person }: StoredOffer): boolean {
  return first_order_only || customer_ids !== null || max_uses_per_person !== null;
}

export function offerRulesOf(offer: StoredOffer): PublicOffer {
  const {
    by_code: _byCode,
    code: _code,
    customer_ids: _customers,
    max_uses: _most,
    max_uses_per_person: _ofPerson,
    max_uses_per_day: _ofDay,
    budget: _budget,
    ...rules
  } = offer;
  return rules;
}

export function publicOffers(offers: readonly StoredOffer[]): PublicOffer[] {
  return offers
    .filter(({ is_active, by_code, customer_ids }) => is_active && !by_code && customer_ids === null)
    .map((offer) => ({ ...offerRulesOf(offer), ...(needsServerCheck(offer) && { is_checked: true as const }) }));
}

/** The form in which codes are compared: upper case, without spaces. */
export function normaliseOfferCode(code: string): string {
  return code.replaceAll(/\s/g, '').toUpperCase();
}
