import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';
import { moveToBackup } from '#printing/server/move-prints.ts';
import { printerEntry } from '#printing/server/print-events.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { faulty, type PrintRow, settle } from '#printing/server/settle.ts';

/**
 * Ends the prints of a printer that was just removed, and frees the printers whose backup it was. A leased job ends by
 * itself.
 */
export async function leavePrinter(
  tx: Tx,
  services: Pick<PrintingServices, 'outbox'>,
  printer: PrinterRow,
  now: Date,
): Promise<void> {
  const followers = await tx
    .updateTable('printers')
    .set({ backup_printer_id: sql<string | null>`nullif(${printer.backup_printer_id}::uuid, id)` })
    .where('backup_printer_id', '=', printer.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of followers) await services.outbox.add(tx, printerEntry(printer.store_id, id));
  const waiting = await tx
    .selectFrom('prints')
    .selectAll()
    .where('printer_id', '=', printer.id)
    .where('ended_at', 'is', null)
    .where('status', 'in', ['queued', 'failed', 'unknown'])
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const print of waiting) await leave(tx, services, print, now);
}

/** The print of a removed printer goes to its backup, or is given up. */
export async function leave(
  tx: Tx,
  services: Pick<PrintingServices, 'outbox'>,
  print: PrintRow,
  now: Date,
): Promise<void> {
  if (await moveToBackup(tx, services, print, now)) return;
  await settle(tx, services, print, 'give_up', now, faulty('removed'));
}
