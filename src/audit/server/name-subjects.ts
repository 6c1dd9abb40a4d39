import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Whatever a line of the log may be about, as far as it still exists: `Margherita`, `#17, 21 Nov 2026`. */
const named = sql`(
  select id, name from stores
  union all select id, name from menus
  union all select id, name from categories
  union all select id, name from items
  union all select id, name from option_groups
  union all select id, name from options
  union all select id, name from users where role <> 'customer'
  union all select id, '#' || number || ', ' || to_char(trading_day, 'FMDD Mon YYYY') from orders
) as named`;

/** The names of what these ids stand for. */
export async function nameSubjects(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = sql`any(${[...new Set(ids)]}::uuid[])`;
  const { rows } = await sql<{ id: string; name: string }>`select id, name from ${named} where id = ${wanted}`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids of what has a name like this pattern. */
export function subjectsNamed(pattern: string) {
  return sql<string>`(select id from ${named} where name ilike ${pattern})`;
}
