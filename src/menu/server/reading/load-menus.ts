import { type Selectable, sql } from 'kysely';
import type { Category, Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';
import type { Db, ItemsTable, OptionGroupsTable, OptionsTable } from '#database/schema.ts';
import type { menuRelations } from '#menu/contract-parts.ts';
import type { Store } from '#store/contract.ts';
import { choiceWithDishFields } from '#menu/dish-choices.ts';
import { nameSortKey } from '#database/text-search.ts';
import type { MenuParts } from '#menu/fields.ts';
import { findStoreRow } from '#store/server/store-views.ts';

/**
 * Loads a store's menus by a few flat reads, which are joined in memory in the menu's order. `activeOnly`: the public
 * view, without inactive menus, categories and items.
 */
export async function loadMenus(db: Db, storeId: string, view: { activeOnly: boolean }): Promise<Required<Menu>[]> {
  let menuQuery = db.selectFrom('menus').selectAll().where('store_id', '=', storeId).orderBy('position').orderBy('id');
  if (view.activeOnly) menuQuery = menuQuery.where('is_active', '=', true);
  const menus = await menuQuery.execute();
  const menuIds = menus.map((menu) => menu.id);
  if (menuIds.length === 0) return [];
  let categoryQuery = db
    .selectFrom('categories')
    .selectAll()
    .where('menu_id', 'in', menuIds)
    .orderBy('position')
    .orderBy('id');
  if (view.activeOnly) categoryQuery = categoryQuery.where('is_active', '=', true);
  const categories = await categoryQuery.execute();
  const items = await loadItemsOf(
    db,
    categories.map((category) => category.id),
    view.activeOnly,
  );
  const byMenu = Map.groupBy(categories, (category) => category.menu_id);
  return menus.map((menu) => ({
    ...menu,
    categories: (byMenu.get(menu.id) ?? []).map((category): Category => ({
      ...category,
      items: items.get(category.id) ?? [],
    })),
  }));
}

export async function loadItemsOf(db: Db, categoryIds: string[], activeOnly: boolean): Promise<Map<string, Item[]>> {
  if (categoryIds.length === 0) return new Map();
  let query = db
    .selectFrom('category_items')
    .innerJoin('items', 'items.id', 'category_items.item_id')
    .selectAll('items')
    .select(['category_items.category_id', 'category_items.position'])
    .where('category_items.category_id', 'in', categoryIds)
    .where('items.deleted_at', 'is', null)
    .orderBy('category_items.position')
    .orderBy('items.id');
  if (activeOnly) query = query.where('items.is_active', '=', true);
  const rows = await query.execute();
  const groups = await loadGroupsOf(db, [...new Set(rows.map((row) => row.id))]);
  const byCategory = Map.groupBy(rows, (row) => row.category_id);
  return new Map(
    [...byCategory].map(([categoryId, own]) => [
      categoryId,
      own.map(({ category_id: _category, position, ...row }) => ({
        ...presentItem(row),
        position,
        option_groups: groups.get(row.id) ?? [],
      })),
    ]),
  );
}

/**
 * Loads the option groups of items, with their options. The map's keys are item ids, and each item's groups are sorted
 * by `position`. If `follow` is true, a choice that is a dish gets the dish's fields.
 */
async function loadGroupsOf(
  db: Db,
  itemIds: string[],
  { follow } = { follow: true },
): Promise<Map<string, OptionGroup[]>> {
  if (itemIds.length === 0) return new Map();
  const links = await db
    .selectFrom('item_option_groups')
    .innerJoin('option_groups', 'option_groups.id', 'item_option_groups.option_group_id')
    .selectAll('option_groups')
    .select(['item_option_groups.item_id', 'item_option_groups.position', 'item_option_groups.shown_when_option_id'])
    .where('item_option_groups.item_id', 'in', itemIds)
    .orderBy('item_option_groups.position')
    .execute();
  const options = await loadOptionsOf(db, [...new Set(links.map((link) => link.id))], follow);
  const byItem = Map.groupBy(links, (link) => link.item_id);
  return new Map(
    [...byItem].map(([itemId, own]) => [
      itemId,
      own.map(({ item_id: _item, store_id: _store, ...group }) => ({ ...group, options: options.get(group.id) ?? [] })),
    ]),
  );
}

/**
 * Loads the options of option groups. The map's keys are group ids. Each option has its price in that group, and the
 * options are sorted by `position`.
 */
async function loadOptionsOf(db: Db, groupIds: string[], follow = true): Promise<Map<string, Option[]>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('option_group_options')
    .innerJoin('options', 'options.id', 'option_group_options.option_id')
    .selectAll('options')
    .select([
      'option_group_options.option_group_id',
      'option_group_options.position',
      'option_group_options.price as price_override',
    ])
    .where('option_group_options.option_group_id', 'in', groupIds)
    .orderBy('option_group_options.position')
    .execute();
  const dishes = follow ? await loadDishesOf(db, rows) : null;
  const byGroup = Map.groupBy(rows, (row) => row.option_group_id);
  return new Map(
    [...byGroup].map(([groupId, own]) => [
      groupId,
      own.flatMap(({ option_group_id: _group, position, price_override: override, ...row }) => {
        const option = { ...presentOption(row), price: override ?? row.price, price_override: override, position };
        if (row.item_id === null || !dishes) return [option];
        const dish = dishes.get(row.item_id);
        // A deal omits choices whose dish is hidden or deleted.
        return dish ? [choiceWithDishFields(option, dish)] : [];
      }),
    ]),
  );
}

