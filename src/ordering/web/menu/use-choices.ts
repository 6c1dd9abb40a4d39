import { useCallback, useMemo, useState } from 'react';
import type { Item, OptionGroup } from '#menu/menu-shapes.ts';
import { isOptionSoldOut } from '#menu/sold-out.ts';
import type { IndexedItem } from '#menu/menu-index.ts';
import {
  type ChosenOption,
  checkGroupChoices,
  defaultOptions,
  normaliseSelections,
  type Selection,
  visibleGroupIds,
} from '#menu/option-rules.ts';
import { unitPrice } from '#ordering/pricing.ts';
import { shopNow, useNow } from '#platform/web/clock.ts';

export interface DishChoiceState {
  dish: Item;
  groups: readonly OptionGroup[];
  selected: readonly Selection[];
  chosen: ChosenOption[];
  /** The price of one item with its choices, in minor units. */
  unitPrice: number;
  countOf(group: OptionGroup, optionId: string): number;
  /** Returns the text about the problem of a group's choices; null if there is none. */
  problemOf(group: OptionGroup): string | null;
  /**
   * Sets an option's quantity; 0 removes the option. In a group with one choice, a second option replaces the first.
   */
  set(group: OptionGroup, optionId: string, quantity: number): void;
}

export function useDishChoices(
  item: IndexedItem,
  line: { options: readonly ChosenOption[] } | undefined,
): DishChoiceState {
  const now = useNow();
  const [all, setAll] = useState<readonly ChosenOption[]>(() => line?.options ?? defaultOptions(item, now));
  const set = useCallback<DishChoiceState['set']>(
    (group, optionId, quantity) =>
      setAll((before) => withDefaults(item, before, choose(before, group, optionId, quantity), new Date(shopNow()))),
    [item],
  );
  return useMemo(() => {
    const read = normaliseSelections(item, all).selected;
    const shown = visibleGroupIds(item, read);
    const selected = read.filter(({ group }) => shown.has(group.id));
    return {
      dish: item.item,
      groups: [...item.groups.values()].map(({ group }) => group).filter(({ id }) => shown.has(id)),
      selected,
      chosen: selected.map(({ group, option, quantity }) => ({
        option_group_id: group.id,
        option_id: option.id,
        quantity,
      })),
      unitPrice: unitPrice(item.item, selected),
      countOf: (group, optionId) =>
        selected.find((selection) => selection.group.id === group.id && selection.option.id === optionId)?.quantity ??
        0,
      problemOf: (group) => checkGroupChoices(group, selected)?.message ?? null,
      set,
    };
  }, [item, all, set]);
}

function choose(
  before: readonly ChosenOption[],
  group: OptionGroup,
  optionId: string,
  quantity: number,
): ChosenOption[] {
  const rest = before.filter(
    ({ option_group_id, option_id }) =>
      option_group_id !== group.id || (group.max_select > 1 && option_id !== optionId),
  );
  return quantity > 0 ? [...rest, { option_group_id: group.id, option_id: optionId, quantity }] : rest;
}

function withDefaults(
  item: IndexedItem,
  before: readonly ChosenOption[],
  after: ChosenOption[],
  now: Date,
): ChosenOption[] {
  if (!item.hasConditions) return after;
  const shownBefore = visibleGroupIds(item, normaliseSelections(item, before).selected);
  const shownAfter = visibleGroupIds(item, normaliseSelections(item, after).selected);
  const added = [...item.groups.values()].flatMap(({ group, options }) => {
    const isNew = shownAfter.has(group.id) && !shownBefore.has(group.id);
    if (!isNew || after.some(({ option_group_id }) => option_group_id === group.id)) return [];
    const defaults = [...options.values()].filter(
      ({ option }) => option.is_default && !isOptionSoldOut(option, item.item, now),
    );
    return defaults
      .slice(0, group.max_select)
      .map(({ option }) => ({ option_group_id: group.id, option_id: option.id, quantity: 1 }));
  });
  return added.length === 0 ? after : withDefaults(item, after, [...after, ...added], now);
}
