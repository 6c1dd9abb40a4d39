import { sql } from 'kysely';
import { sortedName } from '#database/search-reach.ts';
import type { Db } from '#database/schema.ts';
import type { MenuParts } from '#menu/fields.ts';
import { presentItem, presentOption } from '#menu/server/reading/load-menus.ts';
import { findStoreRow } from '#store/server/store-views.ts';

/** Everything on a store's menus, each thing once, in eight flat reads. null when there is no such store. */
export async function loadParts(db: Db, storeId: string): Promise<MenuParts | null> {
  const store = await findStoreRow(db, storeId);
  if (!store) return null;
  const items = await loadItems(db, storeId);
  const isLive = new Set(items.map(({ id }) => id));
  const categories = await loadCategories(db, storeId);
  const options = await loadOptions(db, storeId);
  return {
    store_id: storeId,
    version: store.version,
    menus: await loadMenusOf(db, storeId),
    categories: categories.map((row) => ({ ...row, item_ids: row.item_ids.filter((id) => isLive.has(id)) })),
    items: items.map(asPart),
    option_groups: await loadGroups(db, storeId),
    options: options.map(asOption),
  };
}

/** A menu of nothing but this part, with its links: enough to change its own fields. */
export async function loadOnlyPart(
  db: Db,
  storeId: string,
  part: 'item' | 'group' | 'option',
  id: string,
): Promise<MenuParts> {
  return {
    store_id: storeId,
    version: 0,
    menus: [],
    categories: [],
    items: part === 'item' ? (await loadItems(db, storeId, id)).map(asPart) : [],
    option_groups: part === 'group' ? await loadGroups(db, storeId, id) : [],
    options: part === 'option' ? (await loadOptions(db, storeId, id)).map(asOption) : [],
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
    .select(['category_id', 'item_id'])
    .where('category_id', '=', anyOf(categories))
    .orderBy('position')
    .execute();
  const linksOf = Map.groupBy(links, (link) => link.category_id);
  return categories.map((row) => ({ ...row, item_ids: (linksOf.get(row.id) ?? []).map((link) => link.item_id) }));
}

async function loadItems(db: Db, storeId: string, only?: string) {
  const items = await db
    .selectFrom('items')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('deleted_at', 'is', null)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .orderBy(sortedName('name'))
    .orderBy('id')
    .execute();
  const links = await db
    .selectFrom('item_option_groups')
    .select(['item_id', 'option_group_id as id', 'shown_when_option_id'])
    .where('item_id', '=', anyOf(items))
    .orderBy('position')
    .execute();
  const linksOf = Map.groupBy(links, (link) => link.item_id);
  return items.map((row) => ({ ...row, groups: linksOf.get(row.id) ?? [] }));
}

async function loadGroups(db: Db, storeId: string, only?: string) {
  const groups = await db
    .selectFrom('option_groups')
    .selectAll()
    .where('store_id', '=', storeId)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .orderBy(sortedName('name'))
    .orderBy('id')
    .execute();
  const links = await db
    .selectFrom('option_group_options')
    .select(['option_group_id', 'option_id as id', 'price as price_override'])
    .where('option_group_id', '=', anyOf(groups))
    .orderBy('position')
    .execute();
  const linksOf = Map.groupBy(links, (link) => link.option_group_id);
  return groups.map((row) => ({ ...row, options: linksOf.get(row.id) ?? [] }));
}

/** By the ids themselves, a list of links is found by its index, also while the statistics of a new menu are stale. */
function anyOf(parents: readonly { id: string }[]) {
  return sql<string>`any(${parents.map(({ id }) => id)}::uuid[])`;
}

async function loadOptions(db: Db, storeId: string, only?: string) {
  return db
    .selectFrom('options')
    .selectAll()
    .where('store_id', '=', storeId)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .orderBy(sortedName('name'))
    .orderBy('id')
    .execute();
}

function asPart({ groups, ...row }: Awaited<ReturnType<typeof loadItems>>[number]): MenuParts['items'][number] {
  return { ...presentItem(row), allergen_answers: row.allergen_answers, option_groups: groups };
}

function asOption(row: Awaited<ReturnType<typeof loadOptions>>[number]): MenuParts['options'][number] {
  return { ...presentOption(row), allergen_answers: row.allergen_answers };
}
