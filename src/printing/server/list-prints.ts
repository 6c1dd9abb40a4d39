import { sql } from 'kysely';
import type { Db, Tx } from '#database/schema.ts';
import { readPage } from '#database/read-page.ts';
import type { printerCalls } from '#printing/contract-printers.ts';
import { readPrints } from '#printing/server/print-views.ts';
import { orderHeads } from '#ordering/server/order-views.ts';
import type { CallTo } from '#platform/http/serve.ts';

/** The ledger, newest first. */
export async function listPrints({ db, query }: CallTo<typeof printerCalls, 'GET /v1/prints', Db, Tx>) {
  let prints = db.selectFrom('prints').select(['id', 'order_id']);
  if (query.store_id !== undefined) prints = prints.where('store_id', '=', query.store_id);
  if (query.printer_id !== undefined) prints = prints.where('printer_id', '=', query.printer_id);
  return readPage(
    db,
    '/v1/prints',
    query,
    prints.orderBy('created_at', 'desc').orderBy('id', 'desc').$castTo<{ id: string; order_id: string | null }>(),
    async (rows) => {
      const numbers = await numbersOf(db, rows);
      const shown = await readPrints(
        db,
        rows.map(({ id }) => id),
      );
      return shown.map((print) => ({ ...print, order_number: numbers.get(print.order_id ?? '') ?? null }));
    },
  );
}

async function numbersOf(db: Db, prints: readonly { order_id: string | null }[]): Promise<Map<string, string>> {
  const ids = [...new Set(prints.flatMap(({ order_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; number: number }>`
    select o.id, o.number from ${orderHeads} o where o.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, number }) => [id, String(number)]));
}
