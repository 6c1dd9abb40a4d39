import { type RawBuilder, sql } from 'kysely';
import { namedDevices } from '#accounts/server/devices/device-views.ts';
import { namedCustomers, namedStaff } from '#accounts/server/user-views.ts';
import type { Db } from '#database/schema.ts';
import { namedMenuParts } from '#menu/server/menu-views.ts';
import { namedOrders, ordersNamed } from '#ordering/server/order-views.ts';
import { namedPrinters } from '#printing/server/printer-views.ts';
import { namedStores } from '#store/server/store-views.ts';

/** What a shop has few of. */
const few = sql`
  ${namedStores}
  union all ${namedMenuParts}
  union all ${namedStaff}
  union all ${namedDevices}
  union all ${namedPrinters}`;
const namedFew = sql`(${few}) as named`;

/** Ids with their names, as a statement of a domain that is none of this one's. */
export type Named = RawBuilder<unknown>;

/**
 * The names of what these ids stand for, as far as it still exists: `Margherita`, `#17, 21 Nov 2026`, `Ada Lovelace`. Whatever a
 * line of the log may be about, `others` included.
 */
export async function nameSubjects(db: Db, ids: readonly string[], others: Named): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = sql`any(${[...new Set(ids)]}::uuid[])`;
  const named = sql`(${few} union all ${namedOrders} union all ${namedCustomers} union all ${others}) as named`;
  const { rows } = await sql<{ id: string; name: string }>`select id, name from ${named} where id = ${wanted}`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids of what has a folded name like this pattern, and of the newest orders with this number, day or both: `#17, 21 Nov 2026`. */
export async function subjectsNamed(db: Db, pattern: string, search: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${namedFew} where fold_text(name) like ${pattern} limit ${mostNamed}`.execute(db);
  const [, number, date] = /^(?:#?(\d{1,6}))?(?:(?:, *|^)(\d{1,2} [A-Z]\w\w \d{4}))?$/i.exec(search.trim()) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date} UTC`);
  const day = Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
  const orders = await ordersNamed(db, { number: number === undefined ? undefined : Number(number), day }, mostNamed);
  return [...rows.map(({ id }) => id), ...orders];
}

const mostNamed = 1_000;