async function loadDishesOf(db: Db, options: readonly { item_id: string | null }[]): Promise<Map<string, Item>> {
  const ids = [...new Set(options.flatMap(({ item_id }) => item_id ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('is_active', '=', true)
    .execute();
  const groups = await loadGroupsOf(db, ids, { follow: false });
  return new Map(rows.map((row) => [row.id, { ...presentItem(row), option_groups: groups.get(row.id) ?? [] }]));
}

/**
 * An item as customers may see it, without fields such as its unconfirmed answers about allergens and its scheduled
 * price.
 */
export function presentItem({
  store_id: _store,
  deleted_at: _deleted,
  allergen_answers: _answers,
  portions_shown: _shown,
  price_change: _change,
  ...row
}: Selectable<ItemsTable>): Item {
  return { ...row, unavailable_until: row.unavailable_until?.toISOString() ?? null };
}

function presentOption({
  store_id: _store,
  allergen_answers: _answers,
  price_change: _change,
  ...row
}: Selectable<OptionsTable>): Option {
  return { ...row, unavailable_until: row.unavailable_until?.toISOString() ?? null };
}

type MenuRelation = (typeof menuRelations)[number];
export type ShownMenu = Menu & { store?: Store };

/**
 * A menu with only the requested relations. `include` also names each relation's parents, such as `categories` for
 * `categories.items`. The number of these names, without `store`, is therefore the depth of the answer.
 */
export function pickMenuRelations(
  { categories = [], ...menu }: Menu,
  store: Store,
  include: readonly MenuRelation[],
): ShownMenu {
  const depth = include.filter((relation) => relation !== 'store').length;
  return {
    ...menu,
    ...(include.includes('store') && { store }),
    ...(depth > 0 && { categories: categories.map((category) => limitCategoryDepth(category, depth - 1)) }),
  };
}

/** A category with its relations to a depth. 1: with items; 2: with their option groups; 3: with their options. */
export function limitCategoryDepth({ items = [], ...category }: Category, depth: number): Category {
  return { ...category, ...(depth > 0 && { items: items.map((item) => trimItem(item, depth - 1)) }) };
}

function trimItem<T extends Item>(
  { option_groups: groups = [], ...item }: T,
  depth: number,
): Omit<T, 'option_groups'> & Pick<Item, 'option_groups'> {
  return { ...item, ...(depth > 0 && { option_groups: groups.map((group) => trimGroup(group, depth - 1)) }) };
}

function trimGroup<T extends OptionGroup>(
  { options = [], ...group }: T,
  depth: number,
): Omit<T, 'options'> & Pick<OptionGroup, 'options'> {
  return { ...group, ...(depth > 0 && { options }) };
}

export function presentOptionWithStore(row: Selectable<OptionsTable>) {
  return { ...presentOption(row), store_id: row.store_id };
}

/** Options as the API shows them. A choice that is a dish has the dish's fields. */
export async function presentOptions(db: Db, rows: readonly Selectable<OptionsTable>[]) {
  const dishes = await loadDishesOf(db, rows);
  return rows.map((row) => {
    const option = presentOptionWithStore(row);
    const dish = dishes.get(row.item_id ?? '');
    return dish ? choiceWithDishFields(option, dish) : option;
  });
}

/** Option groups as the API shows them. `depth` 1: with their options. */
export async function presentGroups(db: Db, rows: readonly Selectable<OptionGroupsTable>[], depth: number) {
  const ids = rows.map(({ id }) => id);
  const options = depth > 0 ? await loadOptionsOf(db, ids) : null;
  return rows.map((row) => trimGroup({ ...row, options: options?.get(row.id) ?? [] }, depth));
}

/** Items as the API shows them. `depth` 1: with the option groups; 2: with their options. */
export async function presentItems(db: Db, rows: readonly Selectable<ItemsTable>[], depth: number) {
  const ids = rows.map(({ id }) => id);
  const groups = depth > 0 ? await loadGroupsOf(db, ids) : null;
  return rows.map((row) => {
    const item = { ...presentItem(row), store_id: row.store_id, option_groups: groups?.get(row.id) ?? [] };
    return trimItem(item, depth);
  });
}

/** Loads a store's menus with each part once, by a few flat reads; null if there is no such store. */
export async function loadMenuParts(db: Db, storeId: string): Promise<MenuParts | null> {
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

/** Loads a menu that has only this part and its links, which suffices to change the part's own fields. */
export async function loadSinglePart(
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
    .orderBy(nameSortKey('name'))
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
    .orderBy(nameSortKey('name'))
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

/**
 * A condition that matches a list of the parents' ids. It replaces a join, which would not use the links' index while a
 * new menu's statistics are stale.
 */
function anyOf(parents: readonly { id: string }[]) {
  return sql<string>`any(${parents.map(({ id }) => id)}::uuid[])`;
}

async function loadOptions(db: Db, storeId: string, only?: string) {
  return db
    .selectFrom('options')
    .selectAll()
    .where('store_id', '=', storeId)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .orderBy(nameSortKey('name'))
    .orderBy('id')
    .execute();
}

function asPart({ groups, ...row }: Awaited<ReturnType<typeof loadItems>>[number]): MenuParts['items'][number] {
  const { allergen_answers, price_change } = row;
  return { ...presentItem(row), allergen_answers, price_change, option_groups: groups };
}

function asOption(row: Awaited<ReturnType<typeof loadOptions>>[number]): MenuParts['options'][number] {
  const { allergen_answers, price_change, item_id, item_options } = row;
  return { ...presentOption(row), allergen_answers, price_change, item_id, item_options };
}
