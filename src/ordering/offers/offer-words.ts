import { m } from '#messages';
import type { Menu } from '#menu/menu-shapes.ts';
import type { OrderChannel } from '#ordering/order.ts';
import { dateWords } from '#platform/date-words.ts';
import { intlLocale } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import type { PublicOffer } from '#store/offer-shapes.ts';
import { weekdayName } from '#store/weekday-words.ts';

export const offerChannelChoices: readonly { channel: OrderChannel; words: () => string }[] = [
  { channel: 'web', words: m.ordering_offer_channel_web },
  { channel: 'app', words: m.ordering_offer_channel_app },
  { channel: 'phone', words: m.ordering_offer_channel_phone },
  { channel: 'counter', words: m.ordering_offer_channel_counter },
];

type Shop = Pick<Store, 'currency' | 'timezone'>;
type NameOf = (id: string) => string;
type OfferRules = Omit<PublicOffer, 'id' | 'is_checked'>;

/** Describes an offer in one sentence: how much it takes off, from which dishes, and its public conditions. */
export function offerRuleWords(offer: OfferRules, shop: Shop, nameOf: NameOf): string {
  return [`${amountWords(offer, shop)} ${dishWords(offer, nameOf)}`.trim(), ...offerConditionWords(offer, shop)].join(
    ', ',
  );
}

function amountWords({ kind, value, take, pay }: OfferRules, { currency }: Shop): string {
  const amount = formatMoney(value ?? 0, currency);
  switch (kind) {
    case 'percent':
      return m.ordering_offer_says_percent({ percent: new Intl.NumberFormat(intlLocale()).format((value ?? 0) / 100) });
    case 'amount':
      return m.ordering_offer_says_amount({ amount });
    case 'free_delivery':
      return m.ordering_offer_says_free_delivery();
    case 'item_price':
      return value === 0 ? m.ordering_offer_says_free() : m.ordering_offer_says_item_price({ amount });
    case 'n_for_m':
      return m.ordering_offer_says_n_for_m({ take: take ?? 0, pay: pay ?? 0 });
    case 'set_price':
      return m.ordering_offer_says_set_price({ amount });
  }
}

function dishWords(
  { kind, item_ids, category_ids, excluded_item_ids, parts, max_pieces }: OfferRules,
  nameOf: NameOf,
): string {
  const sets = parts?.map(({ item_ids: ids, quantity }) =>
    m.ordering_offer_says_part({ quantity, dishes: oneOf(dishNames(ids, nameOf)) }),
  );
  const ids = [...(category_ids ?? []), ...(item_ids ?? [])];
  const dishes = allOf(dishNames(ids, nameOf));
  const without = allOf(dishNames(excluded_item_ids ?? [], nameOf));
  return [
    ...(sets ? [allOf(sets)] : []),
    ...(ids.length > 0 ? [kind === 'item_price' ? dishes : m.ordering_offer_says_on({ dishes })] : []),
    ...(excluded_item_ids ? [m.ordering_offer_says_without({ dishes: without })] : []),
    ...(max_pieces === null ? [] : [m.ordering_offer_says_most({ count: max_pieces })]),
  ].join(' ');
}

/** The public conditions of an offer, without its dishes. */
export function offerConditionWords(offer: OfferRules, { currency, timezone }: Shop): string[] {
  const { minimum_subtotal, fulfilment_types, days, from_time, until_time, starts_at, ends_at } = offer;
  const [only] = fulfilment_types?.length === 1 ? fulfilment_types : [];
  const places = offerChannelChoices
    .filter(({ channel }) => offer.channels?.includes(channel))
    .map(({ words }) => words());
  return [
    ...(minimum_subtotal ? [m.ordering_offer_says_minimum({ amount: formatMoney(minimum_subtotal, currency) })] : []),
    ...(offer.first_order_only ? [m.ordering_offer_says_first()] : []),
    ...(places.length > 0 ? [oneOf(places)] : []),
    ...(only ? [only === 'delivery' ? m.ordering_offer_says_delivery() : m.ordering_offer_says_collection()] : []),
    ...(days ? [m.ordering_offer_says_days({ days: allOf(days.map(weekdayName)) })] : []),
    ...(from_time || until_time
      ? [m.ordering_offer_says_hours({ from: from_time ?? '00:00', until: until_time ?? '00:00' })]
      : []),
    ...(starts_at ? [m.ordering_offer_says_from({ date: dateWords(starts_at, timezone) })] : []),
    // An end at midnight is shown as the date of the day before.
    ...(ends_at ? [m.ordering_offer_says_until({ date: dateWords(new Date(Date.parse(ends_at) - 1), timezone) })] : []),
  ];
}

const maxNamed = 6;
const allOf = (words: string[]) => new Intl.ListFormat(intlLocale(), { type: 'conjunction' }).format(words);
const oneOf = (words: string[]) => new Intl.ListFormat(intlLocale(), { type: 'disjunction' }).format(words);

function dishNames(ids: readonly string[], nameOf: NameOf): string[] {
  const names = [...new Set(ids.map(nameOf))];
  const more = names.length - maxNamed;
  return more > 0 ? [...names.slice(0, maxNamed), m.ordering_offer_says_more({ count: more })] : names;
}

/** Returns a function that names dishes and categories by id. An id that no menu has gets a substitute. */
export function createMenuNameLookup(menus: readonly Menu[]): NameOf {
  const categories = menus.flatMap((menu) => menu.categories ?? []);
  const named = categories.flatMap((category) => [category, ...(category.items ?? [])]);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? m.ordering_offer_dish_gone();
}
