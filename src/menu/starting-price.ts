import { m } from '#messages';
import type { Item, OptionGroup } from '#menu/menu-shapes.ts';
import type { Selection } from '#menu/option-rules.ts';
import { formatMoney } from '#platform/money.ts';

export type PricedGroup = Pick<
  OptionGroup,
  'pricing' | 'min_select' | 'free_select' | 'max_per_option' | 'shown_when_option_id'
> & { options?: { price: number }[] | undefined };
export type PricedItem = Pick<Item, 'price'> & { option_groups?: PricedGroup[] | undefined };

export interface StartingPrice {
  /** The price of the item with its cheapest required choices, in minor units. */
  price: number;
  /** Whether required choices can cost more than `price`. */
  isFrom: boolean;
}

/** An item's lowest price. Groups with a condition do not count. */
export function startingPrice(item: PricedItem): StartingPrice {
  let price = itemPriceWithoutExtras(item, []);
  let isFrom = new Set(pricesOf(item)).size > 1;
  for (const group of item.option_groups ?? []) {
    const paid = group.min_select - group.free_select;
    if (paid <= 0 || group.shown_when_option_id || group.pricing === 'is_price') continue;
    const prices = (group.options ?? []).map((option) => option.price).sort((a, b) => a - b);
    price += cheapest(prices, group.min_select, group)
      .slice(group.free_select)
      .reduce((sum, each) => sum + each, 0);
    if (prices.at(-1) !== prices[0]) isFrom = true;
  }
  return { price, isFrom };
}

export function startingPriceWords(item: PricedItem, currency: string): string {
  const { price, isFrom } = startingPrice(item);
  const amount = formatMoney(price, currency);
  return isFrom ? m.menu_price_from({ amount }) : amount;
}

/**
 * An item's price without the prices of chosen options, in minor units. If a group sets the price: the group's lowest
 * price, but 0 once an option of the group is chosen.
 */
export function itemPriceWithoutExtras(item: PricedItem, selected: readonly Pick<Selection, 'group'>[]): number {
  if (selected.some(({ group }) => group.pricing === 'is_price')) return 0;
  const prices = pricesOf(item);
  return prices.length > 0 ? Math.min(...prices) : item.price;
}

function pricesOf({ option_groups: groups = [] }: Pick<PricedItem, 'option_groups'>): number[] {
  const group = groups.find(({ pricing, options = [] }) => pricing === 'is_price' && options.length > 0);
  return (group?.options ?? []).map(({ price }) => price);
}

/** Returns the `count` cheapest prices. The dearest of them come first, because the dearest choices are free. */
function cheapest(sorted: readonly number[], count: number, { max_per_option }: PricedGroup): number[] {
  const taken: number[] = [];
  for (const price of sorted) for (let i = 0; i < max_per_option && taken.length < count; i++) taken.push(price);
  return taken.sort((a, b) => b - a);
}
