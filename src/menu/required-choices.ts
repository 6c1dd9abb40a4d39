import type { Option, OptionGroup } from '#menu/menu-shapes.ts';

/**
 * Whether a dish's required choices can be made of options that are fine. An option that makes a group show is so only if
 * that group's required choices can be made as well.
 */
export function canMakeChoices(groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return groups.filter((group) => !group.shown_when_option_id).every((group) => canFill(group, groups, isFine, []));
}

/** Whether an option is fine, and so are enough options of every required group that it makes show. */
export function canTake(option: Option, groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
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
