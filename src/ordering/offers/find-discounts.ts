import { weekdays } from '#database/page-values.ts';
import { isWithinAvailability } from '#menu/menu-availability.ts';
import type { Item, Menu } from '#menu/menu-shapes.ts';
import { itemPriceWithoutExtras, type PricedItem, startingPrice } from '#menu/starting-price.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { type AppliedOffers, applyOffers, type OfferBasket } from '#ordering/offers/apply-offers.ts';
import type { OrderChannel } from '#ordering/order.ts';
import type { FindDiscounts, PriceableLine } from '#ordering/pricing.ts';
import { vatOfLines } from '#ordering/remove-lines.ts';
import { DAY, MINUTE } from '#platform/zone-clock.ts';
import type { FulfilmentType, Store } from '#store/contract.ts';
import { openingSessionsFrom } from '#store/opening-hours.ts';
import type { PublicOffer } from '#store/offer-shapes.ts';

export interface OfferContext {
  store: Pick<Store, 'timezone' | 'offers'>;
  menus: readonly Menu[];
  fulfilment: FulfilmentType;
  channel: OrderChannel;
  /** The order's time, against which an offer's days, hours and dates are checked. */
  now: Date;
  /**
   * The typed codes by the id of their offer. Only the server passes them, because browsers do not know which offer has
   * a code.
   */
  codes?: ReadonlyMap<string, string>;
  /** The remaining budgets of limited offers, in minor units, by offer id. Only the server knows them. */
  budgets?: ReadonlyMap<string, number>;
}

export type LineWithDish = PriceableLine & { item: Pick<Item, 'id' | 'min_age'> };

/** Makes the function that finds a basket's discounts by a store's offers. Browser and server use the same function. */
export function createDiscountFinder<Of extends LineWithDish>(circumstances: OfferContext): FindDiscounts<Of> {
  const { menus, codes, budgets } = circumstances;
  const open = openOffers(circumstances);
  const categories = open.some(({ category_ids: ids }) => ids !== null)
    ? categoriesOf(menus)
    : new Map<string, string[]>();
  return ({ lines, subtotal, fees }) => {
    if (open.length === 0) return null;
    const met = open.filter(({ minimum_subtotal: least }) => subtotal >= (least ?? 0));
    const { cuts, shares } = applyWithin(budgets, met, {
      lines: lines.map(({ item, selected, quantity, total }) => ({
        item_id: item.id,
        category_ids: categories.get(item.id) ?? [],
        isAged: minAgeOf([item, ...selected.map(({ option }) => option)]) !== null,
        own: ownPrice(item, selected),
        quantity,
        total,
      })),
      delivery: fees.find(({ code }) => code === 'delivery')?.amount ?? 0,
    });
    if (cuts.length === 0) return null;
    const discounts = cuts.map(({ offer, amount }) => ({
      code: codes?.get(offer.id) ?? null,
      name: offer.name,
      amount,
      offer_id: offer.id,
      ...(offer.kind === 'free_delivery' && { of_fee: 'delivery' as const }),
    }));
    const paid = lines.map(({ item, quantity, total, vat_parts }, at) => ({
      quantity,
      vat_rate: item.vat_rate,
      ...(vat_parts && { vat_parts }),
      discount: shares[at] ?? 0,
      total,
    }));
    return { discounts, shares, vat: vatOfLines({ lines: paid, discounts, fees }) };
  };
}

/** Applies the offers, except those whose discount would exceed their budget. */
function applyWithin(
  budgets: OfferContext['budgets'],
  offers: readonly PublicOffer[],
  basket: OfferBasket,
): AppliedOffers {
  const applied = applyOffers(offers, basket);
  const over = applied.cuts.find(({ offer, amount }) => amount > (budgets?.get(offer.id) ?? Infinity));
  return over
    ? applyWithin(
        budgets,
        offers.filter(({ id }) => id !== over.offer.id),
        basket,
      )
    : applied;
}

/** An offer that a basket gets once its subtotal is higher by `missing` (minor units). */
export interface NearlyReachedOffer {
  offer_id: string;
  name: string;
  missing: number;
}

/** The open offers with a minimum above the subtotal, nearest first. They may be for dishes that the basket lacks. */
export function findNearlyReachedOffers(
  circumstances: Omit<OfferContext, 'menus'>,
  subtotal: number,
): NearlyReachedOffer[] {
  return openOffers(circumstances)
    .map(({ id, name, minimum_subtotal: least }) => ({ offer_id: id, name, missing: (least ?? 0) - subtotal }))
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => a.missing - b.missing || (a.offer_id < b.offer_id ? -1 : 1));
}

/**
 * The offers whose conditions are met, apart from the minimum subtotal. Offers that only the server can check are left
 * out.
 */
function openOffers({ store, fulfilment, channel, now }: Omit<OfferContext, 'menus'>): PublicOffer[] {
  const circumstances = { store, fulfilment, channel, now };
  return (store.offers ?? []).filter((offer) => !offer.is_checked && areOfferConditionsMet(offer, circumstances));
}

