import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Names of whatever these ids stand for, as far as it still exists: `Margherita`, `#17 of 2026-11-21`. */
export async function nameSubjects(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = sql`any(${[...new Set(ids)]}::uuid[])`;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from stores where id = ${wanted}
    union all select id, name from menus where id = ${wanted}
    union all select id, name from categories where id = ${wanted}
    union all select id, name from items where id = ${wanted}
    union all select id, name from option_groups where id = ${wanted}
    union all select id, name from options where id = ${wanted}
    union all select id, name from users where id = ${wanted} and role <> 'customer'
    union all select id, '#' || number || ', ' || trading_day from orders where id = ${wanted}
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
