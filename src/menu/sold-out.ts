import type { Item, Option } from '#menu/menu-shapes.ts';
import { canMakeChoices, canTake } from '#menu/required-choices.ts';

/**
 * Sold out: switched off, without a time to return or with one in the future. For items and options alike;
 * `isDishSoldOut` and `isOptionSoldOut` have the customer's view.
 */
export function isSoldOut(thing: Pick<Option, 'is_available' | 'unavailable_until'>, now: Date): boolean {
  if (thing.is_available) return false;
  return thing.unavailable_until === null || Date.parse(thing.unavailable_until) > now.getTime();
}

/** Nobody can have the dish: it is sold out itself, or too many of its required choices are. */
export function isDishSoldOut(item: Item, now: Date): boolean {
  return isSoldOut(item, now) || !canMakeChoices(item.option_groups ?? [], (option) => !isSoldOut(option, now));
}

type Dish = Pick<Item, 'option_groups'>;

/** Nobody can have the option: it is sold out itself, or so are the choices that it requires in its dish. */
export function isOptionSoldOut(option: Option, { option_groups: groups = [] }: Dish, now: Date): boolean {
  return !canTake(option, groups, (each) => !isSoldOut(each, now));
}

/** All fields that a change of a part may have. */
interface Stock {
  [field: string]: unknown;
  is_available?: boolean | undefined;
  unavailable_until?: string | null | undefined;
}

/** The fields about being sold out; an available part has no time to return. Empty if none of them is given. */
export function stockFields({ is_available: isAvailable, unavailable_until: until = null }: Stock) {
  if (isAvailable === undefined) return {};
  return { is_available: isAvailable, unavailable_until: isAvailable ? null : until };
}