/** Whether an offer's conditions are met, apart from its minimum subtotal, dishes, people and limits. */
export function areOfferConditionsMet(
  offer: PublicOffer,
  { store, fulfilment, channel, now }: Omit<OfferContext, 'menus'>,
): boolean {
  return (
    isOfferOn(offer, store, now) &&
    (offer.fulfilment_types?.includes(fulfilment) ?? true) &&
    (offer.channels?.includes(channel) ?? true) &&
    (offer.kind !== 'free_delivery' || fulfilment === 'delivery')
  );
}

/** Whether an offer is active at `now`: on its dates, and on its days and hours by the shop's clock. */
function isOfferOn(offer: PublicOffer, store: Pick<Store, 'timezone'>, now: Date): boolean {
  const { starts_at: start, ends_at: end } = offer;
  if (!offer.is_active || (start !== null && now < new Date(start)) || (end !== null && now >= new Date(end))) {
    return false;
  }
  return isInOfferHours(offer, store, now);
}

function isInOfferHours(
  { days, from_time: from, until_time: to }: PublicOffer,
  store: Pick<Store, 'timezone'>,
  now: Date,
): boolean {
  return isWithinAvailability(store, { days: days ?? [...weekdays], from: from ?? '00:00', to: to ?? '00:00' }, now);
}

export interface PriceByOffer {
  offer: PublicOffer;
  /** The dish's price fields, lowered by the offer. */
  item: PricedItem;
  /** The usual price, in minor units; null unless the dish has that price during at least half of the opening hours. */
  usual: number | null;
  /** The minor units by which one piece with these choices is cheaper. */
  savingWith(selected: PriceableLine['selected']): number;
}

/** Finds the dishes that are cheaper at `now` whatever else is ordered. Returns the prices by dish id. */
export function findPricesByOffer({
  store,
  menus,
  now,
}: {
  store: OfferContext['store'] & Parameters<typeof openingSessionsFrom>[0];
  menus: readonly Menu[];
  now: Date;
}): ReadonlyMap<string, PriceByOffer> {
  const found = new Map<string, PriceByOffer>();
  const open = (store.offers ?? []).filter((offer) => isUnconditional(offer) && isOfferOn(offer, store, now));
  if (open.length === 0) return found;
  const strikes = new Set(open.filter((offer) => leavesUsualPrice(offer, store, now)));
  const categories = categoriesOf(menus);
  for (const item of menus.flatMap((menu) => (menu.categories ?? []).flatMap(({ items }) => items ?? []))) {
    const own = itemPriceWithoutExtras(item, []);
    const line = { item_id: item.id, category_ids: categories.get(item.id) ?? [], own, quantity: 1, total: own };
    const { cuts } = applyOffers(open, { lines: [{ ...line, isAged: minAgeOf([item]) !== null }], delivery: 0 });
    const offer = cuts[0]?.offer;
    if (!offer) continue;
    const most = offer.value ?? 0;
    found.set(item.id, {
      offer,
      item: withPriceAtMost(item, most),
      usual: strikes.has(offer) ? startingPrice(item).price : null,
      savingWith: (selected) => Math.max(0, ownPrice(item, selected) - most),
    });
  }
  return found;
}

function isUnconditional(offer: PublicOffer): boolean {
  const { kind, is_checked, minimum_subtotal, max_pieces, fulfilment_types, channels } = offer;
  return kind === 'item_price' && !is_checked && !minimum_subtotal && !max_pieces && !fulfilment_types && !channels;
}

/**
 * Whether the offer's hours are at most half of the next week's opening hours. Only then does the price at other times
 * count as usual, so that it may be shown struck out.
 */
function leavesUsualPrice(
  offer: PublicOffer,
  store: Parameters<typeof findPricesByOffer>[0]['store'],
  now: Date,
): boolean {
  const end = now.getTime() + 7 * DAY;
  const at = [...openingSessionsFrom(store, now.getTime(), 7 * DAY)].flatMap(({ from, to }) => {
    const count = Math.ceil((Math.min(to, end) - from) / (30 * MINUTE));
    return Array.from({ length: Math.max(0, count) }, (_, step) => from + step * 30 * MINUTE);
  });
  const reduced = at.filter((instant) => isInOfferHours(offer, store, new Date(instant)));
  return at.length > 0 && reduced.length * 2 <= at.length;
}

function withPriceAtMost(item: PricedItem, most: number): PricedItem {
  const atMost = <Of extends { price: number }>(of: Of): Of => ({ ...of, price: Math.min(of.price, most) });
  const groups = item.option_groups?.map((group) =>
    group.pricing === 'is_price' ? { ...group, options: group.options?.map(atMost) } : group,
  );
  return { ...atMost(item), option_groups: groups };
}

function categoriesOf(menus: readonly Menu[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const category of menus.flatMap(({ categories = [] }) => categories)) {
    for (const { id } of category.items ?? []) found.set(id, [...(found.get(id) ?? []), category.id]);
  }
  return found;
}

/** Returns the dish's price: the price of its chosen size if it has sizes, otherwise its own. */
function ownPrice(item: PriceableLine['item'], selected: PriceableLine['selected']): number {
  const sizes = selected.filter(({ group }) => group.pricing === 'is_price');
  return sizes.reduce((sum, { option }) => sum + option.price, itemPriceWithoutExtras(item, selected));
}
