import type { Item } from '#menu/contract.ts';
import type { Selection } from '#menu/option-rules.ts';
import type { ChargedFee, Discount, VatRow } from '#ordering/order.ts';
import { apportion, shareOf, vatWithin } from '#platform/money.ts';
import type { DeliveryZone, FulfilmentType, Store } from '#store/contract.ts';

/** A discount that applies by itself or by a voucher. Which of them a basket may have is decided before pricing. */
export interface DiscountRule {
  code: string;
  name: string;
  kind: 'percent' | 'amount';
  /** Basis points of the subtotal (1000 is 10 %), or minor units. */
  value: number;
  minimum_subtotal: number;
}

export interface PricingRules {
  discounts?: readonly DiscountRule[];
}

export interface LineToPrice {
  item: Pick<Item, 'price' | 'vat_rate'>;
  selected: readonly Selection[];
  quantity: number;
}

export interface BasketToPrice {
  store: Pick<Store, 'service_fee' | 'bag_fee'>;
  fulfilment_type: FulfilmentType;
  /** The zone that delivers; null while it is not known, and then no delivery fee is charged. */
  zone: Pick<DeliveryZone, 'fee' | 'free_over'> | null;
  lines: readonly LineToPrice[];
  tip: number;
  rules?: PricingRules;
}

/** `total` = `subtotal` - discounts + fees + `tip`; the `vat` rows sum to `total` - `tip`. */
export interface Price {
  lines: { unit_price: number; total: number }[];
  subtotal: number;
  discounts: Discount[];
  fees: ChargedFee[];
  tip: number;
  total: number;
  vat: VatRow[];
}

/** UK: a bag and a service are standard-rated, whatever food they come with. Basis points. */
const standardRate = 2000;

/**
 * The one price of a basket, for browser, server and receipt. Minor units, VAT included; quantities and prices are
 * integers from 0. VAT is found per rate from the sum at that rate. An option with a rate of its own takes its part of
 * the line there. Discounts, and delivery, which is part of the supply of the food, follow the lines over their rates
 * by largest remainder; what is free of charge or of minimum is judged by the subtotal before discounts.
 */
export function priceBasket(basket: BasketToPrice): Price {
  const gross: Gross = { rates: [], amounts: [] };
  let subtotal = 0;
  const lines = [];
  for (const line of basket.lines) {
    const price = priceLine(line, gross);
    lines.push(price);
    subtotal += price.total;
  }
  const discounts = applyDiscounts(basket.rules?.discounts ?? [], subtotal);
  const fees = chargeFees(basket, subtotal, gross);
  const vat = findVat(gross, discounts, fees);
  let total = subtotal + basket.tip;
  for (const { amount } of discounts) total -= amount;
  for (const { amount } of fees) total += amount;
  return { lines, subtotal, discounts, fees, tip: basket.tip, total, vat };
}

/** What one of an item costs with its options, free selections taken off. Minor units. */
export function unitPrice(item: LineToPrice['item'], selected: readonly Selection[]): number {
  return priceLine({ item, selected, quantity: 1 }, { rates: [], amounts: [] }).unit_price;
}

/** Parallel arrays: a basket has two or three rates. Dearest first, so that the order of lines decides no rounding. */
interface Gross {
  rates: number[];
  amounts: number[];
}

function addGross(gross: Gross, rate: number, amount: number): void {
  const { rates, amounts } = gross;
  const index = rates.indexOf(rate);
  if (index !== -1) {
    amounts[index] = (amounts[index] ?? 0) + amount;
    return;
  }
  let at = 0;
  while ((rates[at] ?? -1) > rate) at += 1;
  rates.splice(at, 0, rate);
  amounts.splice(at, 0, amount);
}

function priceLine({ item, selected, quantity }: LineToPrice, gross: Gross): { unit_price: number; total: number } {
  const free = freeQuantities(selected);
  let unit = item.price;
  let ownPart = item.price;
  for (const [index, { option, quantity: chosen }] of selected.entries()) {
    const amount = option.price * (chosen - (free?.[index] ?? 0));
    unit += amount;
    const rate = option.vat_rate ?? item.vat_rate;
    if (rate === item.vat_rate) ownPart += amount;
    else addGross(gross, rate, amount * quantity);
  }
  addGross(gross, item.vat_rate, ownPart * quantity);
  return { unit_price: unit, total: unit * quantity };
}

