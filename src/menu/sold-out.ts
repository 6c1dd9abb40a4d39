import type { Item, Option, OptionGroup } from '#menu/menu-shapes.ts';

/**
 * Whether the part itself is switched off, without a time to return or with a future one. For customers its choices
 * count too: `isDishSoldOut` and `isOptionSoldOut`.
 */
export function isSoldOut(thing: Pick<Option, 'is_available' | 'unavailable_until'>, now: Date): boolean {
  if (thing.is_available) return false;
  return thing.unavailable_until === null || Date.parse(thing.unavailable_until) > now.getTime();
}

/** Whether the dish, or too many of its required choices, are sold out. */
export function isDishSoldOut(item: Item, now: Date): boolean {
  return isSoldOut(item, now) || !canMakeChoices(item.option_groups ?? [], (option) => !isSoldOut(option, now));
}

type Dish = Pick<Item, 'option_groups'>;

/** Whether the option, or the choices that it requires in its dish, are sold out. */
export function isOptionSoldOut(option: Option, { option_groups: groups = [] }: Dish, now: Date): boolean {
  return !canTake(option, groups, (each) => !isSoldOut(each, now));
}

/** The fields of a change of a part; only the two about stock are read. */
interface Stock {
  [field: string]: unknown;
  is_available?: boolean | undefined;
  unavailable_until?: string | null | undefined;
}

/** Makes the two fields about stock consistent: an available part has no time to return. Empty if neither is given. */
export function consistentStockFields({ is_available: isAvailable, unavailable_until: until = null }: Stock) {
  if (isAvailable === undefined) return {};
  return { is_available: isAvailable, unavailable_until: isAvailable ? null : until };
}

/**
 * Whether a dish's required choices can be made of acceptable options. An option with a conditional group needs that
 * group's required choices too.
 */
export function canMakeChoices(groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return groups.filter((group) => !group.shown_when_option_id).every((group) => canFill(group, groups, isFine, []));
}

/** Whether an option is acceptable, with enough options of each required group that it shows. */
function canTake(option: Option, groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return isUsable(option, groups, isFine, []);
}

/**
 * Whether enough acceptable options of a group can be chosen. `inside` has the groups on the path to it, against
 * cycles.
 */
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
