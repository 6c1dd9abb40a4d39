import { sql } from 'kysely';
import { namedStaff } from '#accounts/server/user-views.ts';
import type { Db } from '#database/schema.ts';
import { namedMenuParts } from '#menu/server/menu-views.ts';
import { namedOrders } from '#ordering/server/order-views.ts';
import { namedPrinters } from '#printing/server/printer-views.ts';
import { namedStores } from '#store/server/store-views.ts';

/** Whatever a line of the log may be about, as far as it still exists: `Margherita`, `#17, 21 Nov 2026`. */
const named = sql`(
  ${namedStores}
  union all ${namedMenuParts}
  union all ${namedStaff}
  union all ${namedOrders}
  union all ${namedPrinters}
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
