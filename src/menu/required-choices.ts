import type { Option, OptionGroup } from '#menu/menu-shapes.ts';

/**
 * Whether a dish's required choices can be made of options that are fine. An option that makes a group show is so only if
 * that group's required choices can be made as well.
 */
export function canMakeChoices(groups: readonly OptionGroup[], isFine: (option: Option) => boolean): boolean {
  return groups.filter((group) => !group.shown_when_option_id).every((group) => canFill(group, groups, isFine, []));
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
  const isUsable = (option: Option): boolean =>
    isFine(option) &&
    all.every((other) => other.shown_when_option_id !== option.id || canFill(other, all, isFine, within));
  return (group.options ?? []).filter(isUsable).length * group.max_per_option >= group.min_select;
}
