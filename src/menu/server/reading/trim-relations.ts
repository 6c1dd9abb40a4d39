import type { menuRelations } from '#menu/contract-menus.ts';
import type { Category, Item, Menu, OptionGroup } from '#menu/menu-shapes.ts';
import type { Store } from '#store/contract.ts';

type MenuRelation = (typeof menuRelations)[number];
export type ShownMenu = Menu & { store?: Store };

/** Keeps only the requested relations. An `include` contains the parents, so it is a depth. */
export function trimMenu(
  { categories = [], ...menu }: Menu,
  store: Store,
  include: readonly MenuRelation[],
): ShownMenu {
  const depth = include.filter((relation) => relation !== 'store').length;
  return {
    ...menu,
    ...(include.includes('store') && { store }),
    ...(depth > 0 && { categories: categories.map((category) => trimCategory(category, depth - 1)) }),
  };
}

/** 1: with its items; 2: with their option groups; 3: with those's options. */
export function trimCategory({ items = [], ...category }: Category, depth: number): Category {
  return { ...category, ...(depth > 0 && { items: items.map((item) => trimItem(item, depth - 1)) }) };
}

/** 1: with its option groups; 2: with their options. */
export function trimItem<T extends Item>(
  { option_groups: groups = [], ...item }: T,
  depth: number,
): Omit<T, 'option_groups'> & Pick<Item, 'option_groups'> {
  return { ...item, ...(depth > 0 && { option_groups: groups.map((group) => trimGroup(group, depth - 1)) }) };
}

export function trimGroup<T extends OptionGroup>(
  { options = [], ...group }: T,
  depth: number,
): Omit<T, 'options'> & Pick<OptionGroup, 'options'> {
  return { ...group, ...(depth > 0 && { options }) };
}
