import type { Item } from '#menu/menu-shapes.ts';
import type { Selection } from '#menu/option-rules.ts';
import { splitPriceByVatRate } from '#menu/price-parts.ts';
import type { ChargedFee } from '#ordering/fee-words.ts';
import type { Discount, Line, VatRow } from '#ordering/order.ts';
import { sortByVatRate, type GrossByRate, type GrossOfRate, vatRowsOf } from '#ordering/vat-rows.ts';
import { addToSum } from '#platform/money.ts';
import type { DeliveryZone, FulfilmentType, Store } from '#store/contract.ts';
import { deliveryFee } from '#store/delivery-zones.ts';

export interface DiscountedPrice {
  discounts: Discount[];
  shares: readonly number[];
  vat: VatRow[];
}

/** Finds a priced basket's discounts; null if it has none. Browsers load it only in shops with offers. */
export type FindDiscounts<Of extends PriceableLine = PriceableLine> = (
  priced: Pick<BasketPrice<Of>, 'lines' | 'subtotal' | 'fees'>,
) => DiscountedPrice | null;

export interface PriceableLine {
  item: Pick<Item, 'price' | 'vat_rate' | 'option_groups'>;
  selected: readonly Selection[];
  quantity: number;
}

export interface PriceableBasket<Of extends PriceableLine = PriceableLine> {
  store: Pick<Store, 'service_fee' | 'bag_fee'>;
  fulfilment_type: FulfilmentType;
  /** The zone that delivers to the address. Null: no zone is known, so no delivery fee is charged. */
  zone: Pick<DeliveryZone, 'fee' | 'free_over'> | null;
  lines: readonly Of[];
  tip: number;
  findDiscounts?: FindDiscounts<Of> | undefined;
}

/** The prices of one piece and of the whole line, in minor units. */
export interface OrderLinePrice extends Pick<Line, 'vat_parts' | 'discount'> {
  unit_price: number;
  total: number;
}

/** `total` = `subtotal` - discounts + fees + `tip`; the `vat` rows sum to `total` - `tip`. */
export interface BasketPrice<Of extends PriceableLine = PriceableLine> {
  lines: (Of & OrderLinePrice)[];
  subtotal: number;
  discounts: Discount[];
  fees: ChargedFee[];
  tip: number;
  total: number;
  vat: VatRow[];
}

/** The UK's standard VAT rate in basis points. Bag and service fees have this rate, whatever rate the food has. */
const standardRate = 2000;

/**
 * The only calculation of prices, used by browser, server and receipts. Prices include VAT, in minor units; quantities
 * and prices are integers from 0. VAT is computed once per rate, from the sum at that rate. `splitPriceByVatRate`
 * splits a dish's price over the rates. The delivery fee is split over the rates of the lines by largest remainder.
 * Free delivery and minimums depend on the subtotal before discounts.
 */
export function priceBasket<Of extends PriceableLine>(basket: PriceableBasket<Of>): BasketPrice<Of> {
  const gross: GrossByRate = new Map();
  const lines = basket.lines.map((line) => ({ ...line, ...priceLine(line, gross) }));
  const subtotal = lines.reduce((sum, line) => sum + line.total, 0);
  const fees = chargeFees(basket, subtotal, sortByVatRate(gross));
  const cut = basket.findDiscounts?.({ lines, subtotal, fees });
  const discounts = cut?.discounts ?? [];
  let total = subtotal + basket.tip;
  for (const { amount } of discounts) total -= amount;
  for (const { amount } of fees) total += amount;
  return {
    lines: cut ? lines.map((line, at) => ({ ...line, discount: cut.shares[at] ?? 0 })) : lines,
    subtotal,
    discounts,
    fees,
    tip: basket.tip,
    total,
    vat: cut?.vat ?? vatRowsOf(gross, fees),
  };
}

/** The price of one item with its options, in minor units. Options within a group's free choices cost nothing. */
export function unitPrice(item: PriceableLine['item'], selected: readonly Selection[]): number {
  return priceLine({ item, selected, quantity: 1 }, new Map()).unit_price;
}

function priceLine({ item, selected, quantity }: PriceableLine, gross: GrossByRate): OrderLinePrice {
  const parts = splitPriceByVatRate(item, selected);
  let unit = 0;
  let isMixed = false;
  for (const [rate, amount] of parts) {
    unit += amount;
    isMixed ||= rate !== item.vat_rate && amount > 0;
    addToSum(gross, rate, amount * quantity);
  }
  const vat_parts = isMixed ? [...parts].map(([rate, amount]) => ({ rate, amount })) : null;
  return { unit_price: unit, total: unit * quantity, ...(vat_parts && { vat_parts }) };
}

function chargeFees(
  basket: Omit<PriceableBasket, 'findDiscounts'>,
  subtotal: number,
  lines: readonly GrossOfRate[],
): ChargedFee[] {
  const fees: ChargedFee[] = [];
  if (basket.lines.length === 0) return fees;
  const { store, zone } = basket;
  const fee = basket.fulfilment_type === 'delivery' && zone ? deliveryFee(zone, subtotal) : 0;
  if (fee > 0) {
    const taken = lines.filter(([, amount]) => amount > 0);
    const [rate = standardRate] = taken[0] ?? lines[0] ?? [];
    const vat_rate = taken.length > 1 ? null : rate;
    fees.push({ code: 'delivery', amount: fee, vat_rate });
  }
  if (store.service_fee > 0) {
    fees.push({ code: 'service', amount: store.service_fee, vat_rate: standardRate });
  }
  if (store.bag_fee > 0) {
    fees.push({ code: 'bag', amount: store.bag_fee, vat_rate: standardRate });
  }
  return fees;
}
