import { m } from '#messages';
import { offerRuleWords } from '#ordering/offers/offer-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import type { OfferFields } from '#store/offer-shapes.ts';
import type { OfferKind } from '#offers/offer-rules.ts';

export const offerKindWords: Record<OfferKind, () => string> = {
  percent: m.offers_kind_percent,
  amount: m.offers_kind_amount,
  free_delivery: m.offers_kind_free_delivery,
  item_price: m.offers_kind_item_price,
  n_for_m: m.offers_kind_n_for_m,
  set_price: m.offers_kind_set_price,
};

type Shop = Pick<Store, 'currency' | 'timezone'>;

/** Describes an offer to staff in one sentence, with its code, chosen customers and limits. */
export function offerWords(offer: OfferFields, shop: Shop, nameOf: (id: string) => string): string {
  return [offerRuleWords(offer, shop, nameOf), ...peopleWords(offer), ...limitWords(offer, shop)].join(', ');
}

function peopleWords({ by_code, code, customer_ids }: OfferFields): string[] {
  return [
    ...(code ? [m.offers_says_code({ code })] : by_code ? [m.offers_says_codes()] : []),
    ...(customer_ids ? [m.offers_says_customers({ count: customer_ids.length })] : []),
  ];
}

function limitWords(
  { max_uses, max_uses_per_person, max_uses_per_day, budget }: OfferFields,
  { currency }: Pick<Shop, 'currency'>,
): string[] {
  return [
    ...(max_uses_per_person ? [m.offers_says_per_person({ count: max_uses_per_person })] : []),
    ...(max_uses_per_day ? [m.offers_says_per_day({ count: max_uses_per_day })] : []),
    ...(max_uses ? [m.offers_says_uses({ count: max_uses })] : []),
    ...(budget ? [m.offers_says_budget({ amount: formatMoney(budget, currency) })] : []),
  ];
}

export function offerState(
  { is_active, starts_at, ends_at }: OfferFields,
  now: Date,
): 'off' | 'ended' | 'later' | 'on' {
  if (!is_active) return 'off';
  if (ends_at !== null && now >= new Date(ends_at)) return 'ended';
  return starts_at !== null && now < new Date(starts_at) ? 'later' : 'on';
}
