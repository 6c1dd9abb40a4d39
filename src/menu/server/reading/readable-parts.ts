import { nameSortKey } from '#database/text-search.ts';
import type { Db } from '#database/schema.ts';
import { isStaff, type Viewer } from '#platform/http/viewer.ts';
import { selectLiveStores } from '#store/server/store-views.ts';
import { sql } from 'kysely';

/** The store to which a list is limited; if missing, the list has all stores. */
export interface StoreFilter {
  store_id?: string | undefined;
}

/**
 * Selects the categories that a viewer may read, in the menus' order. The public may read active categories of active
 * menus.
 */
export function readableCategories(db: Db, viewer: Viewer, { store_id: storeId }: StoreFilter = {}) {
  let query = db
    .selectFrom('categories')
    .innerJoin('menus', 'menus.id', 'categories.menu_id')
    .selectAll('categories')
    .where('menus.store_id', 'in', selectLiveStores(db))
    .orderBy('menus.store_id')
    .orderBy('menus.position')
    .orderBy('menus.id')
    .orderBy('categories.position')
    .orderBy('categories.id');
  if (storeId) query = query.where('menus.store_id', '=', storeId);
  if (isStaff(viewer)) return query;
  return query.where('categories.is_active', '=', true).where('menus.is_active', '=', true);
}

/**
 * Selects the items that a viewer may read, sorted by name. The public may read active items of active categories and
 * menus.
 */
export function readableItems(db: Db, viewer: Viewer, { store_id: storeId }: StoreFilter = {}) {
  let query = db
    .selectFrom('items')
    .selectAll('items')
    .where('items.deleted_at', 'is', null)
    .where('items.store_id', 'in', selectLiveStores(db))
    .orderBy(nameSortKey('items.name'))
    .orderBy('items.id');
  if (storeId) query = query.where('items.store_id', '=', storeId);
  return isStaff(viewer) ? query : query.where('items.id', 'in', reachedItems(db));
}

export function readableOptionGroups(db: Db, viewer: Viewer, { store_id: storeId }: StoreFilter = {}) {
  let query = db
    .selectFrom('option_groups')
    .selectAll('option_groups')
    .where('option_groups.store_id', 'in', selectLiveStores(db))
    .orderBy(nameSortKey('option_groups.name'))
    .orderBy('option_groups.id');
  if (storeId) query = query.where('option_groups.store_id', '=', storeId);
  return isStaff(viewer) ? query : query.where('option_groups.id', 'in', reachedGroups(db));
}

export function readableOptions(db: Db, viewer: Viewer, { store_id: storeId }: StoreFilter = {}) {
  let query = db
    .selectFrom('options')
    .selectAll('options')
    .where('options.store_id', 'in', selectLiveStores(db))
    .orderBy(nameSortKey('options.name'))
    .orderBy('options.id');
  if (storeId) query = query.where('options.store_id', '=', storeId);
  if (isStaff(viewer)) return query;
  const reached = db
    .selectFrom('option_group_options')
    .select('option_id')
    .where('option_group_id', 'in', reachedGroups(db));
  return query.where('options.id', 'in', reached);
}

function reachedItems(db: Db) {
  return db
    .selectFrom('category_items')
    .innerJoin('categories', 'categories.id', 'category_items.category_id')
    .innerJoin('menus', 'menus.id', 'categories.menu_id')
    .innerJoin('items as reached', 'reached.id', 'category_items.item_id')
    .select('category_items.item_id')
    .where('reached.is_active', '=', true)
    .where('reached.deleted_at', 'is', null)
    .where('categories.is_active', '=', true)
    .where('menus.is_active', '=', true);
}

function reachedGroups(db: Db) {
  return db.selectFrom('item_option_groups').select('option_group_id').where('item_id', 'in', reachedItems(db));
}

/** Selects the ids and names by which the audit log shows the parts of menus. */
export const menuPartNamesSql = sql`
  select id, name from menus
  union all select id, name from categories
  union all select id, name from items
  union all select id, name from option_groups
  union all select id, name from options`;
