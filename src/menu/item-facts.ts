import type { Allergens, Item, Option, OptionGroup } from '#menu/menu-shapes.ts';

export interface StartingPrice {
  /** Minor units: the item with the cheapest of what must be chosen. */
  price: number;
  /** Whether choices that must be made can cost more than that. */
  isFrom: boolean;
}

/** What an item costs at least. A group that shows only with a certain option is not counted. */
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

/** Sold out: switched off, with no time to come back or one that is still ahead. For items and options alike. */
export function isSoldOut(thing: Pick<Option, 'is_available' | 'unavailable_until'>, now: Date): boolean {
  if (thing.is_available) return false;
  return thing.unavailable_until === null || Date.parse(thing.unavailable_until) > now.getTime();
}

/** The dearest first, since those are the free ones. */
function cheapest(sorted: readonly number[], count: number, { max_per_option }: OptionGroup): number[] {
  const taken: number[] = [];
  for (const price of sorted) for (let i = 0; i < max_per_option && taken.length < count; i++) taken.push(price);
  return taken.sort((a, b) => b - a);
}

/** Of an item and what is chosen with it; null as soon as one of them is not stated. What is contained is not told again as possible. */
export function joinAllergens(parts: readonly Allergens[]): Allergens {
  const contains = new Set<NonNullable<Allergens>['contains'][number]>();
  const may = new Set<NonNullable<Allergens>['contains'][number]>();
  for (const part of parts) {
    if (part === null) return null;
    for (const code of part.contains) contains.add(code);
    for (const code of part.may_contain) may.add(code);
  }
  return { contains: [...contains], may_contain: [...may].filter((code) => !contains.has(code)) };
}
