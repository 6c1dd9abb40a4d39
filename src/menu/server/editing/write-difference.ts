import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';
import type { MenuParts } from '#menu/menu-parts.ts';
import { listOf } from '#menu/operations/menu-part.ts';
import {
  keyOf,
  menuTable,
  type MenuRows,
  type MenuTable,
  menuTables,
  type Row,
  rowsOf,
} from '#menu/server/editing/menu-tables.ts';

/** The rows that lead from one menu to another. */
export interface MenuDifference {
  removed: MenuRows;
  /** New rows; a changed list of links whole, so that it has no gaps whatever it was like before. */
  added: MenuRows;
  changed: MenuRows;
}

const tables = Object.keys(menuTables) as MenuTable[];
const partTables = new Set<MenuTable>(Object.values(listOf));

export function differenceOf(before: MenuParts, after: MenuParts): MenuDifference {
  const was = rowsOf(withoutThoseOf(before, after));
  const now = rowsOf(withoutThoseOf(after, before));
  const [removed, added, changed] = [{ ...was }, { ...now }, { ...now }];
  for (const table of tables) {
    const known = new Map(was[table].map((row) => [keyOf(table, row), row]));
    const left = new Set(now[table].map((row) => keyOf(table, row)));
    const isNew = (row: Row) => !known.has(keyOf(table, row));
    const isOther = (row: Row) => !isSame(row, known.get(keyOf(table, row)));
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

/** The rows with their keys, and with the columns in which one of them differs. */
function changesOf(rows: readonly Row[], before: (row: Row) => Row | undefined): Row[] {
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

/** An operation keeps the objects of the parts that it does not change. */
function withoutThoseOf(parts: MenuParts, others: MenuParts): MenuParts {
  const own = { ...parts };
  for (const list of Object.values(listOf)) {
    const same = parts[list] === others[list] ? null : new Set<object>(others[list]);
    // Each list keeps its own kind of part.
    Object.assign(own, { [list]: same ? parts[list].filter((part) => !same.has(part)) : [] });
  }
  return own;
}

/** Writes the rows by one statement for each table and way. */
export async function writeDifference(tx: Tx, { removed, added, changed }: MenuDifference, now: Date): Promise<void> {
  for (const table of tables.toReversed()) if (removed[table].length > 0) await remove(tx, table, removed[table], now);
  for (const table of tables) if (added[table].length > 0) await add(tx, table, added[table]);
  for (const table of tables) if (changed[table].length > 0) await change(tx, table, changed[table]);
}

async function remove(tx: Tx, table: MenuTable, rows: readonly Row[], now: Date): Promise<void> {
  const key = columns(menuTables[table]);
  const gone = sql`(${key}) in (select ${key} from ${recordset(table, rows)})`;
  // An item is kept for its orders.
  if (table === 'items') await sql`update items set deleted_at = ${now} where ${gone}`.execute(tx);
  else await sql`delete from ${menuTable(table)} where ${gone}`.execute(tx);
}

async function add(tx: Tx, table: MenuTable, rows: readonly Row[]): Promise<void> {
  const names = namesIn(rows);
  const values = names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  // An item that comes back is hidden until then.
  if (table === 'items') values.push(sql`deleted_at = null`);
  await sql`
    insert into ${menuTable(table)} (${columns(names)}) select ${columns(names)} from ${recordset(table, rows)}
    on conflict (${columns(menuTables[table])}) do update set ${sql.join(values)}`.execute(tx);
}

async function change(tx: Tx, table: MenuTable, rows: readonly Row[]): Promise<void> {
  const values = namesIn(rows).map((name) => sql`${sql.ref(name)} = said.${sql.ref(name)}`);
  await sql`
    update ${menuTable(table)} as own set ${sql.join(values)} from ${recordset(table, rows)} as said
    where own.id = said.id`.execute(tx);
}

function namesIn([first = {}]: readonly Row[]): string[] {
  return Object.keys(first);
}

function recordset(table: MenuTable, rows: readonly Row[]) {
  return sql`jsonb_populate_recordset(null::${menuTable(table)}, ${JSON.stringify(rows)}::jsonb)`;
}

function columns(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)));
}
