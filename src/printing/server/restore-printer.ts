import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { printerCalls } from '#printing/contract-printers.ts';
import { printerEntry } from '#printing/server/print-events.ts';
import { refuseUnfit, tell } from '#printing/server/printer-calls.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { CallTo } from '#platform/http/serve.ts';

type Services = Pick<PrintingServices, 'config' | 'outbox' | 'printers'>;

/** Takes back the removal of a printer. What was given up when it was removed stays so. */
export async function restorePrinter(
  services: Services,
  call: CallTo<typeof printerCalls, 'POST /v1/printers/{id}/restore', Db, Tx>,
) {
  const { db, params, body } = call;
  const row = await db.selectFrom('printers').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst();
  if (!row) throw new AppError('not_found', m.printing_printer_not_found());
  if (row.deleted_at === null) throw new AppError('conflict', m.printing_not_removed());
  const backup = row.backup_printer_id && (await findBackup(db, row.backup_printer_id));
  await refuseUnfit(db, { ...row, backup_printer_id: backup ? row.backup_printer_id : null });
  const printer = await db
    .updateTable('printers')
    // What was known of it when it was removed may not be true any more; it says so when it is heard.
    .set({
      deleted_at: null,
      backup_printer_id: backup ? row.backup_printer_id : null,
      last_seen_at: null,
      fault: null,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const followers = await db
    .updateTable('printers')
    .set({ backup_printer_id: row.id })
    .where('id', 'in', [...body.backup_of, row.id])
    .where('id', '!=', row.id)
    .where('store_id', '=', row.store_id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of followers) await services.outbox.add(db, printerEntry(row.store_id, id));
  return { data: await tell(services, call, printer) };
}

async function findBackup(db: Tx, id: string): Promise<boolean> {
  const row = await db.selectFrom('printers').select('deleted_at').where('id', '=', id).executeTakeFirst();
  return row !== undefined && row.deleted_at === null;
}
