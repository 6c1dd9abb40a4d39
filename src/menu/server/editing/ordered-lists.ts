import { sql } from 'kysely';
import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { menuTable } from '#menu/server/editing/menu-tables.ts';
import { invalid } from '#platform/errors.ts';

/** Rows in an order under one parent, at positions 0 … n−1. Change them while the store is locked (`changeMenu`). */
export interface OrderedList {
  table: 'menus' | 'categories' | LinkList['table'];
  parent: string;
  /** The columns that identify a row among its siblings. */
  child: string;
}

/** Things of a store linked to a parent; one thing may have many parents. */
export interface LinkList {
  table: 'category_items' | 'item_option_groups' | 'option_group_options';
  parent: string;
  child: string;
  things: 'items' | 'option_groups' | 'options';
}

export const storeMenus: OrderedList = { table: 'menus', parent: 'store_id', child: 'id' };
export const menuCategories: OrderedList = { table: 'categories', parent: 'menu_id', child: 'id' };
export const categoryItems: LinkList = {
  table: 'category_items',
  parent: 'category_id',
  child: 'item_id',
  things: 'items',
};
export const itemGroups: LinkList = {
  table: 'item_option_groups',
  parent: 'item_id',
  child: 'option_group_id',
  things: 'option_groups',
};
export const groupOptions: LinkList = {
  table: 'option_group_options',
  parent: 'option_group_id',
  child: 'option_id',
  things: 'options',
};

/** The ids of a body's list, and the field that a refusal names. */
export interface NamedIds {
  field: string;
  ids: readonly string[];
}

/** The position after the last one, for a new row's insert. */
export function endOf(list: OrderedList, parentId: string) {
  const { table, parent } = columnsOf(list);
  return sql<number>`(select coalesce(max(position) + 1, 0)::int from ${table} where ${parent} = ${parentId})`;
}

/** Links things at the end, in the given order; a linked one keeps its position. Throws 422 for one of another store. */
export async function addLinks(
  tx: Tx,
  list: LinkList,
  storeId: string,
  parentId: string,
  named: NamedIds,
): Promise<void> {
  await refuseUnknown(tx, list, storeId, named);
  const { table, parent, child } = columnsOf(list);
  // Every position is written again, so that the list has no gaps whatever it was like before.
  await sql`
    insert into ${table} (${parent}, ${child}, position)
    select ${parentId}::uuid, id, row_number() over (order by is_new, place, id) - 1
    from (
      select ${child} as id, false as is_new, position::bigint as place from ${table} where ${parent} = ${parentId}
      union all
      select id, true, place from unnest(${[...named.ids]}::uuid[]) with ordinality as wanted (id, place)
      where id not in (select ${child} from ${table} where ${parent} = ${parentId})
    ) as every_link
    on conflict (${parent}, ${child}) do update set position = excluded.position`.execute(tx);
}

/** Removes things and closes the gaps; one that was not linked changes nothing. Throws 422 for one of another store. */
export async function removeLinks(
  tx: Tx,
  list: LinkList,
  storeId: string,
  parentId: string,
  named: NamedIds,
): Promise<void> {
  await refuseUnknown(tx, list, storeId, named);
  const { table, parent, child } = columnsOf(list);
  await sql`
    with gone as (
      delete from ${table} where ${parent} = ${parentId} and ${child} = any(${[...named.ids]}::uuid[])
    ), kept as (
      select ${child} as id, row_number() over (order by position, ${child}) - 1 as place
      from ${table} where ${parent} = ${parentId} and ${child} <> all(${[...named.ids]}::uuid[])
    )
    update ${table} as link set position = kept.place
    from kept where link.${parent} = ${parentId} and link.${child} = kept.id and link.position <> kept.place`.execute(
    tx,
  );
}

/** Puts rows into this order. Throws 422 unless every row of the parent is named, and nothing else. */
export async function reorder(tx: Tx, list: OrderedList, parentId: string, { field, ids }: NamedIds): Promise<void> {
  const { table, parent, child } = columnsOf(list);
  const { rows } = await sql<{ moved: number; siblings: number }>`
    with moved as (
      update ${table} as entry set position = wanted.place - 1
      from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
      where entry.${parent} = ${parentId} and entry.${child} = wanted.id
      returning 1
    )
    select (select count(*)::int from moved) as moved, count(*)::int as siblings from ${table} where ${parent} = ${parentId}`.execute(
    tx,
  );
  const isWhole = rows.every(({ moved, siblings }) => moved === ids.length && siblings === ids.length);
  // The refusal rolls the transaction back, with the rows already moved.
  if (!isWhole) throw invalid(field, m.menu_reorder_incomplete());
}

/** Closes the gaps after a deletion, under each of these parents. */
export async function closeGaps(tx: Tx, list: OrderedList, parentIds: readonly string[]): Promise<void> {
  const { table, parent, child } = columnsOf(list);
  await sql`
    update ${table} as entry set position = kept.place
    from (
      select ${parent} as parent, ${child} as id, row_number() over (partition by ${parent} order by position, ${child}) - 1 as place
      from ${table} where ${parent} = any(${[...parentIds]}::uuid[])
    ) as kept
    where entry.${parent} = kept.parent and entry.${child} = kept.id and entry.position <> kept.place`.execute(tx);
}

async function refuseUnknown(tx: Tx, { things }: LinkList, storeId: string, { field, ids }: NamedIds): Promise<void> {
  const isLive = things === 'items' ? sql`deleted_at is null` : sql`true`;
  const { rows: known } = await sql`
    select id from ${menuTable(things)} where store_id = ${storeId} and id = any(${[...ids]}::uuid[]) and ${isLive}`.execute(
    tx,
  );
  if (known.length !== ids.length) throw invalid(field, m.menu_ids_unknown());
}

function columnsOf({ table, parent, child }: OrderedList) {
  return { table: menuTable(table), parent: sql.ref(parent), child: sql.ref(child) };
}
