import { type RawBuilder, sql } from 'kysely';
import { m } from '#messages';
import type { MenuBinTable, Tx } from '#database/schema.ts';
import { dropLostConditions } from '#menu/server/editing/conditions.ts';
import {
  categoryItems,
  closeGaps,
  groupOptions,
  itemGroups,
  menuCategories,
  type OrderedList,
  storeMenus,
} from '#menu/server/editing/ordered-lists.ts';
import { findRefusedPriceLink } from '#menu/server/editing/price-groups.ts';
import { menuTable, type MenuTable } from '#menu/server/editing/menu-tables.ts';
import { changeMenu } from '#menu/server/editing/change-menu.ts';
import { AppError } from '#platform/errors.ts';
import type { ChangingCall, StoreChanges } from '#store/server/change-store.ts';

export type BinKind = MenuBinTable['kind'];
type Row = Record<string, unknown>;
interface Found {
  id: string;
  store_id: string;
}

/** How long a deletion can be undone. */
const KEPT_DAYS = 30;

type Condition = (id: string) => RawBuilder<unknown>;

const itself: Condition = (id) => sql`id = ${id}`;

/** The rows deleted with a thing, parents first, and how to find them by its id. */
const rowsOf: Record<BinKind, [table: MenuTable, mine: Condition][]> = {
  menus: [
    ['menus', itself],
    ['categories', (id) => sql`menu_id = ${id}`],
    ['category_items', (id) => sql`category_id in (select id from categories where menu_id = ${id})`],
  ],
  categories: [
    ['categories', itself],
    ['category_items', (id) => sql`category_id = ${id}`],
  ],
  items: [
    ['items', itself],
    ['category_items', (id) => sql`item_id = ${id}`],
    ['item_option_groups', (id) => sql`item_id = ${id}`],
  ],
  option_groups: [
    ['option_groups', itself],
    ['item_option_groups', (id) => sql`option_group_id = ${id}`],
    ['option_group_options', (id) => sql`option_group_id = ${id}`],
  ],
  options: [
    ['options', itself],
    ['option_group_options', (id) => sql`option_id = ${id}`],
  ],
};

/** Links that lose their condition when their options are deleted. */
const conditionsOf: Partial<Record<BinKind, Condition>> = {
  option_groups: (id) =>
    sql`shown_when_option_id in (select option_id from option_group_options where option_group_id = ${id})`,
  options: (id) => sql`shown_when_option_id = ${id}`,
};

/** The position column of each ordered table. */
const listOf: Partial<Record<MenuTable, OrderedList>> = {
  menus: storeMenus,
  categories: menuCategories,
  category_items: categoryItems,
  item_option_groups: itemGroups,
  option_group_options: groupOptions,
};

/** Both ends of a link must still exist; a category needs its menu. */
const stillPossible: Partial<Record<MenuTable, RawBuilder<unknown>>> = {
  categories: sql`exists (select 1 from menus where id = kept.menu_id)`,
  category_items: sql`exists (select 1 from categories where id = kept.category_id)
    and exists (select 1 from items where id = kept.item_id and deleted_at is null)`,
  item_option_groups: sql`exists (select 1 from items where id = kept.item_id)
    and exists (select 1 from option_groups where id = kept.option_group_id)`,
  option_group_options: sql`exists (select 1 from option_groups where id = kept.option_group_id)
    and exists (select 1 from options where id = kept.option_id)`,
};

/** Stores a thing with its links before it is deleted. */
export async function keepInBin(tx: Tx, kind: BinKind, thing: { id: string; store_id: string }, now: Date) {
  const content: Record<string, Row[]> = {};
  for (const [table, mine] of rowsOf[kind]) content[table] = await readRows(tx, table, mine(thing.id));
  const conditions = conditionsOf[kind];
  if (conditions) content['conditions'] = await readRows(tx, 'item_option_groups', conditions(thing.id));
  const fields = { store_id: thing.store_id, deleted_at: now, content: JSON.stringify(content) };
  await tx
    .insertInto('menu_bin')
    .values({ kind, id: thing.id, ...fields })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(fields))
    .execute();
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await tx.deleteFrom('menu_bin').where('deleted_at', '<', oldest).execute();
}

