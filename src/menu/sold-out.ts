import type { Item, Option, OptionGroup } from '#menu/menu-shapes.ts';

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

/**
 * Whether a dish's required choices can be made of options that are fine. An option that makes a group show is so only if
 * that group's required choices can be made as well.
 */
export function canMakeChoices(groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return groups.filter((group) => !group.shown_when_option_id).every((group) => canFill(group, groups, isFine, []));
}

/** Whether an option is fine, and so are enough options of every required group that it makes show. */
function canTake(option: Option, groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return isUsable(option, groups, isFine, []);
}

/** `inside`: the groups whose choice leads here; they are being looked at already. */
function canFill(
  group: OptionGroup,
  all: readonly OptionGroup[],
  isFine: (option: Option) => boolean,
  inside: readonly OptionGroup[],
): boolean {
  if (group.min_select === 0 || inside.includes(group)) return true;
  const within = [...inside, group];
  const usable = (group.options ?? []).filter((option) => isUsable(option, all, isFine, within));
  return usable.length * group.max_per_option >= group.min_select;
}

function isUsable(
  option: Option,
  all: readonly OptionGroup[],
  isFine: (option: Option) => boolean,
  inside: readonly OptionGroup[],
): boolean {
  if (!isFine(option)) return false;
  return all.every((other) => other.shown_when_option_id !== option.id || canFill(other, all, isFine, inside));
}
