import type { Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';

export interface IndexedOption {
  group: OptionGroup;
  option: Option;
  /** The item's groups and options numbered, so that choices sort in the menu's order. */
  place: number;
}

export interface IndexedGroup {
  group: OptionGroup;
  options: ReadonlyMap<string, IndexedOption>;
}

export interface IndexedItem {
  item: Item;
  groups: ReadonlyMap<string, IndexedGroup>;
  /** Some groups show only with a certain option. */
  hasConditions: boolean;
  /** The active menus that contain it. */
  menus: readonly Pick<Menu, 'name' | 'availability'>[];
}

/** The items that can be ordered, by id. */
export interface MenuIndex {
  items: ReadonlyMap<string, IndexedItem>;
}

/** A store's menus prepared for quoting: built once per version. Only items of active categories and menus. */
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

/** Prepares one item with its option groups, e.g. for the sheet in which it is chosen. */
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
