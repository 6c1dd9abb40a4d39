import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/**
 * Which changes of a table count: all of them, all but updates of one column, inserted and deleted rows and updates of
 * these columns only, or new lines of the audit log about what was done. That staff were refused is noted there too.
 */
type Watched = 'all' | 'done' | readonly string[] | { allBut: string };

/** The tables with everything that a shop sells, and how it sells it, for `countChanges`. */
export const wholeShop = {
  // The shop's own daily count of best sellers records its day at any time.
  stores: { allBut: 'best_sellers_day' },
  menus: 'all',
  categories: 'all',
  category_items: 'all',
  items: 'all',
  item_option_groups: 'all',
  option_groups: 'all',
  option_group_options: 'all',
  options: 'all',
} as const;

/**
 * Counts the rows written to some tables from now on, so that a test can tell whether a call wrote anything. Undone
 * writes and writes of the same values do not count. The returned function reads the count so far.
 */
export async function countChanges(db: Db, tables: Readonly<Record<string, Watched>>): Promise<() => Promise<number>> {
  await sql`create table test_changes as select 0 as number`.execute(db);
  await sql`
    create function test_count_change() returns trigger language plpgsql
    as $$ begin update test_changes set number = number + 1; return null; end $$`.execute(db);
  for (const [table, columns] of Object.entries(tables)) {
    const on = sql`on ${sql.table(table)} for each row`;
    const count = sql`execute function test_count_change()`;
    if (columns === 'done') {
      await sql`
        create trigger test_done after insert ${on} when (new.outcome is null) ${count}`.execute(db);
      continue;
    }
    await sql`create trigger test_come_and_go after insert or delete ${on} ${count}`.execute(db);
    if (Array.isArray(columns) && columns.length === 0) continue;
    const of = Array.isArray(columns) ? sql`of ${sql.join(columns.map((column) => sql.ref(column)))}` : sql``;
    const row = (name: 'old' | 'new') =>
      typeof columns === 'object' && 'allBut' in columns
        ? sql`(to_jsonb(${sql.raw(name)}) - ${sql.lit(columns.allBut)})`
        : sql.raw(name);
    await sql`
      create trigger test_update after update ${of} ${on} when (${row('old')} is distinct from ${row('new')})
      ${count}`.execute(db);
  }
  return async () => {
    const { rows } = await sql<{ number: number }>`select number from test_changes`.execute(db);
    return rows[0]?.number ?? NaN;
  };
}
