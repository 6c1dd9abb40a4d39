import { m } from '#messages';
import type { Option, OptionGroup } from '#menu/menu-shapes.ts';
import { isOptionSoldOut, isSoldOut } from '#menu/sold-out.ts';
import type { IndexedItem, IndexedOption } from '#menu/menu-index.ts';

export interface ChosenOption {
  option_group_id: string;
  option_id: string;
  quantity: number;
}

/** The most selections that a group may allow. Customers see a group with this maximum as a group without a limit. */
export const unlimitedMaxSelect = 50;

export const optionProblemCodes = [
  'option_unknown',
  'option_sold_out',
  'option_max',
  'option_group_min',
  'option_group_max',
] as const;

export interface OptionProblem {
  code: (typeof optionProblemCodes)[number];
  message: string;
  path: string;
}

export interface Selection extends IndexedOption {
  quantity: number;
}

const maxOptionQuantity = 20;

/**
 * Checks a basket line's choices by the rules of the item's groups. `selected` has the known choices of visible groups,
 * in the menu's order. Sold-out and excess choices are in both `selected` and `problems`.
 */
export function checkChosenOptions(
  item: IndexedItem,
  chosen: readonly ChosenOption[],
  now: Date,
  path: string,
): { selected: Selection[]; problems: OptionProblem[] } {
  const problems: OptionProblem[] = [];
  const refuse = (code: OptionProblem['code'], message: string) => problems.push({ code, message, path });
  const read = normaliseSelections(item, chosen);
  if (read.isUnknown) refuse('option_unknown', m.ordering_option_unknown({ name: item.item.name }));
  if (read.isOddQuantity) refuse('option_max', m.ordering_quantity_invalid({ max: maxOptionQuantity }));

  const shown = item.hasConditions ? visibleGroupIds(item, read.selected) : null;
  const selected: Selection[] = [];
  for (const selection of read.selected) {
    const { group, option, quantity } = selection;
    if (shown && !shown.has(group.id)) {
      refuse('option_unknown', m.ordering_option_not_shown({ option: option.name }));
      continue;
    }
    selected.push(selection);
    if (isSoldOut(option, now)) refuse('option_sold_out', m.ordering_option_sold_out({ option: option.name }));
    if (quantity > group.max_per_option) refuse('option_max', optionMaxMessage(option, group.max_per_option));
  }
  for (const { group } of item.groups.values()) {
    if (shown && !shown.has(group.id)) continue;
    const problem = checkGroupChoices(group, selected);
    if (problem) refuse(problem.code, problem.message);
  }
  return { selected, problems };
}

/**
 * Returns an error if a group has too few or too many choices; otherwise null. A quantity of two counts as two choices.
 */
export function checkGroupChoices(
  group: OptionGroup,
  selected: readonly Selection[],
): { code: 'option_group_min' | 'option_group_max'; message: string } | null {
  const { min_select: min, max_select: max } = group;
  let count = 0;
  for (const selection of selected) if (selection.group === group) count += selection.quantity;
  if (count < min) return { code: 'option_group_min', message: groupMinMessage(group.name, min, max) };
  if (count <= max) return null;
  const message =
    max === 1
      ? m.ordering_option_group_one({ group: group.name })
      : m.ordering_option_group_max({ max, group: group.name });
  return { code: 'option_group_max', message };
}

/**
 * The ids of the visible groups: groups without a condition, or with a condition on an option that is chosen in a
 * visible group.
 */
export function visibleGroupIds(item: IndexedItem, selected: readonly Selection[]): Set<string> {
  const shown = new Set<string>();
  let isGrowing = true;
  while (isGrowing) {
    isGrowing = false;
    for (const { group } of item.groups.values()) {
      if (shown.has(group.id)) continue;
      const trigger = group.shown_when_option_id;
      if (trigger && !selected.some(({ option, group: from }) => option.id === trigger && shown.has(from.id))) continue;
      shown.add(group.id);
      isGrowing = true;
    }
  }
  return shown;
}

/** A new line's choices: the available defaults in visible groups. */
export function defaultOptions(item: IndexedItem, now: Date): ChosenOption[] {
  const defaults: Selection[] = [];
  for (const { group, options } of item.groups.values()) {
    let room = group.max_select;
    for (const indexed of options.values()) {
      if (room === 0) break;
      if (!indexed.option.is_default || isOptionSoldOut(indexed.option, item.item, now)) continue;
      defaults.push({ ...indexed, quantity: 1 });
      room -= 1;
    }
  }
  const shown = visibleGroupIds(item, defaults);
  return defaults
    .filter(({ group }) => shown.has(group.id))
    .map(({ group, option, quantity }) => ({ option_group_id: group.id, option_id: option.id, quantity }));
}

/**
 * Reads a basket line's choices. Equal choices are merged, and all are sorted in the menu's order. `isUnknown`: the
 * item lacks one of the choices. `isOddQuantity`: a quantity is out of range.
 */
export function normaliseSelections(
  item: IndexedItem,
  chosen: readonly ChosenOption[],
): { selected: Selection[]; isUnknown: boolean; isOddQuantity: boolean } {
  const selected: Selection[] = [];
  let isUnknown = false;
  let isOddQuantity = false;
  for (const { option_group_id, option_id, quantity } of chosen) {
    const found = item.groups.get(option_group_id)?.options.get(option_id);
    if (!found) {
      isUnknown = true;
      continue;
    }
    if (!isValidQuantity(quantity, maxOptionQuantity)) isOddQuantity = true;
    const known = selected.find(({ place }) => place === found.place);
    const sum = (known?.quantity ?? 0) + clampQuantity(quantity, maxOptionQuantity);
    if (sum > maxOptionQuantity) isOddQuantity = true;
    const kept = Math.min(sum, maxOptionQuantity);
    if (known) known.quantity = kept;
    else selected.push({ group: found.group, option: found.option, place: found.place, quantity: kept });
  }
  selected.sort((a, b) => a.place - b.place);
  return { selected, isUnknown, isOddQuantity };
}

export function isValidQuantity(quantity: number, max: number): boolean {
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= max;
}

/**
 * Clamps a quantity, so that a line with an impossible quantity has a price; the quantity is reported as a separate
 * problem.
 */
export function clampQuantity(quantity: number, max: number): number {
  return Math.min(Math.max(Math.trunc(quantity) || 1, 1), max);
}

function optionMaxMessage(option: Option, max: number): string {
  return max <= 1
    ? m.ordering_option_once({ option: option.name })
    : m.ordering_option_max({ option: option.name, max });
}

function groupMinMessage(name: string, min: number, max: number): string {
  if (min > 1)
    return min === max
      ? m.ordering_option_group_exact({ min, group: name })
      : m.ordering_option_group_min({ min, group: name });
  // If a group's name is itself a request, such as "Choose your base", the name becomes the message.
  if (/^(choose|pick|select)\b/i.test(name)) return `${name}.`;
  const plain = name.replace(/^your\s+/i, '');
  const isAcronym = /^\p{Lu}{2}/u.test(plain);
  return m.ordering_option_group_required({
    group: isAcronym ? plain : plain.charAt(0).toLowerCase() + plain.slice(1),
  });
}
