import { m } from '#messages';
import type { Basket, BasketProblem, BasketQuote } from '#ordering/basket.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import { withFeeNames } from '#ordering/fee-words.ts';
import { maxPrepMinutes } from '#ordering/promise.ts';
import { type BasketPrice, type FindDiscounts, priceBasket } from '#ordering/pricing.ts';
import {
  checkServingTimes,
  resolveBasketLines,
  type ResolvedBasketLine,
  createOrderLine,
} from '#ordering/quote-lines.ts';
import { formatMoney } from '#platform/money.ts';
import type { DeliveryZone, PaymentMethod, Store } from '#store/contract.ts';
import { unmetCardMinimumOfStore, offeredPaymentMethods } from '#store/card-provider.ts';
import { findZone } from '#store/delivery-zones.ts';
import { parsePostcode, postcodeFaultWords } from '#store/postcodes.ts';
import { findEarliestSlot, type SlotDemand } from '#store/slot-rules.ts';
import { checkRequestedTime } from '#store/slots.ts';

// Re-exported, because every caller of `quoteBasket` needs an index.
export { indexMenus, type MenuIndex } from '#menu/menu-index.ts';

export interface QuoteRequest {
  store: Store;
  index: MenuIndex;
  basket: Basket;
  now: Date;
  /** The number of orders in each slot, by the slot's start (ISO 8601 in UTC). */
  taken?: ReadonlyMap<string, number>;
  /** The payment method to check; if missing, no method is checked. */
  paymentMethod?: PaymentMethod;
  findDiscounts?: FindDiscounts<ResolvedBasketLine> | undefined;
}

/** The largest total, in minor units. */
const maxTotal = 100_000_000;
/** The largest tip, in minor units. */
const maxTip = 100_000;
const maxProblems = 50;

/**
 * Prices a basket and collects its problems, each with the path of its field. Accepts any basket of the right types: an
 * out-of-range value becomes a problem, and never makes an amount wrong or negative.
 */
export function quoteBasket(request: QuoteRequest): BasketQuote {
  const { store, index, basket, now, taken, paymentMethod, findDiscounts } = request;
  const problems: BasketProblem[] = [];
  if (basket.lines.length === 0)
    problems.push({ code: 'basket_empty', message: m.ordering_basket_empty(), path: 'lines' });
  const lines = resolveBasketLines(index, basket.lines, now, problems);
  const delivery = findDelivery(store, basket, problems);

  const price = priceBasket({
    store,
    fulfilment_type: basket.fulfilment_type,
    zone: delivery?.zone ?? null,
    lines,
    tip: tipOf(basket),
    findDiscounts,
  });
  if (delivery) checkMinimum(store, delivery, price.subtotal, lines.length, problems);
  if (price.total > maxTotal)
    problems.push({ code: 'order_too_large', message: m.ordering_order_too_large(), path: 'lines' });

  const prepMinutes = maxPrepMinutes(
    lines.flatMap(({ item, selected }) => [item, ...selected.map(({ option }) => option)]),
  );
  const need = needOf(prepMinutes, delivery, taken);
  const earliest = findEarliestSlot(store, basket.fulfilment_type, now, need)?.at ?? null;
  const timeProblem = checkRequestedTime(store, basket.fulfilment_type, basket.requested_for, now, need);
  checkServingTimes(store, lines, servedAt(basket.requested_for, timeProblem ? earliest : null, now), problems);
  if (timeProblem) problems.push({ ...timeProblem, path: 'requested_for' });
  if (paymentMethod) checkPayment(store, basket, paymentMethod, price.total, problems);

  return present(price, basket.allergies ?? [], { earliest_at: earliest, prep_minutes: prepMinutes }, problems);
}

function needOf(prepMinutes: number, delivery: Delivery | null, taken: QuoteRequest['taken']): SlotDemand {
  const zoneExtraMinutes = delivery?.zone.extra_minutes ?? 0;
  return { itemsPrepMinutes: prepMinutes, zoneExtraMinutes, ...(taken && { taken }) };
}

