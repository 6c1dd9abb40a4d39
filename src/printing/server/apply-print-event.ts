import type { Selectable } from 'kysely';
import type { PrintsTable, Tx } from '#database/schema.ts';
import type { PrintFault } from '#ordering/print.ts';
import {
  printStepAfterAttempt,
  willBeMarkedDuplicate,
  findPrintTransition,
  type PrintEvent,
} from '#printing/print-rules.ts';
import { announcePrintJobsChanged, printOutboxEntry } from '#printing/server/print-events.ts';
import type { PrintingServices } from '#printing/server/services.ts';

export type PrintRow = Selectable<PrintsTable>;
type Settling = Pick<PrintingServices, 'outbox'>;

export const noFaultColumns = { fault: null, fault_detail: null, error: null };

export function faultColumns(fault: PrintFault, detail: string | null = null) {
  return { fault, fault_detail: detail, error: null };
}

export function lockPrint(tx: Tx, id: string): Promise<PrintRow | undefined> {
  return tx.selectFrom('prints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/**
 * Applies an event to a locked print, writes `set`, and publishes the change; null for a late or repeated event. Only
 * this function changes a print's status.
 */
export async function applyPrintEvent(
  tx: Tx,
  { outbox }: Settling,
  row: PrintRow,
  event: PrintEvent,
  now: Date,
  set: Partial<PrintRow> = {},
): Promise<PrintRow | null> {
  const move = findPrintTransition(row, event);
  if (!move) return null;
  const changed = await tx
    .updateTable('prints')
    .set({
      ...set,
      status: move.to,
      unsure: row.unsure + (move.unsure ?? 0),
      is_marked: willBeMarkedDuplicate(row, event),
      ended_at: move.ends ? now : null,
      ...(move.to === 'printed' && { printed_at: now, ...noFaultColumns }),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  // The printer may be free for its next print now, so all instances are told to look for one.
  if (row.printer_id !== null && event !== 'lease' && event !== 'send')
    await announcePrintJobsChanged(tx, row.printer_id);
  await outbox.add(tx, printOutboxEntry(row.store_id, row.id));
  return changed;
}

/** Applies the outcome of an attempt, and schedules a retry if one follows. */
export async function applyAttemptEvent(
  tx: Tx,
  services: Settling,
  row: PrintRow,
  event: 'lapse' | 'refused' | 'unanswered',
  now: Date,
  set: Partial<PrintRow> = {},
): Promise<PrintRow | null> {
  const changed = await applyPrintEvent(tx, services, row, event, now, set);
  if (!changed) return null;
  // A lapse queues the print again without a backoff, because nothing was sent. The print ends instead if staff have
  // read it on the board, or if it is stale.
  if (changed.status === 'queued') {
    if (changed.read_at !== null) return applyPrintEvent(tx, services, changed, 'read', now);
    return changed.expires_at !== null && changed.expires_at <= now
      ? applyPrintEvent(tx, services, changed, 'expire', now)
      : changed;
  }
  const next = printStepAfterAttempt(changed, now);
  if (!(next instanceof Date)) return applyPrintEvent(tx, services, changed, next, now);
  await tx.updateTable('prints').set({ retry_at: next }).where('id', '=', row.id).execute();
  return { ...changed, retry_at: next };
}
