import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { Printing } from '#printing/contract.ts';
import { readPrints } from '#printing/server/print-views.ts';
import { presentPrinter, printersOf } from '#printing/server/printer-views.ts';
import { openOrders } from '#ordering/server/order-views.ts';

/** Hours for which a copy that nobody read is shown. */
const shownFor = 12;

/** What staff need to know of a store's printing. */
export async function printingOf(db: Db, storeId: string, config: { publicUrl: string }, now: Date): Promise<Printing> {
  const printers = await printersOf(db, storeId);
  return {
    has_printer: printers.length > 0,
    printers: printers.map((row) => presentPrinter(row, config)),
    unread: await readPrints(db, await unreadPrints(db, storeId, now)),
  };
}

/**
 * The copies of open orders that somebody should look at, oldest first: they did not come out, may not have, or wait for a
 * printer that does not print. Not those that another printer took over, that were read, or that came out since when somebody
 * asked for them once more. The kitchen needs none of an order that is packed.
 */
async function unreadPrints(db: Db, storeId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from prints p
    join ${openOrders} o on o.id = p.order_id
    left join printers of_print on of_print.id = p.printer_id
    where p.store_id = ${storeId} and p.created_at > ${now}::timestamptz - make_interval(hours => ${shownFor})
      and p.purpose = 'receipt' and p.read_at is null and (p.copy = 'customer' or o.is_in_kitchen)
      and (p.status in ('failed', 'unknown', 'expired')
        or (p.status = 'queued' and p.due_at <= ${now} and of_print.fault is not null))
      and p.printer_id is not null
      and not exists (select from prints heir where heir.moved_from_id = p.id)
      and not exists (
        select from prints again
        where again.order_id = p.order_id and again.copy = p.copy and again.purpose = 'receipt'
          and again.created_at > p.created_at and again.trigger is distinct from p.trigger
          and (again.status = 'printed' or (again.status = 'sent' and again.ended_at is not null)))
    order by p.created_at, p.id
    limit 100`.execute(db);
  return rows.map(({ id }) => id);
}
