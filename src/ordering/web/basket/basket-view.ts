import { m } from '#messages';
import { useMemo } from 'react';
import type { Allergens, Menu } from '#menu/menu-shapes.ts';
import type { BasketProblem, BasketQuote, BasketToQuote } from '#ordering/basket.ts';
import { indexMenus, type MenuIndex } from '#menu/menu-index.ts';
import { normaliseSelections, type Selection } from '#menu/option-rules.ts';
import { type FindDiscounts, unitPrice } from '#ordering/pricing.ts';
import type { NearlyReachedOffer } from '#ordering/offers/find-discounts.ts';
import type { ResolvedBasketLine } from '#ordering/quote-lines.ts';
import { useServerPrice } from '#ordering/web/basket/server-price.ts';
import { type OfferEngine, useOfferEngine } from '#ordering/web/basket/use-offers.ts';
import { quoteBasket } from '#ordering/quote.ts';
import {
  type StoredBasket,
  type StoredLine,
  useBasket,
  useDeferredBasketPart,
} from '#ordering/web/basket/basket-store.ts';
import { useNow } from '#platform/web/clock.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { DeliveryZone, FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { parsePostcode, postcodeFaultWords } from '#store/postcodes.ts';
import { chosenFulfilment } from '#store/web/fulfilment.ts';
import { useShop } from '#shop/web/shop.ts';

export interface BasketLineView {
  line: StoredLine;
  /** The dish as it is on the current menu, with the chosen options; null if the dish is gone. */
  now: { name: string; unit_price: number; selected: readonly Selection[]; allergens: Allergens } | null;
  /** The price of one item when it was chosen; null if that price still applies, or the dish is gone. */
  changedFrom: number | null;
  problems: readonly BasketProblem[];
}

export interface BasketView {
  store: Store;
  index: MenuIndex;
  /**
   * Returns the function that finds the discounts of the shop's offers at the time `now`. Returns undefined without
   * offers, and until the code for offers is loaded.
   */
  discountsAt(now: Date): FindDiscounts<ResolvedBasketLine> | undefined;
  /**
   * An offer's rule and conditions in one sentence; null if the browser does not know them, and until the code for
   * offers is loaded.
   */
  offerWords(id: string): string | null;
  held: StoredBasket;
  basket: BasketToQuote;
  fulfilment: FulfilmentType;
  lines: readonly BasketLineView[];
  count: number;
  /** The zone that delivers to the postcode; null if there is none, and for collection. */
  zone: DeliveryZone | null;
  /**
   * The minor units by which the subtotal is below the lowest minimum of all zones, otherwise 0. Always 0 for
   * collection, with a valid postcode, and for an empty basket.
   */
  toLowestMinimum: number;
  /** The sum of the lines in minor units; 0 for an empty basket. */
  subtotal: number;
  /** The nearest offer whose minimum the subtotal does not reach; null if there is none. */
  near: NearlyReachedOffer | null;
  /** The basket's price as far as it is known; null when it is empty. */
  quote: BasketQuote | null;
  /**
   * The problems of lines, and a subtotal below the minimum. They prevent the order, whatever its other fields contain.
   */
  blocking: readonly BasketProblem[];
}

/**
 * The basket, priced in the browser by `quoteBasket`, which the server uses as well. If the basket has a code, or the
 * shop has offers with limits, the server's price replaces the browser's.
 */
export function useBasketView(): BasketView {
  return useView(useBasket());
}

/**
 * `useBasketView` for elements around the lines. After a tap the line updates first, and these elements a frame later.
 */
export function useDeferredBasketView(): BasketView {
  return useView(useDeferredBasketPart((held) => held));
}

function useView(held: StoredBasket): BasketView {
  const { store, menus } = useShop();
  const at = useNow().getTime();
  const offers = useOfferEngine(store);
  return useServerPrice(useMemo(() => viewOnce(store, menus, held, at, offers), [store, menus, held, at, offers]));
}

let last: { of: readonly unknown[]; view: BasketView } | null = null;

/** Keeps the last view, so that the basket's bar and its sheet do not compute it twice. */
function viewOnce(
  store: Store,
  menus: readonly Menu[],
  held: StoredBasket,
  at: number,
  offers: OfferEngine | null,
): BasketView {
  const of = [store, menus, held, at, offers];
  if (last?.of.every((each, place) => each === of[place])) return last.view;
  last = { of, view: createBasketView(store, menus, held, new Date(at), offers) };
  return last.view;
}

