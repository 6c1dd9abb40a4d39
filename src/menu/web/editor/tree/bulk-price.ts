import { change, changeSeen, type MenuOperation } from '#menu/operations/menu-operation.ts';
import type { GroupPart, ItemPart, PartsIndex } from '#menu/operations/menu-part.ts';
import { priceGroupOf } from '#menu/web/editor/seen-price.ts';
import { minorDigits, shareOf } from '#platform/money.ts';

export const roundings = ['none', 'five', 'ten', 'ninety_nine'] as const;
export type Rounding = (typeof roundings)[number];

/** How the prices change. `amount` is minor units, or for `percent` basis points of the price; it may be negative. */
export interface PriceRule {
  by: 'percent' | 'amount';
  amount: number;
  rounding: Rounding;
}

/** Roundings that make sense: no price ends in .99 where there are no hundredths. */
export function roundingsIn(currency: string): Rounding[] {
  return roundings.filter((rounding) => rounding !== 'ninety_nine' || minorDigits(currency) === 2);
}

/** Of what was typed: percent with at most two decimals, or units of the currency. */
export function readRule(by: PriceRule['by'], typed: number, rounding: Rounding, currency: string): PriceRule {
  const unit = by === 'percent' ? 100 : 10 ** minorDigits(currency);
  return { by, amount: Math.round(typed * unit) || 0, rounding };
}

/** £10,000, the API's maximum for one price. */
const HIGHEST = 1_000_000;

/**
 * The new price in minor units, never below 0. Rounds to the nearest 5p or 10p, a half upwards; `ninety_nine` rounds
 * to the nearest price that ends in .99. A free dish stays free: percentages and rounding do not give it a price.
 */
export function newPrice(price: number, { by, amount, rounding }: PriceRule): number {
  if (price === 0) return 0;
  const change = by === 'amount' ? amount : Math.sign(amount) * shareOf(price, Math.abs(amount), 10_000);
  return Math.min(HIGHEST, round(Math.max(0, price + change), rounding));
}

/** A price before and after. */
export interface PriceChange {
  key: string;
  name: string;
  was: number;
  price: number;
}

export interface BulkPrices {
  changes: PriceChange[];
  operations: MenuOperation[];
  /** Other dishes whose prices change too, because they share a group or an option. */
  others: ItemPart[];
}

/**
 * The prices that a rule changes on these dishes: their own, or those of the choices that are their price; with
 * `withOptions` those of all their choices.
 */
export function bulkPrices(
  index: PartsIndex,
  chosen: readonly ItemPart[],
  rule: PriceRule,
  withOptions: boolean,
): BulkPrices {
  const all: BulkPrices = { changes: [], operations: [], others: [] };
  const others = new Set<ItemPart>();
  const note = (key: string, name: string, was: number): number => {
    const price = newPrice(was, rule);
    if (price !== was) all.changes.push({ key, name, was, price });
    return price;
  };
  const groups = new Map<string, GroupPart>();
  for (const item of chosen) {
    for (const { id } of item.option_groups) {
      const group = index.groups.get(id);
      if (group && (withOptions || group.pricing === 'is_price')) groups.set(id, group);
    }
    if (priceGroupOf(index, item)) continue;
    const price = note(item.id, item.name, item.price);
    if (price !== item.price) all.operations.push(changeSeen('item', item, { price }));
  }
  const seen = new Set<string>();
  for (const group of groups.values()) {
    const nameOf = (id: string): string => `${group.name}: ${index.options.get(id)?.name ?? ''}`;
    const links = group.options.flatMap(({ id, price_override: was }) => (was === null ? [] : [{ id, was }]));
    const next = links.map(({ id, was }) => ({ id, price_override: note(`${group.id} ${id}`, nameOf(id), was) }));
    if (links.some(({ was }, at) => was !== next[at]?.price_override)) {
      const before = links.map(({ id, was }) => ({ id, price_override: was }));
      all.operations.push(change('group', group.id, { options: next }, { options: before }));
      for (const item of index.itemsOfGroup.get(group.id) ?? []) others.add(item);
    }
    for (const { id, price_override: override } of group.options) {
      const option = index.options.get(id);
      if (!option || override !== null || seen.has(id)) continue;
      seen.add(id);
      const price = note(id, nameOf(id), option.price);
      if (price === option.price) continue;
      all.operations.push(changeSeen('option', option, { price }));
      for (const item of itemsWith(index, id)) others.add(item);
    }
  }
  return { ...all, others: [...others].filter((item) => !chosen.includes(item)) };
}

/** The dishes that have an option at its own price. */
function itemsWith(index: PartsIndex, optionId: string): ItemPart[] {
  const groups = index.groupsOfOption.get(optionId) ?? [];
  return groups
    .filter(({ options }) => options.some(({ id, price_override: own }) => id === optionId && own === null))
    .flatMap(({ id }) => index.itemsOfGroup.get(id) ?? []);
}

function round(price: number, rounding: Rounding): number {
  if (rounding === 'five') return Math.floor((price + 2.5) / 5) * 5;
  if (rounding === 'ten') return Math.floor((price + 5) / 10) * 10;
  if (rounding === 'ninety_nine') return price === 0 ? 0 : Math.max(99, Math.floor((price + 51) / 100) * 100 - 1);
  return price;
}
