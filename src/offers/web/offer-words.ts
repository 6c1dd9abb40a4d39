import { m } from '#messages';
import { offerChannelChoices } from '#offers/web/offer-parts.ts';
import { dateWords } from '#platform/date-words.ts';
import { intlLocale } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import type { OfferFields } from '#store/offer-shapes.ts';
import { weekdayName } from '#store/weekday-words.ts';
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
type NameOf = (id: string) => string;

/** An offer in one sentence: how much it takes off, from which dishes, and its conditions. */
export function offerWords(offer: OfferFields, shop: Shop, nameOf: NameOf): string {
  return [`${amountWords(offer, shop)} ${dishWords(offer, nameOf)}`.trim(), ...conditionWords(offer, shop)].join(', ');
}

function amountWords({ kind, value, take, pay }: OfferFields, { currency }: Shop): string {
  const amount = formatMoney(value ?? 0, currency);
  switch (kind) {
    case 'percent':
      return m.offers_says_percent({ percent: (value ?? 0) / 100 });
    case 'amount':
      return m.offers_says_amount({ amount });
    case 'free_delivery':
      return m.offers_says_free_delivery();
    case 'item_price':
      return value === 0 ? m.offers_says_free() : m.offers_says_item_price({ amount });
    case 'n_for_m':
      return m.offers_says_n_for_m({ take: take ?? 0, pay: pay ?? 0 });
    case 'set_price':
      return m.offers_says_set_price({ amount });
  }
}

function dishWords(
  { kind, item_ids, category_ids, excluded_item_ids, parts, max_pieces }: OfferFields,
  nameOf: NameOf,
): string {
  const sets = parts?.map(({ item_ids: ids, quantity }) =>
    m.offers_says_part({ quantity, dishes: oneOf(ids, nameOf) }),
  );
  const isPrice = kind === 'item_price';
  const dishes = [...(category_ids ?? []), ...(item_ids ?? [])];
  return [
    ...(sets ? [list(sets)] : []),
    ...(dishes.length > 0
      ? [isPrice ? list(dishes.map(nameOf)) : m.offers_says_on({ dishes: list(dishes.map(nameOf)) })]
      : []),
    ...(excluded_item_ids ? [m.offers_says_without({ dishes: list(excluded_item_ids.map(nameOf)) })] : []),
    ...(max_pieces === null ? [] : [m.offers_says_most({ count: max_pieces })]),
  ].join(' ');
}

function conditionWords(offer: OfferFields, { currency, timezone }: Shop): string[] {
  const { minimum_subtotal, fulfilment_types, days, from_time, until_time, starts_at, ends_at } = offer;
  const [only] = fulfilment_types?.length === 1 ? fulfilment_types : [];
  return [
    ...(minimum_subtotal ? [m.offers_says_minimum({ amount: formatMoney(minimum_subtotal, currency) })] : []),
    ...peopleWords(offer),
    ...(only ? [only === 'delivery' ? m.offers_says_delivery() : m.offers_says_collection()] : []),
    ...(days ? [m.offers_says_days({ days: list(days.map(weekdayName)) })] : []),
    ...(from_time || until_time
      ? [m.offers_says_hours({ from: from_time ?? '00:00', until: until_time ?? '00:00' })]
      : []),
    ...(starts_at ? [m.offers_says_from({ date: dateWords(starts_at, timezone) })] : []),
    // An end at midnight is shown as the day before.
    ...(ends_at ? [m.offers_says_until({ date: dateWords(new Date(Date.parse(ends_at) - 1), timezone) })] : []),
    ...limitWords(offer, { currency, timezone }),
  ];
}

function peopleWords({ by_code, code, first_order_only, customer_ids, channels }: OfferFields): string[] {
  const places = offerChannelChoices.filter(({ channel }) => channels?.includes(channel)).map(({ words }) => words());
  return [
    ...(code ? [m.offers_says_code({ code })] : by_code ? [m.offers_says_codes()] : []),
    ...(first_order_only ? [m.offers_says_first()] : []),
    ...(customer_ids ? [m.offers_says_customers({ count: customer_ids.length })] : []),
    ...(places.length > 0 ? [oneOf(places, (words) => words)] : []),
  ];
}

function limitWords(
  { max_uses, max_uses_per_person, max_uses_per_day, budget }: OfferFields,
  { currency }: Shop,
): string[] {
  return [
    ...(max_uses_per_person ? [m.offers_says_per_person({ count: max_uses_per_person })] : []),
    ...(max_uses_per_day ? [m.offers_says_per_day({ count: max_uses_per_day })] : []),
    ...(max_uses ? [m.offers_says_uses({ count: max_uses })] : []),
    ...(budget ? [m.offers_says_budget({ amount: formatMoney(budget, currency) })] : []),
  ];
}

const list = (words: string[]) => new Intl.ListFormat(intlLocale(), { type: 'conjunction' }).format(words);
const oneOf = (ids: string[], nameOf: NameOf) =>
  new Intl.ListFormat(intlLocale(), { type: 'disjunction' }).format(ids.map(nameOf));

/** The state of an offer at `now`, as a word. */
export function offerState(
  { is_active, starts_at, ends_at }: OfferFields,
  now: Date,
): 'off' | 'ended' | 'later' | 'on' {
  if (!is_active) return 'off';
  if (ends_at !== null && now >= new Date(ends_at)) return 'ended';
  return starts_at !== null && now < new Date(starts_at) ? 'later' : 'on';
}
