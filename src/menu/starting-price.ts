import type { Item, OptionGroup } from '#menu/menu-shapes.ts';

export interface StartingPrice {
  /** Minor units: the item with the cheapest required choices. */
  price: number;
  /** Whether required choices can cost more than that. */
  isFrom: boolean;
}

/** The lowest price of an item. A group that depends on a certain option is not counted. */
export function startingPrice(item: Item): StartingPrice {
  let price = item.price;
  let isFrom = false;
  for (const group of item.option_groups ?? []) {
    const paid = group.min_select - group.free_select;
    if (paid <= 0 || group.shown_when_option_id) continue;
    const prices = (group.options ?? []).map((option) => option.price).sort((a, b) => a - b);
    price += cheapest(prices, group.min_select, group)
      .slice(group.free_select)
      .reduce((sum, each) => sum + each, 0);
    if (prices.at(-1) !== prices[0]) isFrom = true;
  }
  return { price, isFrom };
}

/** The most expensive first, because those are the free ones. */
function cheapest(sorted: readonly number[], count: number, { max_per_option }: OptionGroup): number[] {
  const taken: number[] = [];
  for (const price of sorted) for (let i = 0; i < max_per_option && taken.length < count; i++) taken.push(price);
  return taken.sort((a, b) => b - a);
}
