import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Schema, Tx } from '#database/schema.ts';
import type { MenuParts } from '#menu/fields.ts';
import { partListNames } from '#menu/operations/menu-operation.ts';

type MenuTable =
  | 'options'
  | 'option_groups'
  | 'items'
  | 'menus'
  | 'categories'
  | 'option_group_options'
  | 'item_option_groups'
  | 'category_items';
/** The tables of parts and links with their keys. A table refers only to tables that come before it. */
const menuTables = {
  items: ['id'],
  options: ['id'],
  option_groups: ['id'],
  menus: ['id'],
  categories: ['id'],
  option_group_options: ['option_group_id', 'option_id'],
  item_option_groups: ['item_id', 'option_group_id'],
  category_items: ['category_id', 'item_id'],
} as const satisfies Record<MenuTable, readonly string[]>;

export type TableRow = Record<string, unknown>;
export type MenuRows = Record<MenuTable, TableRow[]>;

function menuTable(name: MenuTable): RawBuilder<unknown> {
  return sql.table(name);
}

/** The rows of a menu's parts and links; a link's position is its index in its list. */
export function menuRowsOf({ store_id, ...parts }: MenuParts): MenuRows {
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

function keyOf(table: MenuTable, row: TableRow): string {
  return menuTables[table].map((column) => String(row[column])).join();
}

export interface MenuDifference {
  removed: MenuRows;
  /**
   * Inserted rows. If links have changed, this includes all links of the changed parts, so that positions have no gaps.
   */
  added: MenuRows;
  changed: MenuRows;
}

const tables = Object.keys(menuTables) as MenuTable[];
const partTables = new Set<MenuTable>(Object.values(partListNames));

export function menuDifferenceOf(before: MenuParts, after: MenuParts): MenuDifference {
  const was = menuRowsOf(withoutSharedParts(before, after));
  const now = menuRowsOf(withoutSharedParts(after, before));
  const [removed, added, changed] = [{ ...was }, { ...now }, { ...now }];
  for (const table of tables) {
    const known = new Map(was[table].map((row) => [keyOf(table, row), row]));
    const left = new Set(now[table].map((row) => keyOf(table, row)));
    const isNew = (row: TableRow) => !known.has(keyOf(table, row));
    const isOther = (row: TableRow) => !isSame(row, known.get(keyOf(table, row)));
    removed[table] = was[table].filter((row) => !left.has(keyOf(table, row)));
    if (partTables.has(table)) {
      added[table] = now[table].filter(isNew);
      changed[table] = changesOf(
        now[table].filter((row) => !isNew(row) && isOther(row)),
        (row) => known.get(keyOf(table, row)),
      );
    } else {
      added[table] = known.size !== left.size || now[table].some(isOther) ? now[table] : [];
      changed[table] = [];
    }
  }
  return { removed, added, changed };
}

/** The changed rows, reduced to their ids and the columns that changed in at least one of the rows. */
function changesOf(rows: readonly TableRow[], before: (row: TableRow) => TableRow | undefined): TableRow[] {
  const names = new Set(
    rows.flatMap((row) => Object.keys(row).filter((name) => !isSame(row[name], before(row)?.[name]))),
  );
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || names.has(name))),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function withoutSharedParts(parts: MenuParts, others: MenuParts): MenuParts {
  const own = { ...parts };
  for (const list of Object.values(partListNames)) {
    const same = parts[list] === others[list] ? null : new Set<object>(others[list]);
    // `Object.assign` is used, because TypeScript cannot tie each list's name to its kind of part.
    Object.assign(own, { [list]: same ? parts[list].filter((part) => !same.has(part)) : [] });
  }
  return own;
}

export async function writeMenuDifference(
  tx: Tx,
  { removed, added, changed }: MenuDifference,
  now: Date,
): Promise<void> {
  for (const table of tables.toReversed()) if (removed[table].length > 0) await remove(tx, table, removed[table], now);
  for (const table of tables) if (added[table].length > 0) await add(tx, table, added[table]);
  for (const table of tables) if (changed[table].length > 0) await change(tx, table, changed[table]);
}

async function remove(tx: Tx, table: MenuTable, rows: readonly TableRow[], now: Date): Promise<void> {
  const key = columns(menuTables[table]);
  const gone = sql`(${key}) in (select ${key} from ${recordset(table, rows)})`;
  // An item's row is only marked as deleted, because orders refer to it.
  if (table === 'items') await sql`update items set deleted_at = ${now} where ${gone}`.execute(tx);
  else await sql`delete from ${menuTable(table)} where ${gone}`.execute(tx);
}

async function add(tx: Tx, table: MenuTable, rows: readonly TableRow[]): Promise<void> {
  const names = namesIn(rows);
  const values = names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  // A deleted item still has its row, so restoring the item only clears `deleted_at`.
  if (table === 'items') values.push(sql`deleted_at = null`);
  await sql`
    insert into ${menuTable(table)} (${columns(names)}) select ${columns(names)} from ${recordset(table, rows)}
    on conflict (${columns(menuTables[table])}) do update set ${sql.join(values)}`.execute(tx);
}

async function change(tx: Tx, table: MenuTable, rows: readonly TableRow[]): Promise<void> {
  const values = namesIn(rows).map((name) => sql`${sql.ref(name)} = said.${sql.ref(name)}`);
  await sql`
    update ${menuTable(table)} as own set ${sql.join(values)} from ${recordset(table, rows)} as said
    where own.id = said.id`.execute(tx);
}

function namesIn([first = {}]: readonly TableRow[]): string[] {
  return Object.keys(first);
}

function recordset(table: MenuTable, rows: readonly TableRow[]) {
  return sql`jsonb_populate_recordset(null::${menuTable(table)}, ${JSON.stringify(rows)}::jsonb)`;
}

function columns(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)));
}

type PartTable =
  | 'options'
  | 'option_groups'
  | 'option_group_options'
  | 'items'
  | 'item_option_groups'
  | 'menus'
  | 'categories'
  | 'category_items';

/** Writes a new shop's menu; the caller increments the store's version. */
export async function insertNewMenu(tx: Tx, parts: { [T in PartTable]?: Insertable<Schema[T]>[] }): Promise<void> {
  // The inserts are in this order, because a table refers only to tables that come before it.
  if (parts.items) await tx.insertInto('items').values(parts.items).execute();
  if (parts.options) await tx.insertInto('options').values(parts.options).execute();
  if (parts.option_groups) await tx.insertInto('option_groups').values(parts.option_groups).execute();
  if (parts.option_group_options) {
    await tx.insertInto('option_group_options').values(parts.option_group_options).execute();
  }
  if (parts.item_option_groups) await tx.insertInto('item_option_groups').values(parts.item_option_groups).execute();
  if (parts.menus) await tx.insertInto('menus').values(parts.menus).execute();
  if (parts.categories) await tx.insertInto('categories').values(parts.categories).execute();
  if (parts.category_items) await tx.insertInto('category_items').values(parts.category_items).execute();
}
