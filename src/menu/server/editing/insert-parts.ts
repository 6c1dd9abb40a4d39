import type { Insertable } from 'kysely';
import type { Schema, Tx } from '#database/schema.ts';

type PartTable =
  | 'options'
  | 'option_groups'
  | 'option_group_options'
  | 'items'
  | 'item_option_groups'
  | 'menus'
  | 'categories'
  | 'category_items';

/** Writes a new shop's menu; the caller increases the store's version. */
export async function insertParts(tx: Tx, parts: { [T in PartTable]?: Insertable<Schema[T]>[] }): Promise<void> {
  // In this order, as they refer to each other.
  if (parts.options) await tx.insertInto('options').values(parts.options).execute();
  if (parts.option_groups) await tx.insertInto('option_groups').values(parts.option_groups).execute();
  if (parts.option_group_options) {
    await tx.insertInto('option_group_options').values(parts.option_group_options).execute();
  }
  if (parts.items) await tx.insertInto('items').values(parts.items).execute();
  if (parts.item_option_groups) await tx.insertInto('item_option_groups').values(parts.item_option_groups).execute();
  if (parts.menus) await tx.insertInto('menus').values(parts.menus).execute();
  if (parts.categories) await tx.insertInto('categories').values(parts.categories).execute();
  if (parts.category_items) await tx.insertInto('category_items').values(parts.category_items).execute();
}
