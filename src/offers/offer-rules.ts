import { m } from '#messages';
import type { OfferFields } from '#store/offer-shapes.ts';

export type OfferKind = OfferFields['kind'];

/** An offer without limits, before its name and kind are set. */
export const emptyOffer: Omit<OfferFields, 'name' | 'kind'> = {
  value: null,
  take: null,
  pay: null,
  parts: null,
  max_pieces: null,
  minimum_subtotal: null,
  fulfilment_types: null,
  channels: null,
  days: null,
  from_time: null,
  until_time: null,
  starts_at: null,
  ends_at: null,
  item_ids: null,
  category_ids: null,
  excluded_item_ids: null,
  by_code: false,
  code: null,
  first_order_only: false,
  customer_ids: null,
  max_uses: null,
  max_uses_per_person: null,
  max_uses_per_day: null,
  budget: null,
  combines: false,
  is_active: true,
};

/**
 * For each kind of offer, the fields that define its discount and the discounted dishes. Fields that only other kinds
 * use are null.
 */
const fieldsOfKind: Record<OfferKind, readonly (keyof OfferFields)[]> = {
  percent: ['value', 'item_ids', 'category_ids', 'excluded_item_ids'],
  amount: ['value', 'item_ids', 'category_ids', 'excluded_item_ids'],
  free_delivery: [],
  item_price: ['value', 'max_pieces', 'item_ids', 'category_ids', 'excluded_item_ids'],
  n_for_m: ['take', 'pay', 'max_pieces', 'item_ids', 'category_ids', 'excluded_item_ids'],
  set_price: ['value', 'parts', 'max_pieces', 'excluded_item_ids'],
};
const kindFields = [...new Set(Object.values(fieldsOfKind).flat())];

export function offerUsesField(kind: OfferKind, field: keyof OfferFields): boolean {
  return !kindFields.includes(field) || fieldsOfKind[kind].includes(field);
}

export function withoutUnusedFields(offer: OfferFields): OfferFields {
  const unused = kindFields.filter((field) => !offerUsesField(offer.kind, field));
  return { ...offer, ...Object.fromEntries(unused.map((field) => [field, null])) };
}

interface OfferProblem {
  field: keyof OfferFields;
  message: string;
}

/**
 * Returns the first field that is missing or contradicts another field, with the message for it; null if there is none.
 */
export function offerProblem(offer: OfferFields): OfferProblem | null {
  return amountProblem(offer) ?? dishesProblem(offer) ?? peopleProblem(offer) ?? timeProblem(offer);
}

function amountProblem({ kind, value, take, pay }: OfferFields): OfferProblem | null {
  const isZero = value === 0 && (kind === 'percent' || kind === 'amount');
  if (offerUsesField(kind, 'value') && (value === null || isZero))
    return { field: 'value', message: m.offers_value_missing() };
  if (kind === 'percent' && (value ?? 0) > 10_000) return { field: 'value', message: m.offers_percent_wrong() };
  const isWrong = kind === 'n_for_m' && (take ?? 0) <= (pay ?? Infinity);
  return isWrong ? { field: 'take', message: m.offers_take_wrong() } : null;
}

function dishesProblem({ kind, parts, item_ids, category_ids }: OfferFields): OfferProblem | null {
  if (kind === 'item_price' && !item_ids && !category_ids)
    return { field: 'item_ids', message: m.offers_dishes_missing() };
  return kind === 'set_price' && !parts ? { field: 'parts', message: m.offers_parts_missing() } : null;
}

function peopleProblem({ customer_ids }: OfferFields): OfferProblem | null {
  return customer_ids?.length === 0 ? { field: 'customer_ids', message: m.offers_customers_missing() } : null;
}

function timeProblem({ starts_at, ends_at, from_time, until_time }: OfferFields): OfferProblem | null {
  if (starts_at !== null && ends_at !== null && new Date(ends_at) <= new Date(starts_at))
    return { field: 'ends_at', message: m.offers_ends_before_start() };
  return from_time !== null && from_time === until_time ? { field: 'until_time', message: m.offers_no_hours() } : null;
}