/** Restores a removed part; an existing one is returned. */
export async function restorePart<T extends Found>(
  services: StoreChanges,
  call: ChangingCall,
  kind: BinKind,
  find: (tx: Tx, id: string) => Promise<T>,
  id: string,
): Promise<T> {
  const known = async (tx: Tx): Promise<{ store_id: string }> => (await findInBin(tx, kind, id)) ?? find(tx, id);
  return changeMenu(services, call, known, async (tx) => {
    if (await findInBin(tx, kind, id)) await restoreFromBin(tx, kind, id);
    return find(tx, id);
  });
}

/** The stored rows of a deleted thing, or null. */
async function findInBin(tx: Tx, kind: BinKind, id: string): Promise<{ store_id: string } | null> {
  const row = await tx
    .selectFrom('menu_bin')
    .select('store_id')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Restores a deleted thing at its place, with those of its links whose other end still exists. Call it while the store is
 * locked. Throws 404 when the bin does not have it, 409 when its parent was deleted too, or when a dish would get a second
 * group whose choices are its price.
 */
async function restoreFromBin(tx: Tx, kind: BinKind, id: string): Promise<void> {
  const kept = await tx
    .deleteFrom('menu_bin')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .returning(['content', 'store_id'])
    .executeTakeFirst();
  if (!kept) throw new AppError('not_found', m.platform_not_found());
  for (const [table] of rowsOf[kind]) await putBack(tx, table, kept.content[table] ?? []);
  const { rows } = await sql`select 1 from ${menuTable(kind)} where id = ${id}`.execute(tx);
  if (rows.length === 0) throw new AppError('conflict', m.menu_restore_without_parent());
  await sql`
    update item_option_groups as link set shown_when_option_id = kept.shown_when_option_id
    from jsonb_populate_recordset(null::item_option_groups, ${JSON.stringify(kept.content['conditions'] ?? [])}::jsonb) as kept
    join options on options.id = kept.shown_when_option_id
    where link.item_id = kept.item_id and link.option_group_id = kept.option_group_id and link.shown_when_option_id is null`.execute(
    tx,
  );
  await dropLostConditions(tx, kept.store_id);
  const refused = await findRefusedPriceLink(tx, { storeId: kept.store_id });
  if (refused) throw new AppError('conflict', refused);
}

async function readRows(tx: Tx, table: MenuTable, condition: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(own) as row from ${menuTable(table)} as own where ${condition}`.execute(tx);
  return rows.map(({ row }) => row);
}

async function putBack(tx: Tx, table: MenuTable, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const list = listOf[table];
  const json = JSON.stringify(rows);
  if (list) {
    const parent = sql.ref(list.parent);
    // Rows that moved up into its place move down again.
    await sql`
      update ${menuTable(table)} as own set position = own.position + 1
      from jsonb_populate_recordset(null::${menuTable(table)}, ${json}::jsonb) as kept
      where own.${parent} = kept.${parent} and own.position >= kept.position`.execute(tx);
  }
  const isPossible = stillPossible[table] ?? sql`true`;
  // An item is only hidden; items that an earlier version deleted are gone.
  const conflict = table === 'items' ? sql`(id) do update set deleted_at = null` : sql`do nothing`;
  const source = sql`jsonb_populate_recordset(null::${menuTable(table)}, ${json}::jsonb) as kept`;
  if (table === 'item_option_groups') {
    await sql`
      insert into item_option_groups (item_id, option_group_id, position, shown_when_option_id)
      select item_id, option_group_id, position, (select id from options where id = kept.shown_when_option_id)
      from ${source} where ${isPossible} on conflict ${conflict}`.execute(tx);
  } else {
    // A column added since then gets its default.
    const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
    await sql`
      insert into ${menuTable(table)} (${columns}) select ${columns} from ${source} where ${isPossible}
      on conflict ${conflict}`.execute(tx);
  }
  if (list) await closeGaps(tx, list, [...new Set(rows.map((row) => String(row[list.parent])))]);
}
