import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DueWork } from '#database/jobs/due-work.ts';
import { startSweep } from '#platform/server/sweep.ts';
import { isServerConnectedKind, isUnreachableFault } from '#printing/printer-rules.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { EncodedJob, PrinterReport, PrintJob, Transport } from '#printing/server/transport.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';

type Services = Pick<PrintingServices, 'db' | 'encode' | 'leases' | 'log' | 'now' | 'printers' | 'transports'>;

/** The time after which a transport is told to stop writing a job (ms). */
const writesWithin = 45_000;
/** The time after which the outcome of a job counts as unknown (ms). */
const saysWithin = 50_000;
/** The interval of checks for due status requests (ms). */
const askEvery = 5_000;
/** The time in which running jobs may end when the server stops (ms). */
const stopsWithin = 7_000;

/**
 * Sends jobs to printers that the server connects to: one at a time to each printer, and to several printers in
 * parallel. Leases in the print ledger prevent two instances from sending to the same printer.
 */
export function startSendingPrints(services: Services): { due: DueWork<string[]>; stop(): Promise<void> } {
  const me = `server ${randomUUID()}`;
  const running = new Map<string, Promise<void>>();
  const awaited = new Set<string>();
  const cut = new AbortController();
  let isStopping = false;

  const wake = (printerId: string) => {
    if (isStopping) return;
    if (running.has(printerId)) {
      awaited.add(printerId);
      return;
    }
    const done = sendAll({ ...services, cut: cut.signal, isStopping: () => isStopping }, printerId, me)
      .catch((error: unknown) => services.log.error({ err: error, printer: printerId }, 'sending prints'))
      .finally(() => {
        running.delete(printerId);
        if (awaited.delete(printerId)) wake(printerId);
      });
    running.set(printerId, done);
  };
  services.printers.onJobs((printerId) => {
    const printer = services.printers.find(printerId);
    if (printer && isServerConnectedKind(printer.kind)) wake(printerId);
  });
  const asking = startSweep(
    { name: 'printers to ask', every: askEvery, log: services.log },
    createPrinterStateChecks(services, (id) => running.has(id)).look,
  );
  return {
    due: {
      name: 'prints to send',
      // Several instances may find the same printer, but only one gets the lease of its job.
      due: (now) => sql`array(
        select distinct printer_id::text from prints join printers on printers.id = printer_id
        where ended_at is null and status = 'queued' and due_at <= ${now}
          and kind in ('network', 'system') and printers.deleted_at is null)`,
      work: async (ids) => {
        for (const id of ids) wake(id);
      },
    },
    async stop() {
      isStopping = true;
      // Running jobs are aborted only after `stopsWithin`, because an aborted job may already be on paper.
      const late = setTimeout(() => cut.abort(), stopsWithin);
      await Promise.all([asking.stop(), ...running.values()]);
      clearTimeout(late);
    },
  };
}

type Sending = Services & { cut: AbortSignal; isStopping(): boolean };

async function sendAll(sending: Sending, printerId: string, me: string): Promise<void> {
  while (!sending.isStopping()) {
    const job = await sending.leases.lease(printerId, me);
    if (!job) return;
    const outcome = await sendOne(sending, job);
    if (outcome) await sending.leases.result(job, outcome);
    // After a failed job no other job is sent at once, because it would hit the same fault.
    if (outcome?.kind === 'refused' || outcome?.kind === 'unknown') return;
  }
}

/** Encodes and sends a leased job, and resolves to its outcome; null if the lease has ended. */
async function sendOne(sending: Sending, job: PrintJob): Promise<PrintJobOutcome | null> {
  const transport = sending.transports[job.printer.kind];
  if (!transport) return { kind: 'refused', fault: 'other' };
  const encoded = await sending.encode(job).catch((error: unknown) => {
    sending.log.error({ err: error, print: job.id }, 'a receipt cannot be encoded');
    return null;
  });
  if (!encoded) return { kind: 'refused', fault: 'unreadable' };
  if (!(await sending.leases.begin(job))) return null;
  return sendWith(sending, transport, encoded);
}

/** Sends a job by a transport. Returns `unknown` if the transport throws or exceeds its timeout. */
async function sendWith({ cut, log }: Sending, transport: Transport, job: EncodedJob): Promise<PrintJobOutcome> {
  const done = new AbortController();
  const tooLate = sleep<PrintJobOutcome>(saysWithin, { kind: 'unknown', fault: 'offline' }, { signal: done.signal });
  tooLate.catch(() => {});
  const sent = transport.send(job, AbortSignal.any([cut, AbortSignal.timeout(writesWithin)]));
  const outcome = sent.catch((error: unknown): PrintJobOutcome => {
    log.error({ err: error, print: job.id }, 'sending a print');
    return { kind: 'unknown', fault: 'other' };
  });
  return Promise.race([outcome, tooLate]).finally(() => done.abort());
}

