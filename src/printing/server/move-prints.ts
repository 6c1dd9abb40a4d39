import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '#database/schema.ts';
import { mayMoveToBackupPrinter, findPrintTransition } from '#printing/print-rules.ts';
import { announcePrintJobsChanged, printOutboxEntry, printerOutboxEntry } from '#printing/server/print-events.ts';
import { findPrinter, type PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { faultColumns, type PrintRow, applyPrintEvent } from '#printing/server/apply-print-event.ts';
import { sql } from 'kysely';

type Services = Pick<PrintingServices, 'outbox'>;

/**
 * Moves a locked print if its printer cannot print. The print goes to the printer's backup, or else back to the printer
 * that had it before. Returns false if the print was not moved. The new paper has the mark POSSIBLE DUPLICATE if the
 * print may be on paper.
 */
export async function movePrintToBackupPrinter(
  tx: Tx,
  services: Services,
  print: PrintRow,
  now: Date,
): Promise<boolean> {
  if (print.printer_id === null || !mayMoveToBackupPrinter(print) || !findPrintTransition(print, 'move')) return false;
  const printer = await findPrinter(tx, print.printer_id);
  const backup =
    printer && isPrinterUnusable(printer) ? ((await backupOf(tx, printer)) ?? (await originOf(tx, print))) : null;
  if (!printer || !backup) return false;
  const fault = printer.deleted_at === null ? (printer.fault ?? 'offline') : 'removed';
  const moved = await applyPrintEvent(tx, services, print, 'move', now, faultColumns(fault));
  if (!moved) return false;
  const id = randomUUIDv7();
  await tx
    .insertInto('prints')
    .values({
      id,
      store_id: print.store_id,
      order_id: print.order_id,
      printer_id: backup.id,
      moved_from_id: print.id,
      purpose: print.purpose,
      copy: print.copy,
      nth: print.nth,
      trigger: print.trigger,
      is_reprint: print.is_reprint,
      unsure: moved.unsure,
      status: 'queued',
      due_at: print.due_at,
      expires_at: print.expires_at,
      source: print.purpose === 'draft' ? print.source : null,
      created_at: now,
    })
    .execute();
  await announcePrintJobsChanged(tx, backup.id);
  await services.outbox.add(tx, printOutboxEntry(print.store_id, id));
  return true;
}

export function isPrinterUnusable({ fault, deleted_at }: Pick<PrinterRow, 'fault' | 'deleted_at'>): boolean {
  return fault !== null || deleted_at !== null;
}

/** Follows the chain of backups, and returns the first printer that can print; null: none. */
async function backupOf(tx: Tx, printer: PrinterRow): Promise<PrinterRow | null> {
  const visited = new Set([printer.id]);
  for (let id = printer.backup_printer_id; id !== null && !visited.has(id);) {
    visited.add(id);
    const next = await findPrinter(tx, id);
    if (!next) return null;
    if (!isPrinterUnusable(next)) return next;
    id = next.backup_printer_id;
  }
  return null;
}

/** The printer from which the print was moved, if that printer can print now; otherwise null. */
async function originOf(tx: Tx, { moved_from_id: fromId }: PrintRow): Promise<PrinterRow | null> {
  if (fromId === null) return null;
  const from = await tx.selectFrom('prints').select('printer_id').where('id', '=', fromId).executeTakeFirst();
  const printer = from?.printer_id ? await findPrinter(tx, from.printer_id) : undefined;
  return printer && !isPrinterUnusable(printer) ? printer : null;
}

/**
 * Moves the waiting prints of a removed printer to its backup, or gives them up. If another printer used the removed
 * printer as its backup, the removed printer's own backup takes that place. A leased print is moved or given up by a
 * sweep once its attempt has ended.
 */
export async function detachRemovedPrinter(
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
  for (const { id } of followers) await services.outbox.add(tx, printerOutboxEntry(printer.store_id, id));
  const waiting = await tx
    .selectFrom('prints')
    .selectAll()
    .where('printer_id', '=', printer.id)
    .where('ended_at', 'is', null)
    .where('status', 'in', ['queued', 'failed', 'unknown'])
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const print of waiting) await moveOrGiveUpPrint(tx, services, print, now);
}

export async function moveOrGiveUpPrint(
  tx: Tx,
  services: Pick<PrintingServices, 'outbox'>,
  print: PrintRow,
  now: Date,
): Promise<void> {
  if (await movePrintToBackupPrinter(tx, services, print, now)) return;
  await applyPrintEvent(tx, services, print, 'give_up', now, faultColumns('removed'));
}
