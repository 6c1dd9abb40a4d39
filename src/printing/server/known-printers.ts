import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { SettingsWatch } from '#database/settings-watch.ts';
import { startSweep } from '#platform/server/sweep.ts';
import { jobsChannel, printersChannel } from '#printing/server/announce.ts';
import { nextJobs } from '#printing/server/next-jobs.ts';
import { createPollIntervals } from '#printing/server/poll-intervals.ts';
import { createReports } from '#printing/server/printer-report.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { KnownPrinters, PrinterReport } from '#printing/server/transport.ts';
import { createWaitingJobs, type WaitingJobs } from '#printing/server/waiting-jobs.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** The printers, and whether jobs wait for them, as this instance knows them: it hears of every change of others. */
export interface PrinterMemory extends KnownPrinters {
  jobs: WaitingJobs;
  all(): readonly PrinterRow[];
  /** Whether the store has any. */
  isPrinting(storeId: string): boolean;
  /** Runs `listener` with each printer whose jobs changed just now, here or in another instance. */
  onJobs(listener: (printerId: string) => void): void;
  /** Reads the printers again, after a change was committed. */
  reload(): Promise<void>;
  /** A finding about a printer that it did not report itself. */
  found(id: string, report: PrinterReport): void;
  /** When this instance heard it last; null: not since the start. */
  heardAt(id: string): Date | null;
  /** Writes unwritten data: reports, and when printers were seen last, for all of them together. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface PrinterMemoryOptions {
  db: Db;
  log: FastifyBaseLogger;
  now(): Date;
  outbox: Pick<Outbox, 'add' | 'wake'>;
  watch: SettingsWatch;
}

const flushEvery = 10_000;
/** For notifications that were missed on a healthy connection. */
const checkEvery = 60_000;

export async function openPrinterMemory(options: PrinterMemoryOptions): Promise<PrinterMemory> {
  const { db, log, now, watch } = options;
  const jobs = createWaitingJobs();
  const listeners: ((printerId: string) => void)[] = [];
  let known: ReadonlyMap<string, PrinterRow> = new Map();
  const onError = (error: unknown) => log.error({ err: error }, 'printers');

  const readJobs = async () => {
    const moment = jobs.moment();
    jobs.learnAll(await nextJobs(db), moment);
  };
  const reload = await watch.keep(printersChannel, async () => {
    const rows = await db.selectFrom('printers').selectAll().where('deleted_at', 'is', null).orderBy('id').execute();
    known = new Map(rows.map((row) => [row.id, row]));
  });
  watch.follow(jobsChannel, {
    heard(printerId) {
      jobs.disturb(printerId);
      for (const listener of listeners) listener(printerId);
    },
    missed() {
      jobs.disturbAll();
      void readJobs().catch(onError);
    },
  });
  await readJobs();

  const find = (id: string) => known.get(id) ?? null;
  const reports = createReports(options, find, reload);
  const seen = createSeen(db);
  const intervals = createPollIntervals();
  const flush = async () => {
    await reports.written();
    await seen.flush();
  };
  const flushing = startSweep({ name: 'printers seen', every: flushEvery, log }, flush);
  const checking = startSweep({ name: 'printers', every: checkEvery, log }, async () => {
    // A shop without printers costs nothing.
    if (known.size > 0) await readJobs();
  });

  return {
    jobs,
    find,
    all: () => [...known.values()],
    isPrinting: (storeId) => [...known.values()].some((printer) => printer.store_id === storeId),
    onJobs: (listener) => void listeners.push(listener),
    reload,
    heard(id, report = {}) {
      const printer = known.get(id);
      if (!printer) return;
      seen.note(id, now());
      const { pollSeconds: said } = report;
      const pollSeconds = said === undefined ? {} : { pollSeconds: intervals.said(printer, said) };
      reports.take(id, { ...report, ...pollSeconds, isHeard: true });
    },
    polled(id, isIdle) {
      const printer = known.get(id);
      const pollSeconds = printer && intervals.polled(printer, now(), isIdle);
      if (pollSeconds) reports.take(id, { pollSeconds, isHeard: true });
    },
    found: (id, report) => reports.take(id, { ...report, isHeard: false }),
    heardAt: seen.at,
    flush,
    async stop() {
      await Promise.all([flushing.stop(), checking.stop()]);
      await flush().catch(onError);
    },
  };
}

/** When this instance saw printers, and which of it is not written yet. */
function createSeen(db: Db) {
  const seen = new Map<string, Date>();
  const unwritten = new Set<string>();
  return {
    at: (id: string) => seen.get(id) ?? null,
    note(id: string, at: Date) {
      seen.set(id, at);
      unwritten.add(id);
    },
    async flush() {
      const ids = [...unwritten];
      if (ids.length === 0) return;
      const times = ids.map((id) => seen.get(id));
      unwritten.clear();
      try {
        await sql`
          update printers set last_seen_at = seen.at
          from unnest(${ids}::uuid[], ${times}::timestamptz[]) as seen (id, at)
          where printers.id = seen.id and (printers.last_seen_at is null or printers.last_seen_at < seen.at)`.execute(
          db,
        );
      } catch (error) {
        for (const id of ids) unwritten.add(id);
        throw error;
      }
    },
  };
}