function tipOf({ tip }: Basket): number {
  return Number.isSafeInteger(tip) ? Math.min(Math.max(tip, 0), maxTip) : 0;
}

interface Delivery {
  zone: DeliveryZone;
  outward: string;
}

function findDelivery(store: Store, basket: Basket, problems: BasketProblem[]): Delivery | null {
  if (basket.fulfilment_type === 'collection') {
    if (!store.collection_enabled) {
      problems.push({
        code: 'fulfilment_unavailable',
        message: m.ordering_collection_unavailable(),
        path: 'fulfilment_type',
      });
    }
    return null;
  }
  if (!store.delivery_enabled) {
    problems.push({
      code: 'fulfilment_unavailable',
      message: m.ordering_delivery_unavailable(),
      path: 'fulfilment_type',
    });
    return null;
  }
  const path = 'address.postcode';
  const text = basket.address?.postcode?.trim() ?? '';
  if (text === '') {
    problems.push({ code: 'address_required', message: m.ordering_address_required(), path });
    return null;
  }
  const postcode = parsePostcode(text);
  if (!postcode) {
    problems.push({ code: 'postcode_invalid', message: postcodeFaultWords(text), path });
    return null;
  }
  const { outward } = postcode;
  const zone = findZone(store.delivery_zones, postcode);
  if (zone) return { zone, outward };
  problems.push({ code: 'outside_zones', message: m.ordering_outside_zones({ outward }), path });
  return null;
}

function checkMinimum(
  store: Store,
  { zone, outward }: Delivery,
  subtotal: number,
  lines: number,
  problems: BasketProblem[],
): void {
  if (lines === 0 || subtotal >= zone.minimum_order) return;
  const amount = formatMoney(zone.minimum_order - subtotal, store.currency);
  const minimum = formatMoney(zone.minimum_order, store.currency);
  const message = m.ordering_below_minimum({ amount, outward, minimum });
  problems.push({ code: 'below_minimum', message, path: 'lines' });
}

function checkPayment(
  store: Store,
  basket: Basket,
  method: PaymentMethod,
  total: number,
  problems: BasketProblem[],
): void {
  const path = 'payment_method';
  if (!offeredPaymentMethods(store, basket.fulfilment_type, total).includes(method)) {
    const least = unmetCardMinimumOfStore(store, basket.fulfilment_type, total);
    const message =
      method === 'cash'
        ? m.ordering_cash_unavailable()
        : least === null
          ? m.ordering_card_unavailable()
          : m.ordering_card_minimum({ amount: formatMoney(least, store.currency) });
    problems.push({ code: 'payment_method_unavailable', message, path });
  } else if (method === 'cash' && store.cash_max !== null && total > store.cash_max) {
    const amount = formatMoney(store.cash_max, store.currency);
    const details = { kind: 'cash_limit', amount: store.cash_max, currency: store.currency } as const;
    problems.push({ code: 'cash_limit', message: m.ordering_cash_limit({ amount }), path, details });
  }
}

/** The time at which the dishes must be on a menu: the requested time, otherwise `earliest`, otherwise now. */
function servedAt(requestedFor: string | null, earliest: string | null, now: Date): Date {
  const requested = requestedFor === null ? NaN : Date.parse(requestedFor);
  if (!Number.isNaN(requested)) return new Date(requested);
  return earliest === null ? now : new Date(earliest);
}

function present(
  price: BasketPrice<ResolvedBasketLine>,
  allergies: readonly string[],
  times: Pick<BasketQuote, 'earliest_at' | 'prep_minutes'>,
  problems: BasketProblem[],
): BasketQuote {
  return {
    lines: price.lines.map((line) => createOrderLine(line, allergies)),
    subtotal: price.subtotal,
    discounts: price.discounts,
    fees: withFeeNames(price.fees),
    tip: price.tip,
    total: price.total,
    vat: price.vat,
    ...times,
    problems: problems.slice(0, maxProblems),
  };
}
