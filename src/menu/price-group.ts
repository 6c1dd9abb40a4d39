import { m } from '#messages';
import type { MenuParts } from '#menu/fields.ts';
import type { OptionGroup } from '#menu/menu-shapes.ts';

/** The rules of a group whose choices are the price: exactly one is chosen, and none is free. */
export const priceGroupRules = { min_select: 1, max_select: 1, free_select: 0 } as const;

/** A new size adds nothing to the allergens of its dish. */
export const noExtraAllergens = { allergens: { contains: [], may_contain: [] } };

type Rules = Pick<OptionGroup, 'pricing' | keyof typeof priceGroupRules>;

/** The rule that is wrong for a group whose choices are the price, and why; null if all are right. */
export function findPriceGroupRuleProblem(group: Rules): { field: keyof typeof priceGroupRules; words: string } | null {
  if (group.pricing !== 'is_price') return null;
  if (group.free_select !== 0) return { field: 'free_select', words: m.menu_price_group_free() };
  for (const field of ['min_select', 'max_select'] as const)
    if (group[field] !== 1) return { field, words: m.menu_price_group_one() };
  return null;
}

export interface PriceGroupLink {
  item: { id: string; name: string };
  group: { id: string; name: string };
  shown_when_option_id: string | null;
}

/**
 * Returns why these price groups cannot be on their dishes; null if they can. A price group has no condition, and a
 * dish has at most one price group.
 */
export function findPriceGroupLinkProblem(links: readonly PriceGroupLink[]): string | null {
  const groupOf = new Map<string, PriceGroupLink['group']>();
  for (const { item, group, shown_when_option_id: condition } of links) {
    const names = { item: item.name, group: group.name };
    if (condition !== null) return m.menu_price_group_condition(names);
    const other = groupOf.get(item.id);
    if (other && other.id !== group.id) return m.menu_price_group_twice({ ...names, other: other.name });
    groupOf.set(item.id, group);
  }
  return null;
}

interface PricedParts {
  items: readonly Pick<MenuParts['items'][number], 'id' | 'name' | 'option_groups'>[];
  option_groups: readonly Pick<MenuParts['option_groups'][number], 'id' | 'name' | 'pricing'>[];
}

export function priceGroupLinksOf({ items, option_groups: groups }: PricedParts): PriceGroupLink[] {
  const priced = new Map(groups.filter(({ pricing }) => pricing === 'is_price').map((group) => [group.id, group]));
  return items.flatMap((item) =>
    item.option_groups.flatMap(({ id, shown_when_option_id }) => {
      const group = priced.get(id);
      return group ? [{ item, group, shown_when_option_id }] : [];
    }),
  );
}