export function createBasketView(
  store: Store,
  menus: readonly Menu[],
  held: StoredBasket,
  now: Date,
  offers: OfferEngine | null = null,
): BasketView {
  const index = getCachedMenuIndex(menus);
  const own = held.store_id === store.id ? held.lines : [];
  const fulfilment = chosenFulfilment(store, held);
  const basket = toBasket(store, fulfilment, held, own);
  const offered = { store, fulfilment, channel: basket.channel ?? 'web' };
  const discountsAt = (at: Date) => offers?.createDiscountFinder({ ...offered, menus, now: at });
  const findDiscounts = discountsAt(now);
  const quote = own.length === 0 ? null : quoteBasket({ store, index, now, basket, findDiscounts });
  const problems = quote?.problems ?? [];
  const zone = fulfilment === 'delivery' ? findZone(store.delivery_zones, held.postcode) : null;
  return {
    store,
    index,
    discountsAt,
    offerWords: (id) => {
      const offer = store.offers?.find((one) => one.id === id);
      return (offer && offers && `${offers.offerRuleWords(offer, store, offers.createMenuNameLookup(menus))}.`) ?? null;
    },
    held,
    basket,
    fulfilment,
    lines: own.map((line, place) => viewLine(line, index, problemsOf(problems, place))),
    count: own.reduce((sum, line) => sum + line.quantity, 0),
    zone,
    toLowestMinimum:
      fulfilment === 'delivery' && !parsePostcode(held.postcode) && quote ? missingToLowest(store, quote.subtotal) : 0,
    subtotal: quote === null ? 0 : quote.subtotal,
    near: (quote && offers?.findNearlyReachedOffers({ ...offered, now }, quote.subtotal)[0]) ?? null,
    quote,
    blocking: problems.filter(({ code, path }) => path.startsWith('lines.') || code === 'below_minimum'),
  };
}

/** Whether a line costs more than when it was chosen. Only then must the customer accept the new price. */
export function isPriceHigher({ now, changedFrom }: Pick<BasketLineView, 'now' | 'changedFrom'>): boolean {
  return now !== null && changedFrom !== null && now.unit_price > changedFrom;
}

/** The error of the basket's postcode; null if there is none. Half a postcode is an error once its field was left. */
export function basketPostcodeErrorWords(
  { held, zone }: Pick<BasketView, 'held' | 'zone'>,
  isLeft: boolean,
): string | null {
  const { postcode } = held;
  const parsed = parsePostcode(postcode);
  if (parsed) return zone ? null : m.ordering_outside_zones({ outward: parsed.outward });
  return isLeft && postcode.trim() ? postcodeFaultWords(postcode) : null;
}

export function hasLineQuestion(line: BasketLineView): boolean {
  return isPriceHigher(line) || line.problems.length > 0;
}

function missingToLowest(store: Store, subtotal: number): number {
  const minimums = store.delivery_zones.map((zone) => zone.minimum_order);
  return minimums.length === 0 ? 0 : Math.max(0, Math.min(...minimums) - subtotal);
}

export interface CheckoutChoices {
  requestedFor: string | null;
  tip: number;
  paymentMethod: PaymentMethod;
  now: Date;
}

export function quoteCheckout(
  view: BasketView,
  { requestedFor, tip, paymentMethod, now }: CheckoutChoices,
): BasketQuote & { basket: BasketToQuote } {
  const { store, index, discountsAt } = view;
  const basket = {
    ...view.basket,
    requested_for: requestedFor,
    tip,
  };
  return { ...quoteBasket({ store, index, now, basket, paymentMethod, findDiscounts: discountsAt(now) }), basket };
}

function toBasket(
  store: Store,
  fulfilment: FulfilmentType,
  { postcode, code }: StoredBasket,
  lines: readonly StoredLine[],
): BasketToQuote {
  return {
    ...(nativeShell().app && { channel: 'app' as const }),
    ...(code && { codes: [code] }),
    store_id: store.id,
    fulfilment_type: fulfilment,
    requested_for: null,
    address: fulfilment === 'delivery' && postcode ? { postcode } : null,
    note: '',
    allergy_note: '',
    tip: 0,
    lines: lines.map(({ item_id, quantity, note, options }) => ({ item_id, quantity, note, options })),
  };
}

function viewLine(line: StoredLine, index: MenuIndex, problems: readonly BasketProblem[]): BasketLineView {
  const found = index.items.get(line.item_id);
  if (!found) return { line, now: null, changedFrom: null, problems };
  const { selected } = normaliseSelections(found, line.options);
  const price = unitPrice(found.item, selected);
  return {
    line,
    now: { name: found.item.name, unit_price: price, selected, allergens: found.item.allergens },
    changedFrom: price === line.seen_price ? null : line.seen_price,
    problems,
  };
}

function problemsOf(problems: readonly BasketProblem[], line: number): BasketProblem[] {
  return problems.filter(({ path }) => path === `lines.${line}` || path.startsWith(`lines.${line}.`));
}

const indexes = new WeakMap<readonly Menu[], MenuIndex>();

/** The index of the displayed menus. The cache's key is the `menus` object. */
export function getCachedMenuIndex(menus: readonly Menu[]): MenuIndex {
  let index = indexes.get(menus);
  if (!index) {
    index = indexMenus(menus);
    indexes.set(menus, index);
  }
  return index;
}