type AskPrintersServices = Pick<PrintingServices, 'db' | 'log' | 'now' | 'printers' | 'transports'>;

/** The interval of status requests to a working printer (ms). */
const asksEvery = 30_000;
/** The interval of status requests to a printer with a fault or a missed answer (ms). */
const asksTroubledEvery = 5_000;
/** The timeout of a printer's answer (ms). */
const answersWithin = 15_000;
/**
 * A status request may be sent this much before the end of its interval (ms). Otherwise the request would often wait
 * for the next check for due requests, five seconds later.
 */
const early = 1_000;
/**
 * Only this number of consecutive missing answers makes a fault, because another sender may use the printer, or the
 * network may fail for a moment.
 */
const missedAnswers = 3;

export interface PrinterStateChecks {
  look(): Promise<void>;
}

/**
 * Requests the status of printers that the server connects to. Between jobs nothing else reveals that the paper is
 * missing, or that a printer whose jobs went to its backup can print again. Each check is claimed by one instance, and
 * a printer with a job is not checked. `isSending`: whether this instance is sending a job to the printer.
 */
export function createPrinterStateChecks(
  services: AskPrintersServices,
  isSending: (printerId: string) => boolean,
): PrinterStateChecks {
  const { log, now, printers, transports } = services;
  /**
   * When this instance last tried to claim each printer's check. The next attempt follows after a whole interval, even
   * if this attempt failed.
   */
  const triedAt = new Map<string, number>();
  const missed = new Map<string, number>();

  const everyOf = ({ id, fault }: PrinterRow) => (fault === null && !missed.has(id) ? asksEvery : asksTroubledEvery);
  const isTime = (printer: PrinterRow): boolean => {
    const { id, kind, fault } = printer;
    if (!isServerConnectedKind(kind) || !transports[kind]?.probe || isSending(id)) return false;
    const heardAt = fault === null ? (printers.heardAt(id)?.getTime() ?? 0) : 0;
    return now().getTime() - Math.max(triedAt.get(id) ?? 0, heardAt) >= everyOf(printer) - early;
  };
  const takeIn = ({ id }: PrinterRow, report: PrinterReport) => {
    const { fault = null } = report;
    if (fault === null || !isUnreachableFault(fault)) {
      missed.delete(id);
      if (fault === null) printers.heard(id, report);
      else printers.found(id, report);
      return;
    }
    const count = (missed.get(id) ?? 0) + 1;
    missed.set(id, count);
    if (count >= missedAnswers) printers.found(id, report);
  };
  return {
    async look() {
      const due = printers.all().filter(isTime);
      if (due.length === 0) return;
      for (const { id } of due) triedAt.set(id, now().getTime());
      const mine = new Set(
        await claim(
          services,
          due.map((printer) => ({ id: printer.id, seconds: (everyOf(printer) - early) / 1000 })),
        ),
      );
      await Promise.all(
        due.map(async (printer) => {
          if (!mine.has(printer.id) || isSending(printer.id)) return;
          try {
            const signal = AbortSignal.timeout(answersWithin);
            const report = await transports[printer.kind]?.probe?.(printer, signal);
            if (report) takeIn(printer, report);
          } catch (error) {
            log.error({ err: error, printer: printer.id }, 'asking a printer');
          }
        }),
      );
    },
  };
}

/**
 * Claims the due status checks, and returns the printers' ids. Excludes printers with a job in progress, and printers
 * that any instance has checked within the interval.
 */
async function claim(
  { db, now }: AskPrintersServices,
  due: readonly { id: string; seconds: number }[],
): Promise<string[]> {
  const [ids, seconds] = [due.map(({ id }) => id), due.map((one) => one.seconds)];
  const at = now();
  const { rows } = await sql<{ id: string }>`
    update printers p set asked_at = ${at}
    from unnest(${ids}::uuid[], ${seconds}::float8[]) as due (id, seconds)
    where p.id = due.id and p.deleted_at is null
      and (p.asked_at is null or p.asked_at <= ${at}::timestamptz - make_interval(secs => due.seconds))
      and not exists (
        select from prints where printer_id = p.id and ended_at is null and status in ('claimed', 'sent'))
    returning p.id`.execute(db);
  return rows.map(({ id }) => id);
}
