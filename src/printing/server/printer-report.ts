import { sql } from 'kysely';
import type { Db, Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { announcePrintersChanged, printerOutboxEntry } from '#printing/server/print-events.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { PrinterReport } from '#printing/server/transport.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { FastifyBaseLogger } from 'fastify';

type Columns = Pick<PrinterRow, 'paper' | 'cover' | 'fault' | 'fault_detail' | 'poll_seconds'>;

interface ReportServices {
  db: Db;
  log: Pick<FastifyBaseLogger, 'error'>;
  now(): Date;
  outbox: Pick<Outbox, 'add' | 'wake'>;
}

export interface ReceivedPrinterReport extends PrinterReport {
  /** Whether the report counts as contact with the printer. */
  isHeard: boolean;
}

export function doesReportChangePrinter(row: PrinterRow, report: ReceivedPrinterReport): boolean {
  const next = columnsAfter(row, report);
  return (report.isHeard && row.last_seen_at === null) || keys.some((key) => row[key] !== next[key]);
}

/** Writes the changed fields of a report, and publishes the printer to the store's boards. */
export async function writePrinterReport(
  services: ReportServices,
  id: string,
  report: ReceivedPrinterReport,
): Promise<void> {
  const now = services.now();
  await changeWithEffects(services, async (tx, afterCommit) => {
    const row = await tx.selectFrom('printers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row || row.deleted_at !== null || !doesReportChangePrinter(row, report)) return;
    const next = columnsAfter(row, report);
    const since = next.fault === null ? null : next.fault === row.fault ? row.fault_since : now;
    await tx
      .updateTable('printers')
      .set({
        ...next,
        fault_since: since,
        ...(report.isHeard && { last_seen_at: sql`greatest(last_seen_at, ${now}::timestamptz)` }),
      })
      .where('id', '=', id)
      .execute();
    if (next.fault === null && row.fault !== null) await retryAll(tx, id, now);
    await announcePrintersChanged(tx);
    await services.outbox.add(tx, printerOutboxEntry(row.store_id, id));
    afterCommit(services.outbox.wake);
  });
}

/** Makes waiting retries due now, after the printer's fault has ended. */
async function retryAll(tx: Tx, printerId: string, now: Date): Promise<void> {
  await tx
    .updateTable('prints')
    .set({ retry_at: now })
    .where('printer_id', '=', printerId)
    .where('ended_at', 'is', null)
    .where('status', 'in', ['failed', 'unknown'])
    .where('retry_at', '>', now)
    .execute();
}

const keys = ['paper', 'cover', 'fault', 'fault_detail', 'poll_seconds'] as const;

/**
 * The printer's columns after a report. Any report by the printer itself ends the fault `offline`; other faults end
 * only if the report says so.
 */
function columnsAfter(row: PrinterRow, report: ReceivedPrinterReport): Columns {
  const isSilenceOver = report.isHeard && row.fault === 'offline';
  const fault = report.fault === undefined ? (isSilenceOver ? null : row.fault) : report.fault;
  const isSame = fault === row.fault;
  return {
    paper: report.paper ?? row.paper,
    cover: report.cover ?? row.cover,
    fault,
    fault_detail:
      fault === null ? null : report.detail === undefined ? (isSame ? row.fault_detail : null) : report.detail,
    poll_seconds: report.pollSeconds ?? row.poll_seconds,
  };
}

/**
 * Creates the writer of printer reports. It writes one report of a printer at a time, and merges reports that arrive
 * while it writes.
 */
export function createPrinterReportWriter(
  services: ReportServices,
  find: (id: string) => PrinterRow | null,
  reload: () => Promise<void>,
) {
  const writing = new Map<string, Promise<void>>();
  const later = new Map<string, ReceivedPrinterReport>();

  const take = (id: string, report: ReceivedPrinterReport) => {
    if (writing.has(id)) {
      later.set(id, { ...later.get(id), ...report });
      return;
    }
    const row = find(id);
    if (!row || !doesReportChangePrinter(row, report)) return;
    const done = writePrinterReport(services, id, report)
      .then(reload)
      .catch((error: unknown) => services.log.error({ err: error }, 'printers'))
      .finally(() => {
        writing.delete(id);
        const next = later.get(id);
        later.delete(id);
        if (next) take(id, next);
      });
    writing.set(id, done);
  };
  return {
    take,
    async written() {
      while (writing.size > 0) await Promise.all(writing.values());
    },
  };
}
