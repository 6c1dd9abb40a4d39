import { sortedName } from '#database/patterns.ts';
import type { Db } from '#database/schema.ts';
import type { MenuParts } from '#menu/menu-parts.ts';
import { presentItem, presentOption } from '#menu/server/reading/load-menus.ts';
import { findStoreRow } from '#store/server/store-views.ts';

/** Everything on a store's menus, each thing once, in eight flat reads. null when there is no such store. */
export async function loadParts(db: Db, storeId: string): Promise<MenuParts | null> {
  const store = await findStoreRow(db, storeId);
  if (!store) return null;
  const items = await loadItems(db, storeId);
  const options = await loadOptions(db, storeId);
  return {
    store_id: storeId,
    version: store.version,
    menus: await loadMenusOf(db, storeId),
    categories: await loadCategories(db, storeId),
    items: items.map(({ groups, ...row }) => ({
      ...presentItem(row),
      allergen_answers: row.allergen_answers,
      option_groups: groups,
    })),
    option_groups: await loadGroups(db, storeId),
    options: options.map((row) => ({ ...presentOption(row), allergen_answers: row.allergen_answers })),
  };
}

async function loadMenusOf(db: Db, storeId: string) {
  return db.selectFrom('menus').selectAll().where('store_id', '=', storeId).orderBy('position').orderBy('id').execute();
}

async function loadCategories(db: Db, storeId: string) {
  const categories = await db
    .selectFrom('categories')
    .innerJoin('menus', 'menus.id', 'categories.menu_id')
    .selectAll('categories')
    .where('menus.store_id', '=', storeId)
    .orderBy('categories.position')
    .orderBy('categories.id')
    .execute();
  const links = await db
    .selectFrom('category_items')
    .innerJoin('items', 'items.id', 'category_items.item_id')
    .select(['category_id', 'item_id'])
    .where('items.store_id', '=', storeId)
    .where('items.deleted_at', 'is', null)
    .orderBy('category_items.position')
    .execute();
  const linksOf = Map.groupBy(links, (link) => link.category_id);
  return categories.map((row) => ({ ...row, item_ids: (linksOf.get(row.id) ?? []).map((link) => link.item_id) }));
}

async function loadItems(db: Db, storeId: string) {
  const items = await db
    .selectFrom('items')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('deleted_at', 'is', null)
    .orderBy(sortedName('name'))
    .orderBy('id')
    .execute();
  const links = await db
    .selectFrom('item_option_groups')
    .innerJoin('items', 'items.id', 'item_option_groups.item_id')
    .select(['item_id', 'option_group_id as id', 'shown_when_option_id'])
    .where('items.store_id', '=', storeId)
    .orderBy('item_option_groups.position')
    .execute();
  const linksOf = Map.groupBy(links, (link) => link.item_id);
  return items.map((row) => ({ ...row, groups: linksOf.get(row.id) ?? [] }));
}

async function loadGroups(db: Db, storeId: string) {
  const groups = await db
    .selectFrom('option_groups')
    .selectAll()
    .where('store_id', '=', storeId)
    .orderBy(sortedName('name'))
    .orderBy('id')
    .execute();
  const links = await db
    .selectFrom('option_group_options')
    .innerJoin('option_groups', 'option_groups.id', 'option_group_options.option_group_id')
    .select(['option_group_id', 'option_id as id', 'price as price_override'])
    .where('option_groups.store_id', '=', storeId)
    .orderBy('option_group_options.position')
    .execute();
  const linksOf = Map.groupBy(links, (link) => link.option_group_id);
  return groups.map((row) => ({ ...row, options: linksOf.get(row.id) ?? [] }));
}

async function loadOptions(db: Db, storeId: string) {
  return db
    .selectFrom('options')
    .selectAll()
    .where('store_id', '=', storeId)
    .orderBy(sortedName('name'))
    .orderBy('id')
    .execute();
}
