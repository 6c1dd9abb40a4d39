import type { Item, Option, OptionGroup } from '#menu/menu-shapes.ts';

/**
 * Whether the part itself is sold out: it has no portions left, or is marked as sold out and `unavailable_until` (if
 * set) has not passed. `isDishSoldOut` and `isOptionSoldOut` also check the required choices.
 */
export function isSoldOut(
  thing: Pick<Option, 'is_available' | 'unavailable_until'> & { portions_left?: number | null },
  now: Date,
): boolean {
  if (thing.portions_left === 0) return true;
  if (thing.is_available) return false;
  return thing.unavailable_until === null || Date.parse(thing.unavailable_until) > now.getTime();
}

export function isDishSoldOut(item: Item, now: Date): boolean {
  return isSoldOut(item, now) || !canFillRequiredChoices(item.option_groups ?? [], (option) => !isSoldOut(option, now));
}

type Dish = Pick<Item, 'option_groups'>;

/** Whether the option is sold out, or shows a required group that has too few available options. */
export function isOptionSoldOut(option: Option, { option_groups: groups = [] }: Dish, now: Date): boolean {
  return !canTake(option, groups, (each) => !isSoldOut(each, now));
}

interface Stock {
  [field: string]: unknown;
  is_available?: boolean | undefined;
  unavailable_until?: string | null | undefined;
}

/**
 * Makes the two stock fields consistent: an available part has no `unavailable_until`. Returns `{}` if `is_available`
 * is not given.
 */
export function normaliseStockFields({ is_available: isAvailable, unavailable_until: until = null }: Stock) {
  if (isAvailable === undefined) return {};
  return { is_available: isAvailable, unavailable_until: isAvailable ? null : until };
}

/**
 * Whether a dish's required choices can be made from options that `isFine` accepts. If an option shows conditional
 * groups, it counts only if their required choices can be made as well.
 */
export function canFillRequiredChoices(groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return groups.filter((group) => !group.shown_when_option_id).every((group) => canFill(group, groups, isFine, []));
}

/** Whether `isFine` accepts an option, and each required group that the option shows has enough accepted options. */
function canTake(option: Option, groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return isUsable(option, groups, isFine, []);
}

/**
 * Whether a group has enough options that `isFine` accepts. `inside` has the groups on the path to this group, to
 * detect cycles.
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
