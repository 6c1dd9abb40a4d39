import type { Item } from '#menu/menu-shapes.ts';
import type { PartsIndex, ItemPart } from '#menu/operations/menu-part.ts';
import { ownPrice, startingPriceWords } from '#menu/starting-price.ts';
import { formatMoney } from '#platform/money.ts';

/** A dish with its groups and their choices, as customers get it. */
export function seenItem(index: PartsIndex, item: ItemPart): Item {
  const groups = item.option_groups.flatMap(({ id, shown_when_option_id }) => {
    const group = index.groups.get(id);
    if (!group) return [];
    const options = group.options.flatMap((link) => {
      const option = index.options.get(link.id);
      return option ? [{ ...option, price: link.price_override ?? option.price }] : [];
    });
    return [{ ...group, shown_when_option_id, options }];
  });
  return { ...item, option_groups: groups };
}

/** The group whose choices are the dish's price, once it has choices. */
export function priceGroupOf(index: PartsIndex, item: ItemPart) {
  return item.option_groups
    .flatMap(({ id }) => index.groups.get(id) ?? [])
    .find(({ pricing, options }) => pricing === 'is_price' && options.length > 0);
}

/** The price by which a list of dishes names and sorts one: its own, or `from` that of its cheapest size. */
export function listedPrice(index: PartsIndex, item: ItemPart, currency: string): { price: number; words: string } {
  const priced = seenItem(index, item);
  const words = priceGroupOf(index, item) ? startingPriceWords(priced, currency) : formatMoney(item.price, currency);
  return { price: ownPrice(priced, []), words };
}
