import { m } from '#messages';
import { allergenConflictsOf } from '#menu/allergen-conflicts.ts';
import type { Allergens } from '#menu/menu-shapes.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import type { BasketLine, BasketProblem, BasketQuote } from '#ordering/basket.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { isWithinAvailability, servedDaysWords } from '#menu/menu-availability.ts';
import type { Availability } from '#menu/menu-shapes.ts';
import type { IndexedItem, MenuIndex } from '#menu/menu-index.ts';
import { checkChosenOptions, clampQuantity, isValidQuantity, type Selection } from '#menu/option-rules.ts';
import type { OrderLinePrice } from '#ordering/pricing.ts';
import type { Store } from '#store/contract.ts';

export interface ResolvedBasketLine {
  line: BasketLine;
  index: number;
  found: IndexedItem;
  item: IndexedItem['item'];
  selected: Selection[];
  quantity: number;
}

const maxLineQuantity = 99;

/**
 * Finds each line's item and options. A line that is sold out or not on the menu gets the price 0, and a problem is
 * added to `problems`.
 */
export function resolveBasketLines(
  menu: MenuIndex,
  lines: readonly BasketLine[],
  now: Date,
  problems: BasketProblem[],
): ResolvedBasketLine[] {
  const foundLines: ResolvedBasketLine[] = [];
  for (const [index, line] of lines.entries()) {
    const found = menu.items.get(line.item_id);
    if (!found) {
      problems.push({ code: 'item_unknown', message: m.ordering_item_unknown(), path: `lines.${index}.item_id` });
      continue;
    }
    const { item } = found;
    if (isDishSoldOut(item, now)) {
      const message = m.ordering_item_sold_out({ name: item.name });
      problems.push({ code: 'item_sold_out', message, path: `lines.${index}.item_id` });
      continue;
    }
    const quantity = clampQuantity(line.quantity, maxLineQuantity);
    if (!isValidQuantity(line.quantity, maxLineQuantity)) {
      const message = m.ordering_quantity_invalid({ max: maxLineQuantity });
      problems.push({ code: 'item_max', message, path: `lines.${index}.quantity` });
    } else if (item.max_per_order !== null && countOf(foundLines, found) + quantity > item.max_per_order) {
      const message = m.ordering_item_max({ max: item.max_per_order, name: item.name });
      problems.push({ code: 'item_max', message, path: `lines.${index}.quantity` });
    }
    const options = checkChosenOptions(found, line.options, now, `lines.${index}.options`);
    problems.push(...options.problems);
    const added = { line, index, found, item, selected: options.selected, quantity };
    foundLines.push(added);
    for (const { item_id: id, name, left } of countedDishes(added)) {
      if (portionsOf(foundLines, id) <= left) continue;
      const message = m.ordering_item_left({ count: left, name });
      problems.push({ code: 'item_max', message, path: `lines.${index}.quantity` });
    }
  }
  return foundLines;
}

/** Adds a problem for each item that no menu serves at `at`, the time for which the order is wanted. */
export function checkServingTimes(
  store: Pick<Store, 'timezone'>,
  lines: readonly ResolvedBasketLine[],
  at: Date,
  problems: BasketProblem[],
): void {
  for (const { found, index } of lines) {
    if (found.menus.some(({ availability }) => isWithinAvailability(store, availability, at))) continue;
    const [menu] = found.menus;
    if (!menu?.availability) continue;
    const message = whenServed(found.item.name, menu.name, menu.availability);
    problems.push({ code: 'menu_unavailable', message, path: `lines.${index}.item_id` });
  }
}

function whenServed(name: string, menu: string, availability: NonNullable<Availability>): string {
  const { from, to } = availability;
  // Equal times mean that the menu is served all day, so only the weekday can be the reason.
  return from === to
    ? m.ordering_menu_unavailable_days({ name, menu, days: servedDaysWords(availability) ?? '' })
    : m.ordering_menu_unavailable({ name, menu, from, to });
}

export function createOrderLine(
  { line, item, selected, quantity, unit_price, vat_parts, discount, total }: ResolvedBasketLine & OrderLinePrice,
  allergies: readonly string[],
): BasketQuote['lines'][number] {
  const counted = countedDishes({ item, selected });
  return {
    item_id: item.id,
    name: item.name,
    kitchen_name: item.kitchen_name,
    station: item.station,
    min_age: minAgeOf([item, ...selected.map(({ option }) => option)]),
    quantity,
    unit_price,
    options: selected.map(({ group, option, quantity: chosen }) => ({
      option_group_id: group.id,
      option_id: option.id,
      group_name: group.name,
      name: option.name,
      quantity: chosen,
      price: option.price,
      ...(option.item_id && { item_id: option.item_id, kitchen_name: option.kitchen_name, station: option.station }),
    })),
    note: line.note,
    vat_rate: item.vat_rate,
    ...(vat_parts && { vat_parts }),
    ...(discount !== undefined && { discount }),
    allergens: lineAllergens(item.allergens, selected),
    allergen_conflicts: allergenConflictsOf(
      [item.allergens, ...selected.map(({ option }) => option.allergens)],
      allergies,
    ),
    total,
    ...(counted.length > 0 && {
      portions: counted.map(({ item_id, quantity: each }) => ({ item_id, quantity: each })),
    }),
  };
}

/**
 * Returns the allergens of an item with its options. If one of them does not state its allergens, returns null, because
 * an incomplete list is not safe.
 */
export function lineAllergens(ofItem: Allergens, selected: readonly Pick<Selection, 'option'>[]): Allergens {
  if (ofItem === null || selected.length === 0) return ofItem;
  const contains = new Set(ofItem.contains);
  const mayContain = new Set(ofItem.may_contain);
  for (const { option } of selected) {
    if (option.allergens === null) return null;
    for (const code of option.allergens.contains) contains.add(code);
    for (const code of option.allergens.may_contain) mayContain.add(code);
  }
  for (const code of contains) mayContain.delete(code);
  return { contains: [...contains].sort(), may_contain: [...mayContain].sort() };
}

/** The counted dishes in one piece of a line, each listed once: its own dish, and the dishes of a deal. */
function countedDishes({ item, selected }: Pick<ResolvedBasketLine, 'item' | 'selected'>) {
  const counted = new Map<string, { item_id: string; name: string; left: number; quantity: number }>();
  const count = (id: string, { name, portions_left: left }: Stock, quantity: number) => {
    if (left == null) return;
    counted.set(id, { item_id: id, name, left, quantity: quantity + (counted.get(id)?.quantity ?? 0) });
  };
  count(item.id, item, 1);
  for (const { option, quantity } of selected) if (option.item_id) count(option.item_id, option, quantity);
  return [...counted.values()];
}

interface Stock {
  name: string;
  portions_left?: number | null | undefined;
}

function portionsOf(lines: readonly ResolvedBasketLine[], id: string): number {
  let count = 0;
  for (const line of lines)
    for (const dish of countedDishes(line)) if (dish.item_id === id) count += dish.quantity * line.quantity;
  return count;
}

function countOf(lines: readonly ResolvedBasketLine[], item: IndexedItem): number {
  let count = 0;
  for (const { found, quantity } of lines) if (found === item) count += quantity;
  return count;
}
