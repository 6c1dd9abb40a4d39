import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DueWork } from '#database/jobs/due-work.ts';
import { startSweep } from '#platform/server/sweep.ts';
import { isSentTo } from '#printing/printer-rules.ts';
import { createAskPrinters } from '#printing/server/ask-printers.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { Outcome } from '#printing/outcome.ts';
import type { EncodedJob, PrintJob, Transport } from '#printing/server/transport.ts';

type Services = Pick<PrintingServices, 'db' | 'encode' | 'leases' | 'log' | 'now' | 'printers' | 'transports'>;

/** Milliseconds in which a transport may write, and then report the outcome of the job. */
const writesWithin = 45_000;
const saysWithin = 50_000;
/** Milliseconds between looks for printers that are to be asked how they are. */
const askEvery = 5_000;
/** Milliseconds for running jobs when the server stops. */
const stopsWithin = 7_000;

/**
 * Sends the jobs of the printers that the server connects to: of each printer one after the other, of different ones at the
 * same time. Several instances take turns by the ledger's leases.
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
    if (printer && isSentTo(printer.kind)) wake(printerId);
  });
  const asking = startSweep(
    { name: 'printers to ask', every: askEvery, log: services.log },
    createAskPrinters(services, (id) => running.has(id)).look,
  );
  return {
    due: {
      name: 'prints to send',
      // A job whose time has come; the printer's lease says whether another instance has it.
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
      // A running job may end; one that is cut off may be on paper. A query of a printer may take as long.
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
    // A failed job has its backoff; the next one would meet the same fault.
    if (outcome?.kind === 'refused' || outcome?.kind === 'unknown') return;
  }
}

/** null: the job belongs to somebody else by now. */
async function sendOne(sending: Sending, job: PrintJob): Promise<Outcome | null> {
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

/** Also the outcome of a transport that breaks its promise to end in time, and never to throw. */
async function sendWith({ cut, log }: Sending, transport: Transport, job: EncodedJob): Promise<Outcome> {
  const done = new AbortController();
  const tooLate = sleep<Outcome>(saysWithin, { kind: 'unknown', fault: 'offline' }, { signal: done.signal });
  tooLate.catch(() => {});
  const sent = transport.send(job, AbortSignal.any([cut, AbortSignal.timeout(writesWithin)]));
  const outcome = sent.catch((error: unknown): Outcome => {
    log.error({ err: error, print: job.id }, 'sending a print');
    return { kind: 'unknown', fault: 'other' };
  });
  return Promise.race([outcome, tooLate]).finally(() => done.abort());
}
