import { type RawBuilder, sql } from 'kysely';
import type { MenuParts } from '#menu/menu-parts.ts';

export type MenuTable =
  | 'options'
  | 'option_groups'
  | 'items'
  | 'menus'
  | 'categories'
  | 'option_group_options'
  | 'item_option_groups'
  | 'category_items';
/** The tables of a menu's parts and of their links, and the columns of their keys; each refers only to tables before it. */
export const menuTables = {
  options: ['id'],
  option_groups: ['id'],
  items: ['id'],
  menus: ['id'],
  categories: ['id'],
  option_group_options: ['option_group_id', 'option_id'],
  item_option_groups: ['item_id', 'option_group_id'],
  category_items: ['category_id', 'item_id'],
} as const satisfies Record<MenuTable, readonly string[]>;

export type Row = Record<string, unknown>;
export type MenuRows = Record<MenuTable, Row[]>;

/** For statements that are the same for several of these tables. */
export function menuTable(name: MenuTable): RawBuilder<unknown> {
  return sql.table(name);
}

/** The rows of these parts: a link's place in its list is its position. */
export function rowsOf({ store_id, ...parts }: MenuParts): MenuRows {
  return {
    options: parts.options.map((option) => ({ ...option, store_id })),
    option_groups: parts.option_groups.map(({ options: _options, ...group }) => ({ ...group, store_id })),
    items: parts.items.map(({ option_groups: _groups, ...item }) => ({ ...item, store_id })),
    menus: parts.menus,
    categories: parts.categories.map(({ item_ids: _items, ...category }) => category),
    option_group_options: parts.option_groups.flatMap(({ id: option_group_id, options }) =>
      options.map(({ id: option_id, price_override: price }, position) => ({
        option_group_id,
        option_id,
        position,
        price,
      })),
    ),
    item_option_groups: parts.items.flatMap(({ id: item_id, option_groups }) =>
      option_groups.map(({ id: option_group_id, shown_when_option_id }, position) => ({
        item_id,
        option_group_id,
        position,
        shown_when_option_id,
      })),
    ),
    category_items: parts.categories.flatMap(({ id: category_id, item_ids }) =>
      item_ids.map((item_id, position) => ({ category_id, item_id, position })),
    ),
  };
}

/** Identifies a row within its table. */
export function keyOf(table: MenuTable, row: Row): string {
  return menuTables[table].map((column) => String(row[column])).join();
}