/** How many of each selection are free: the dearest of each group, so that the order of choosing never matters. */
function freeQuantities(selected: readonly Selection[]): number[] | null {
  if (!selected.some(({ group }) => group.free_select > 0)) return null;
  const free = selected.map(() => 0);
  const dearestFirst = [...selected.keys()].sort((a, b) => compareForFree(selected[a], selected[b]));
  const used = new Map<string, number>();
  for (const index of dearestFirst) {
    const selection = selected[index];
    if (!selection) continue;
    const { group, quantity } = selection;
    const left = group.free_select - (used.get(group.id) ?? 0);
    const taken = Math.max(0, Math.min(left, quantity));
    free[index] = taken;
    used.set(group.id, (used.get(group.id) ?? 0) + taken);
  }
  return free;
}

/** Equal prices fall back on the menu's order, since which is free may decide the VAT. */
function compareForFree(a: Selection | undefined, b: Selection | undefined): number {
  if (!a || !b) return 0;
  return b.option.price - a.option.price || a.place - b.place;
}

/** Each is worked out on the subtotal; together they never take more than there is. */
function applyDiscounts(rules: readonly DiscountRule[], subtotal: number): Discount[] {
  const discounts: Discount[] = [];
  let left = subtotal;
  for (const { code, name, kind, value, minimum_subtotal } of rules) {
    if (subtotal < minimum_subtotal || value <= 0) continue;
    const amount = Math.min(left, kind === 'percent' ? shareOf(subtotal, value, 10_000) : value);
    if (amount === 0) continue;
    discounts.push({ code, name, amount });
    left -= amount;
  }
  return discounts;
}

function chargeFees(basket: BasketToPrice, subtotal: number, gross: Gross): ChargedFee[] {
  const fees: ChargedFee[] = [];
  if (basket.lines.length === 0) return fees;
  const { store, zone } = basket;
  if (
    basket.fulfilment_type === 'delivery' &&
    zone &&
    zone.fee > 0 &&
    !(zone.free_over !== null && subtotal >= zone.free_over)
  ) {
    const rates = gross.rates.filter((_, index) => (gross.amounts[index] ?? 0) > 0);
    const vat_rate = rates.length > 1 ? null : (rates[0] ?? gross.rates[0] ?? standardRate);
    fees.push({ code: 'delivery', amount: zone.fee, vat_rate });
  }
  if (store.service_fee > 0) {
    fees.push({ code: 'service', amount: store.service_fee, vat_rate: standardRate });
  }
  if (store.bag_fee > 0) {
    fees.push({ code: 'bag', amount: store.bag_fee, vat_rate: standardRate });
  }
  return fees;
}

/** Rates at which nothing is taken are left out. */
function findVat(lines: Gross, discounts: readonly Discount[], fees: readonly ChargedFee[]): VatRow[] {
  const gross: Gross = { rates: [...lines.rates], amounts: [...lines.amounts] };
  const spread = (amount: number, sign: 1 | -1) => {
    for (const [index, part] of apportion(amount, lines.amounts).entries()) {
      addGross(gross, lines.rates[index] ?? 0, sign * part);
    }
  };
  // All discounts at once: rounded one by one they could take more at a rate than there is.
  const discount = discounts.reduce((sum, { amount }) => sum + amount, 0);
  if (discount > 0) spread(discount, -1);
  for (const { amount, vat_rate } of fees) {
    if (vat_rate === null) spread(amount, 1);
    else addGross(gross, vat_rate, amount);
  }
  const rows: VatRow[] = [];
  for (const [index, rate] of gross.rates.entries()) {
    const amount = gross.amounts[index] ?? 0;
    if (amount === 0) continue;
    const vat = vatWithin(amount, rate);
    rows.push({ rate, net: amount - vat, vat });
  }
  return rows;
}
