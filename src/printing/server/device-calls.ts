import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { DeviceJob, printerEndpoints } from '#printing/contract.ts';
import { encodeLeasedJob } from '#printing/server/leases.ts';
import { refuseOtherStoresStaff } from '#printing/server/print-calls.ts';
import { printOutboxEntry } from '#printing/server/print-events.ts';
import { isUnreachableFault } from '#printing/printer-rules.ts';
import { readPrints } from '#printing/server/print-views.ts';
import { findPrinter, presentPrinter, type PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { lockPrint, applyPrintEvent } from '#printing/server/apply-print-event.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { EncodedJob } from '#printing/server/transport.ts';
import type { Print } from '#ordering/print.ts';
import { AppError } from '#platform/errors.ts';
import { AnswerWithStatus } from '#platform/http/answer.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';

type Services = Pick<PrintingServices, 'config' | 'encode' | 'leases' | 'log' | 'outbox' | 'printers'>;
type Reach = DeviceCall<'POST /v1/prints/claim'>['body'];
type Report = DeviceCall<'POST /v1/prints/{id}/result'>['body'];
type DeviceCall<K extends keyof typeof printerEndpoints> = HandlerInput<typeof printerEndpoints, K, Db, Tx>;

/** Finds the next job of any printer that the caller's device can reach, and leases the job to this device. */
export async function claimPrint(services: Services, { body, viewer }: DeviceCall<'POST /v1/prints/claim'>) {
  if (body.store_id !== undefined) refuseOtherStoresStaff(viewer, body.store_id);
  const reached = services.printers.all().filter((printer) => isReachedBy(viewer, body, printer));
  for (const { id, fault } of reached) if (fault === 'no_device') services.printers.found(id, { fault: null });
  for (const { id } of reached) {
    const job = await services.leases.lease(id, nameOf(viewer, body.device));
    const encoded = job && (await encodeLeasedJob(services, job));
    if (encoded) return { data: present(services, encoded) };
  }
  return new AnswerWithStatus<never>(204, null);
}

export async function recordPrintResult(services: Services, call: DeviceCall<'POST /v1/prints/{id}/result'>) {
  const { db, params, body, viewer } = call;
  const print = await db.selectFrom('prints').selectAll().where('id', '=', params.id).executeTakeFirst();
  if (!print) throw new AppError('not_found', m.printing_not_found());
  refuseOtherStoresStaff(viewer, print.store_id);
  const leaseId = print.lease_id;
  const isOwn =
    print.leased_by === nameOf(viewer, body.device) && (body.lease_id === undefined || body.lease_id === leaseId);
  if (!isOwn || leaseId === null) throw new AppError('conflict', m.printing_taken_back());
  const job = { id: print.id, leaseId };
  if (body.status !== 'sent') await services.leases.result(job, outcomeOf(body));
  else if (!(await services.leases.begin(job))) throw new AppError('conflict', m.printing_taken_back());
  return { data: await readOne(db, print.id) };
}

/**
 * Records a device's status report about its printer. The report counts as contact, unless the device cannot reach the
 * printer.
 */
export async function recordPrinterReport(services: Services, call: DeviceCall<'POST /v1/printers/{id}/report'>) {
  const { db, params, body, viewer } = call;
  const printer = await findPrinter(db, params.id);
  if (!printer || printer.deleted_at !== null) throw new AppError('not_found', m.printing_printer_not_found());
  refuseOtherStoresStaff(viewer, printer.store_id);
  if (printer.kind !== 'browser') throw new AppError('conflict', m.printing_not_of_browser());
  const { fault, detail, paper, cover } = body;
  const report = {
    fault,
    detail: detail ?? null,
    ...(paper !== undefined && { paper }),
    ...(cover !== undefined && { cover }),
  };
  if (fault !== null && isUnreachableFault(fault)) services.printers.found(printer.id, report);
  else services.printers.heard(printer.id, report);
}

/** Records that staff have read a print's content on the board, so its paper is not needed. */
export async function markPrintRead(services: Services, call: DeviceCall<'POST /v1/prints/{id}/read'>) {
  const { db, params, viewer, now, afterCommit } = call;
  const print = await lockPrint(db, params.id);
  if (!print) throw new AppError('not_found', m.printing_not_found());
  refuseOtherStoresStaff(viewer, print.store_id);
  if (print.read_at === null) {
    const read = { read_at: now, read_by: viewer.name };
    await db.updateTable('prints').set(read).where('id', '=', print.id).execute();
    const settled = await applyPrintEvent(db, services, { ...print, ...read }, 'read', now);
    // The print's status may have no transition for `read`. Then `applyPrintEvent` published nothing, and `read_at` is
    // published here.
    if (!settled) await services.outbox.add(db, printOutboxEntry(print.store_id, print.id));
    afterCommit(services.outbox.wake);
  }
  return { data: await readOne(db, print.id) };
}

function isReachedBy(viewer: Viewer, { store_id: storeId, printer_ids: ids }: Reach, printer: PrinterRow): boolean {
  return (
    printer.kind === 'browser' &&
    isStaffOf(viewer, printer.store_id) &&
    (storeId === undefined || storeId === printer.store_id) &&
    (ids === undefined || ids.includes(printer.id))
  );
}

function present({ config }: Services, job: EncodedJob): DeviceJob {
  return {
    id: job.id,
    lease_id: job.leaseId,
    lease_until: job.leaseUntil.toISOString(),
    printer: presentPrinter(job.printer, config),
    order_id: job.orderId,
    purpose: job.purpose,
    copy: job.copy,
    media_type: job.mediaType,
    content: job.bytes.toString('base64'),
  };
}

function outcomeOf({ status, fault = 'other', detail }: Report): PrintJobOutcome {
  if (status === 'printed') return { kind: 'printed' };
  return { kind: status === 'failed' ? 'refused' : 'unknown', fault, ...(detail !== undefined && { detail }) };
}

async function readOne(db: Db, id: string): Promise<Print> {
  const [print] = await readPrints(db, [id]);
  if (!print) throw new AppError('not_found', m.printing_not_found());
  return print;
}

/**
 * The name under which a device holds leases. The name contains the sign-in, because a person may have several devices.
 * It also contains the device's id, because two windows may share a sign-in.
 */
function nameOf({ id, signInId }: Viewer, device = ''): string {
  return `device ${signInId ?? id ?? ''} ${device}`.trim();
}
