import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Tx } from '#database/schema.ts';
import { inTransaction, changeWithEffects } from '#database/transaction.ts';
import { isDatabaseUnavailableError } from '#platform/server/database-unavailable.ts';
import { isServerConnectedKind, reportTimeoutMs } from '#printing/printer-rules.ts';
import { duePrintEvent, urgentPrintPurposes, isSlipPurpose, printLeaseMs } from '#printing/print-rules.ts';
import { type DrawnPrintColumns, drawPrint } from '#printing/server/draw-print.ts';
import { isPrinterUnusable, movePrintToBackupPrinter } from '#printing/server/move-prints.ts';
import { readNextJobTimes } from '#printing/server/printer-cache.ts';
import { findPrinter, type PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import {
  faultColumns,
  lockPrint,
  noFaultColumns,
  type PrintRow,
  applyPrintEvent,
  applyAttemptEvent,
} from '#printing/server/apply-print-event.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { EncodedJob, JobAttempt, PrintJob, PrintLeases } from '#printing/server/transport.ts';
import type { PrintJobFormat } from '#printing/paper/profiles.ts';

type LeaseServices = Pick<
  PrintingServices,
  'config' | 'db' | 'log' | 'menus' | 'now' | 'orderParts' | 'outbox' | 'printers' | 'restored'
>;

export function createPrintLeases(services: LeaseServices): PrintLeases {
  const { db, now, printers, restored } = services;
  return {
    mayHave: (printerId) => !restored.isHeld() && printers.jobs.mayHave(printerId, now()),
    async lease(printerId, by) {
      if (restored.isHeld() || !printers.jobs.mayHave(printerId, now())) return null;
      const moment = printers.jobs.moment();
      const job = await changeWithEffects(services, async (tx, afterCommit) => {
        afterCommit(services.outbox.wake);
        return leaseNext(tx, services, printerId, by);
      });
      if (job) return job;
      const next = await readNextJobTimes(db, printerId);
      printers.jobs.learn(printerId, next.get(printerId) ?? null, moment);
      return null;
    },
    held: (printerId) =>
      inTransaction(db, async (tx) => {
        const printer = await lockForJobs(tx, printerId);
        const print = printer && (await heldBy(tx, printerId));
        return print ? toJob(print, printer) : null;
      }),
    begin: (job) => begin(services, job),
    extend: async ({ id, leaseId, printer }) => {
      await db
        .updateTable('prints')
        .set({ lease_until: new Date(now().getTime() + reportTimeoutMs(printer)) })
        .where('id', '=', id)
        .where('lease_id', '=', leaseId)
        .where('status', '=', 'sent')
        .where('ended_at', 'is', null)
        .execute();
    },
    find: async (printerId, leaseId) => {
      // Reports about prints older than a day are ignored.
      const since = new Date(now().getTime() - 24 * 60 * 60_000);
      const { store_id: storeId } = printers.find(printerId) ?? {};
      if (storeId === undefined) return null;
      const recent = db
        .selectFrom('prints')
        .select('id')
        .where('store_id', '=', storeId)
        .where('created_at', '>', since);
      const own = recent.where('printer_id', '=', printerId).where('lease_id', '=', leaseId);
      const print = await own.executeTakeFirst();
      return print ? { id: print.id, leaseId } : null;
    },
    result: (job, outcome) => endAttempt(services, job, outcome),
  };
}

/** Locks a printer against other leases of its jobs; undefined if it was removed. */
function lockForJobs(tx: Tx, printerId: string): Promise<PrinterRow | undefined> {
  return tx
    .selectFrom('printers')
    .selectAll()
    .where('id', '=', printerId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function heldBy(tx: Tx, printerId: string): Promise<PrintRow | undefined> {
  return tx
    .selectFrom('prints')
    .selectAll()
    .where('printer_id', '=', printerId)
    .where('ended_at', 'is', null)
    .where('status', 'in', ['claimed', 'sent'])
    .forUpdate()
    .executeTakeFirst();
}

async function leaseNext(tx: Tx, services: LeaseServices, printerId: string, by: string): Promise<PrintJob | null> {
  const now = services.now();
  const printer = await lockForJobs(tx, printerId);
  if (!printer) return null;
  const held = await heldBy(tx, printerId);
  if (held) {
    const event = duePrintEvent(held, now);
    if (event === null)
      return held.status === 'claimed' && held.leased_by === by ? renew(tx, held, printer, now) : null;
    await applyAttemptEvent(tx, services, held, event === 'lapse' ? 'lapse' : 'unanswered', now, {
      ...(event !== 'lapse' && unansweredFaultColumns()),
    });
  }
  for (;;) {
    const print = await nextOf(tx, printerId, now);
    if (!print) return null;
    const leased = await lease(tx, services, print, printer, by, now);
    if (leased) return toJob(leased, printer);
  }
}

/** Leases a print to a holder; null if the print has expired, was read, was moved to the backup, or cannot be drawn. */
async function lease(
  tx: Tx,
  services: LeaseServices,
  print: PrintRow,
  printer: PrinterRow,
  by: string,
  now: Date,
): Promise<PrintRow | null> {
  const late = duePrintEvent(print, now);
  if (late !== null) {
    await applyPrintEvent(tx, services, print, late, now);
    return null;
  }
  // A print for a printer with a known fault goes to the backup printer, if the backup can print.
  if (
    isServerConnectedKind(printer.kind) &&
    isPrinterUnusable(printer) &&
    (await movePrintToBackupPrinter(tx, services, print, now))
  )
    return null;
  const drawn = await draw(tx, services, print, printer, now);
  if (!drawn) return null;
  return applyPrintEvent(tx, services, print, 'lease', now, {
    ...drawn,
    attempts: print.attempts + 1,
    lease_id: randomUUID(),
    leased_by: by,
    lease_until: new Date(now.getTime() + printLeaseMs),
    claimed_at: now,
    sent_at: null,
  });
}

function nextOf(tx: Tx, printerId: string, now: Date): Promise<PrintRow | undefined> {
  return tx
    .selectFrom('prints')
    .selectAll()
    .where('printer_id', '=', printerId)
    .where('ended_at', 'is', null)
    .where('status', '=', 'queued')
    .where('due_at', '<=', now)
    .orderBy((print) => print('purpose', 'in', urgentPrintPurposes), 'desc')
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

/** Draws a print. If that fails, the print is given up and the result is null; the caller then takes the next print. */
async function draw(
  tx: Tx,
  services: LeaseServices,
  print: PrintRow,
  printer: PrinterRow,
  now: Date,
): Promise<DrawnPrintColumns | null> {
  try {
    return await drawPrint(tx, services, print, printer, now);
  } catch (error) {
    // A database error is rethrown, because the aborted transaction can write nothing more.
    if (error instanceof pg.DatabaseError || isDatabaseUnavailableError(error)) throw error;
    services.log.error({ err: error, print: print.id }, 'a receipt cannot be drawn');
    await applyPrintEvent(tx, services, print, 'give_up', now, faultColumns('unreadable'));
    return null;
  }
}

/** Renews the lease for a holder that asks again because it missed the response. */
async function renew(tx: Tx, print: PrintRow, printer: PrinterRow, now: Date): Promise<PrintJob> {
  const until = new Date(now.getTime() + printLeaseMs);
  await tx.updateTable('prints').set({ lease_until: until }).where('id', '=', print.id).execute();
  return toJob({ ...print, lease_until: until }, printer);
}

async function begin(services: LeaseServices, { id, leaseId }: JobAttempt): Promise<boolean> {
  const now = services.now();
  return changeWithEffects(services, async (tx, afterCommit) => {
    const print = await lockPrint(tx, id);
    if (!print || print.lease_id !== leaseId || print.ended_at !== null) return false;
    if (print.status === 'sent') return true;
    afterCommit(services.outbox.wake);
    const printer = print.printer_id === null ? undefined : await findPrinter(tx, print.printer_id);
    if (!printer) return false;
    const until = new Date(now.getTime() + reportTimeoutMs(printer));
    return (await applyPrintEvent(tx, services, print, 'send', now, { sent_at: now, lease_until: until })) !== null;
  });
}

async function endAttempt(
  services: LeaseServices,
  { id, leaseId }: JobAttempt,
  outcome: PrintJobOutcome,
): Promise<void> {
  const now = services.now();
  const settled = await changeWithEffects(services, async (tx, afterCommit) => {
    const print = await lockPrint(tx, id);
    // A report about an older attempt is ignored. If that attempt may be on paper, the current attempt's paper already
    // has the mark POSSIBLE DUPLICATE.
    if (!print || print.lease_id !== leaseId) return null;
    afterCommit(services.outbox.wake);
    return applyOutcome(tx, services, print, outcome, now);
  });
  if (settled?.printer_id) reportToPrinter(services, settled, outcome);
}

async function applyOutcome(
  tx: Tx,
  services: LeaseServices,
  print: PrintRow,
  outcome: PrintJobOutcome,
  now: Date,
): Promise<PrintRow | null> {
  if (outcome.kind === 'printed') return applyPrintEvent(tx, services, print, 'printed', now);
  if (outcome.kind === 'sent') {
    const sent =
      print.status === 'claimed' ? await applyPrintEvent(tx, services, print, 'send', now, { sent_at: now }) : print;
    return sent && applyPrintEvent(tx, services, sent, 'handed_over', now, noFaultColumns);
  }
  const { fault, detail } = outcome;
  const event = outcome.kind === 'refused' ? 'refused' : 'unanswered';
  return applyAttemptEvent(tx, services, print, event, now, faultColumns(fault, detail));
}

function reportToPrinter({ printers }: LeaseServices, print: PrintRow, outcome: PrintJobOutcome): void {
  const id = print.printer_id ?? '';
  if (outcome.kind === 'printed' || outcome.kind === 'sent') return printers.heard(id, { fault: null });
  const { fault, detail = null, mayPass = fault === 'busy' } = outcome;
  if (outcome.isOfJob || fault === 'unreadable' || fault === 'removed') return;
  // A printer that is busy with another sender is soon free, so its first failures set no fault.
  if (mayPass && print.attempts < busyTries) return;
  printers.found(id, { fault, detail });
}

const busyTries = 3;

export function unansweredFaultColumns(): Partial<PrintRow> {
  return faultColumns('unanswered');
}

function toJob(print: PrintRow, printer: PrinterRow): PrintJob {
  return {
    id: print.id,
    leaseId: print.lease_id ?? '',
    printer,
    purpose: print.purpose,
    copy: print.copy,
    orderId: print.order_id,
    source: print.source,
    opensDrawer: print.purpose === 'drawer',
    soundsBuzzer:
      printer.sounds_buzzer &&
      print.copy === 'kitchen' &&
      (print.purpose === 'receipt' || isSlipPurpose(print.purpose)),
    leaseUntil: print.lease_until ?? print.created_at,
    sentAt: print.status === 'sent' ? print.sent_at : null,
  };
}

/**
 * Encodes a leased job in `format`, or else in the transport's best format. If that fails, records the job as failed
 * and returns null.
 */
export async function encodeLeasedJob(
  services: Pick<PrintingServices, 'encode' | 'leases' | 'log'>,
  job: PrintJob,
  format?: PrintJobFormat,
): Promise<EncodedJob | null> {
  try {
    return await services.encode(job, format);
  } catch (error) {
    services.log.error({ err: error, print: job.id }, 'a receipt cannot be encoded');
    await services.leases.result(job, { kind: 'refused', fault: 'unreadable' });
    return null;
  }
}
