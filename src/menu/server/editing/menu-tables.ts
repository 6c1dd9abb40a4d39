import { type RawBuilder, sql } from 'kysely';

/** The tables of a menu's parts and of their links. */
export type MenuTable =
  | 'menus'
  | 'categories'
  | 'category_items'
  | 'items'
  | 'item_option_groups'
  | 'option_groups'
  | 'option_group_options'
  | 'options';

/** For statements that are the same for several of these tables. */
export function menuTable(name: MenuTable): RawBuilder<unknown> {
  return sql.table(name);
}
