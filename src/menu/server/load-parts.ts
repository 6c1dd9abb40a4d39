import type { Db } from '#database/schema.ts';
import type { MenuParts } from '#menu/endpoints-editing.ts';
import { presentItem, presentOption } from '#menu/server/load-menus.ts';

/** Everything on a store's menus, each thing once, in eight flat reads. null when there is no such store. */
export async function loadParts(db: Db, storeId: string): Promise<MenuParts | null> {
  const store = await db
    .selectFrom('stores')
    .select('version')
    .where('id', '=', storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!store) return null;
  const menus = await db
    .selectFrom('menus')
    .selectAll()
    .where('store_id', '=', storeId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const categories = await db
    .selectFrom('categories')
    .innerJoin('menus', 'menus.id', 'categories.menu_id')
    .selectAll('categories')
    .where('menus.store_id', '=', storeId)
    .orderBy('categories.position')
    .orderBy('categories.id')
    .execute();
  const items = await db
    .selectFrom('items')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
  const groups = await db
    .selectFrom('option_groups')
    .selectAll()
    .where('store_id', '=', storeId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  const options = await db
    .selectFrom('options')
    .selectAll()
    .where('store_id', '=', storeId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  const inCategories = await db
    .selectFrom('category_items')
    .innerJoin('items', 'items.id', 'category_items.item_id')
    .select(['category_id', 'item_id'])
    .where('items.store_id', '=', storeId)
    .where('items.deleted_at', 'is', null)
    .orderBy('category_items.position')
    .execute();
  const onItems = await db
    .selectFrom('item_option_groups')
    .innerJoin('items', 'items.id', 'item_option_groups.item_id')
    .select(['item_id', 'option_group_id as id', 'shown_when_option_id'])
    .where('items.store_id', '=', storeId)
    .orderBy('item_option_groups.position')
    .execute();
  const inGroups = await db
    .selectFrom('option_group_options')
    .innerJoin('option_groups', 'option_groups.id', 'option_group_options.option_group_id')
    .select(['option_group_id', 'option_id as id', 'price as price_override'])
    .where('option_groups.store_id', '=', storeId)
    .orderBy('option_group_options.position')
    .execute();
  const ofCategory = Map.groupBy(inCategories, (link) => link.category_id);
  const ofItem = Map.groupBy(onItems, (link) => link.item_id);
  const ofGroup = Map.groupBy(inGroups, (link) => link.option_group_id);
  return {
    store_id: storeId,
    version: store.version,
    menus,
    categories: categories.map((row) => ({
      ...row,
      item_ids: (ofCategory.get(row.id) ?? []).map((link) => link.item_id),
    })),
    items: items.map((row) => ({ ...presentItem(row), option_groups: ofItem.get(row.id) ?? [] })),
    option_groups: groups.map((row) => ({ ...row, options: ofGroup.get(row.id) ?? [] })),
    options: options.map(presentOption),
  };
}
