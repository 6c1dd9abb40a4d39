import type { Item } from '#menu/menu-shapes.ts';
import type { Selection } from '#menu/option-rules.ts';
import { itemPriceWithoutExtras } from '#menu/starting-price.ts';
import { addToSum, apportionAmong, sumAt, type Sums } from '#platform/money.ts';

/**
 * Splits an item's price, in minor units, by VAT rate. An option's price counts at the option's own rate if it has one.
 * A deal's price, with its dishes' surcharges, is divided among the dishes in proportion to their own prices, by the
 * largest remainder. No dish gets more than its own price; the rest counts at the deal's rate.
 */
export function splitPriceByVatRate(
  item: Pick<Item, 'price' | 'vat_rate' | 'option_groups'>,
  selected: readonly Selection[],
): Sums<number> {
  const dishes = selected.flatMap(({ option: { price_parts = [] }, quantity }) =>
    price_parts.map(({ rate, amount }) => ({ rate, worth: amount * quantity })),
  );
  let shared = itemPriceWithoutExtras(item, selected);
  const parts: Sums<number> = new Map([[item.vat_rate, 0]]);
  for (const { group, option, quantity } of withoutFree(selected)) {
    const amount = option.price * quantity;
    const isOfDeal = option.price_parts !== undefined || (dishes.length > 0 && group.pricing === 'is_price');
    if (isOfDeal) shared += amount;
    else addToSum(parts, option.vat_rate ?? item.vat_rate, amount);
  }
  const ofDishes = Math.min(
    shared,
    dishes.reduce((sum, { worth }) => sum + worth, 0),
  );
  for (const { one, part } of apportionAmong(ofDishes, dishes, ({ worth }) => worth)) addToSum(parts, one.rate, part);
  addToSum(parts, item.vat_rate, shared - ofDishes);
  return parts;
}

/**
 * The selections with the quantities to charge. In each group the dearest options are free, so the order of choosing
 * does not matter.
 */
function withoutFree(selected: readonly Selection[]): readonly Selection[] {
  if (!selected.some(({ group }) => group.free_select > 0)) return selected;
  const used: Sums<string> = new Map();
  return selected.toSorted(compareForFree).map((selection) => {
    const { group, quantity } = selection;
    const left = group.free_select - sumAt(used, group.id);
    const free = Math.max(0, Math.min(left, quantity));
    addToSum(used, group.id, free);
    return { ...selection, quantity: quantity - free };
  });
}

/** Sorts the dearest options first. Equal prices keep the menu's order, because the VAT may depend on it. */
function compareForFree(a: Selection, b: Selection): number {
  return b.option.price - a.option.price || a.place - b.place;
}
