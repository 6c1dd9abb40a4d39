import type { MenuParts } from '#menu/menu-parts.ts';

/** The parts of a menu, from the outside in. */
export type PartKind = 'menu' | 'category' | 'item' | 'group' | 'option';

export const listOf = {
  menu: 'menus',
  category: 'categories',
  item: 'items',
  group: 'option_groups',
  option: 'options',
} as const satisfies Record<PartKind, keyof MenuParts>;
export type PartOf<K extends PartKind> = MenuParts[(typeof listOf)[K]][number];
export type MenuPart = PartOf<'menu'>;
export type CategoryPart = PartOf<'category'>;
export type ItemPart = PartOf<'item'>;
export type GroupPart = PartOf<'group'>;
export type OptionPart = PartOf<'option'>;

export function findPart<K extends PartKind>(parts: MenuParts, kind: K, id: string): PartOf<K> | undefined {
  // Each list holds its own kind; the compiler cannot follow the union through `find`.
  return (parts[listOf[kind]] as PartOf<K>[]).find((part) => part.id === id);
}

/** Lists into which things are linked; one thing can be in many of them. */
export type LinkParent = 'category' | 'item' | 'group';

/** The ids in a list, in order. */
export function childrenOf(parts: MenuParts, parent: LinkParent | 'menu', id: string): string[] {
  switch (parent) {
    case 'menu':
      return parts.categories.filter((category) => category.menu_id === id).map((category) => category.id);
    case 'category':
      return [...(findPart(parts, 'category', id)?.item_ids ?? [])];
    case 'item':
      return (findPart(parts, 'item', id)?.option_groups ?? []).map((one) => one.id);
    case 'group':
      return (findPart(parts, 'group', id)?.options ?? []).map((one) => one.id);
  }
}

/** Finds parts, and the places where each of them is used. */
export interface PartsIndex {
  menus: ReadonlyMap<string, MenuPart>;
  categories: ReadonlyMap<string, CategoryPart>;
  items: ReadonlyMap<string, ItemPart>;
  groups: ReadonlyMap<string, GroupPart>;
  options: ReadonlyMap<string, OptionPart>;
  categoriesOfMenu: ReadonlyMap<string, CategoryPart[]>;
  categoriesOfItem: ReadonlyMap<string, CategoryPart[]>;
  itemsOfGroup: ReadonlyMap<string, ItemPart[]>;
  groupsOfOption: ReadonlyMap<string, GroupPart[]>;
}

export function indexParts(parts: MenuParts): PartsIndex {
  const categoriesOfItem = new Map<string, CategoryPart[]>();
  for (const category of parts.categories) for (const id of category.item_ids) push(categoriesOfItem, id, category);
  const itemsOfGroup = new Map<string, ItemPart[]>();
  for (const item of parts.items) for (const { id } of item.option_groups) push(itemsOfGroup, id, item);
  const groupsOfOption = new Map<string, GroupPart[]>();
  for (const group of parts.option_groups) for (const { id } of group.options) push(groupsOfOption, id, group);
  return {
    menus: byId(parts.menus),
    categories: byId(parts.categories),
    items: byId(parts.items),
    groups: byId(parts.option_groups),
    options: byId(parts.options),
    categoriesOfMenu: Map.groupBy(parts.categories, (category) => category.menu_id),
    categoriesOfItem,
    itemsOfGroup,
    groupsOfOption,
  };
}

function byId<T extends { id: string }>(all: readonly T[]): Map<string, T> {
  return new Map(all.map((one) => [one.id, one]));
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
