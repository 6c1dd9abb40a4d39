import type { Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';

export interface IndexedOption {
  group: OptionGroup;
  option: Option;
  /** The option's number among the item's options, by which choices are sorted. */
  place: number;
}

export interface IndexedGroup {
  group: OptionGroup;
  options: ReadonlyMap<string, IndexedOption>;
}

export interface IndexedItem {
  item: Item;
  groups: ReadonlyMap<string, IndexedGroup>;
  hasConditions: boolean;
  menus: readonly Pick<Menu, 'name' | 'availability'>[];
}

export interface MenuIndex {
  items: ReadonlyMap<string, IndexedItem>;
}

/**
 * Indexes a store's menus for quoting, once per version. Only active items of active categories and menus are included.
 */
export function indexMenus(menus: readonly Menu[]): MenuIndex {
  const items = new Map<string, IndexedItem>();
  for (const menu of menus) {
    if (!menu.is_active) continue;
    for (const category of menu.categories ?? []) {
      if (!category.is_active) continue;
      for (const item of category.items ?? []) {
        if (!item.is_active) continue;
        const known = items.get(item.id);
        if (!known) items.set(item.id, indexItem(item, [menu]));
        else if (!known.menus.includes(menu)) items.set(item.id, { ...known, menus: [...known.menus, menu] });
      }
    }
  }
  return { items };
}

export function indexItem(item: Item, menus: IndexedItem['menus'] = []): IndexedItem {
  const groups = new Map<string, IndexedGroup>();
  let place = 0;
  for (const group of item.option_groups ?? []) {
    const options = new Map<string, IndexedOption>();
    for (const option of group.options ?? []) options.set(option.id, { group, option, place: place++ });
    groups.set(group.id, { group, options });
  }
  const hasConditions = [...groups.values()].some(({ group }) => group.shown_when_option_id);
  return { item, groups, hasConditions, menus };
}
