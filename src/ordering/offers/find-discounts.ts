import { weekdays } from '#database/page-values.ts';
import { isServedAt } from '#menu/menu-availability.ts';
import type { Item, Menu } from '#menu/menu-shapes.ts';
import { itemPriceWithoutExtras } from '#menu/starting-price.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { type AppliedOffers, applyOffers, type OfferBasket } from '#ordering/offers/apply-offers.ts';
import type { OrderChannel } from '#ordering/order.ts';
import type { FindDiscounts, PriceableLine } from '#ordering/pricing.ts';
import { vatOfLines } from '#ordering/remove-lines.ts';
import type { FulfilmentType, Store } from '#store/contract.ts';
import type { PublicOffer } from '#store/offer-shapes.ts';

export interface OfferContext {
  store: Pick<Store, 'timezone' | 'offers'>;
  menus: readonly Menu[];
  fulfilment: FulfilmentType;
  channel: OrderChannel;
  /** The order's time, against which an offer's days, hours and dates are checked. */
  now: Date;
  /** The typed codes, and the remaining limited budgets, both by offer id; only the server knows them. */
  codes?: ReadonlyMap<string, string>;
  budgets?: ReadonlyMap<string, number>;
}

export type LineWithDish = PriceableLine & { item: Pick<Item, 'id' | 'min_age'> };

/** Makes the function that prices a store's offers, the same for browser and server. */
export function discountsOf<Of extends LineWithDish>(circumstances: OfferContext): FindDiscounts<Of> {
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

/** Applies the offers, leaving out those whose discount would exceed their budget. */
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
export interface NearOffer {
  offer_id: string;
  name: string;
  missing: number;
}

/**
 * The open offers whose minimum the subtotal does not reach, nearest first; offers on dishes that the basket lacks are
 * included.
 */
export function nearOffers(circumstances: Omit<OfferContext, 'menus'>, subtotal: number): NearOffer[] {
  return openOffers(circumstances)
    .map(({ id, name, minimum_subtotal: least }) => ({ offer_id: id, name, missing: (least ?? 0) - subtotal }))
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => a.missing - b.missing || (a.offer_id < b.offer_id ? -1 : 1));
}

/** The offers whose conditions are met, apart from the minimum subtotal. */
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

/** Whether an offer is active at `now`: on its dates and, by the shop's clock, its days and hours. */
function isOfferOn(offer: PublicOffer, store: Pick<Store, 'timezone'>, now: Date): boolean {
  const { days, from_time: from, until_time: to, starts_at: start, ends_at: end } = offer;
  if (!offer.is_active || (start !== null && now < new Date(start)) || (end !== null && now >= new Date(end))) {
    return false;
  }
  const hours = { days: days ?? [...weekdays], from: from ?? '00:00', to: to ?? '00:00' };
  return isServedAt(store, hours, now);
}

function categoriesOf(menus: readonly Menu[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const category of menus.flatMap(({ categories = [] }) => categories)) {
    for (const { id } of category.items ?? []) found.set(id, [...(found.get(id) ?? []), category.id]);
  }
  return found;
}

/** The dish's price: that of its chosen size if a group is priced `is_price`, otherwise its own. */
function ownPrice(item: PriceableLine['item'], selected: PriceableLine['selected']): number {
  const sizes = selected.filter(({ group }) => group.pricing === 'is_price');
  return sizes.reduce((sum, { option }) => sum + option.price, itemPriceWithoutExtras(item, selected));
}
