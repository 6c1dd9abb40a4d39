import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { SettingsWatch } from '#database/listen.ts';
import { startSweep } from '#platform/server/sweep.ts';
import { printJobsChannel, printersChannel } from '#printing/server/print-events.ts';
import { createPrinterReportWriter } from '#printing/server/printer-report.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { CachedPrinters, PrinterReport } from '#printing/server/transport.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** This instance's cache of printers and their waiting jobs, invalidated by changes of other instances. */
export interface PrinterCache extends CachedPrinters {
  jobs: WaitingJobs;
  all(): readonly PrinterRow[];
  isPrinting(storeId: string): boolean;
  /** Calls `listener` with each printer whose jobs changed on any instance. */
  onJobs(listener: (printerId: string) => void): void;
  reload(): Promise<void>;
  /** Records a printer's status, but does not count it as contact with the printer. */
  found(id: string, report: PrinterReport): void;
  /** When this instance last heard from the printer; null: not since the start. */
  heardAt(id: string): Date | null;
  /** Writes all pending reports and contact times. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface PrinterCacheOptions {
  db: Db;
  log: FastifyBaseLogger;
  now(): Date;
  outbox: Pick<Outbox, 'add' | 'wake'>;
  watch: SettingsWatch;
}

const flushEvery = 10_000;
/** The interval at which waiting jobs are reloaded (ms), in case a notification was lost. */
const checkEvery = 60_000;

export async function openPrinterCache(options: PrinterCacheOptions): Promise<PrinterCache> {
  const { db, log, now, watch } = options;
  const jobs = createDueJobCache();
  const listeners: ((printerId: string) => void)[] = [];
  let known: ReadonlyMap<string, PrinterRow> = new Map();
  const onError = (error: unknown) => log.error({ err: error }, 'printers');

  const readJobs = async () => {
    const moment = jobs.moment();
    jobs.learnAll(await readNextJobTimes(db), moment);
  };
  const reload = await watch.keep(printersChannel, async () => {
    const rows = await db.selectFrom('printers').selectAll().where('deleted_at', 'is', null).orderBy('id').execute();
    known = new Map(rows.map((row) => [row.id, row]));
  });
  watch.follow(printJobsChannel, {
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
  const reports = createPrinterReportWriter(options, find, reload);
  const seen = createContactTimes(db);
  const intervals = createPollIntervals();
  const flush = async () => {
    await reports.written();
    await seen.flush();
  };
  const flushing = startSweep({ name: 'printers seen', every: flushEvery, log }, flush);
  const checking = startSweep({ name: 'printers', every: checkEvery, log }, async () => {
    // A shop without printers skips the query.
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

/** Caches when this instance last heard from each printer, and writes the times in batches. */
function createContactTimes(db: Db) {
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

/**
 * The due time of each printer's next job, cached so that an empty poll makes no query. `mayHave` may report a job that
 * no longer exists, but it never misses a due job.
 */
interface WaitingJobs {
  /** Marks the printer's jobs as stale. */
  disturb(printerId: string): void;
  /** Marks all printers' jobs as stale, after lost notifications. */
  disturbAll(): void;
  mayHave(printerId: string, now: Date): boolean;
  /**
   * Returns a counter. The caller reads it before a query, and passes it to `learn` with the result. A printer that is
   * marked as stale during the query then stays stale.
   */
  moment(): number;
  /** Caches a printer's next due time as of `moment`; null: no job waits. */
  learn(printerId: string, at: Date | null, moment: number): void;
  /** Caches the next due times of all printers as of `moment`; a printer that is missing in `next` has no job. */
  learnAll(next: ReadonlyMap<string, Date>, moment: number): void;
}

export function createDueJobCache(): WaitingJobs {
  let count = 0;
  /** The counter's value at the last `disturbAll`; -1 after a `learnAll`. */
  let allDisturbed = 0;
  const disturbed = new Map<string, number>();
  let known = new Map<string, Date>();
  /** The counter's value at the newest query for all printers. Late results of earlier queries are ignored. */
  let allLearnt = -1;
  /** The counter's value at the newest query for each printer. */
  const learnt = new Map<string, number>();

  const isKnown = (printerId: string) => allDisturbed < 0 && !disturbed.has(printerId);
  return {
    disturb(printerId) {
      disturbed.set(printerId, (count += 1));
    },
    disturbAll() {
      allDisturbed = count += 1;
    },
    mayHave(printerId, now) {
      const at = known.get(printerId);
      return !isKnown(printerId) || (at !== undefined && at <= now);
    },
    moment: () => count,
    learn(printerId, at, moment) {
      const newest = Math.max(disturbed.get(printerId) ?? 0, learnt.get(printerId) ?? 0, allLearnt);
      if (newest > moment) return;
      learnt.set(printerId, moment);
      disturbed.delete(printerId);
      if (at === null) known.delete(printerId);
      else known.set(printerId, at);
    },
    learnAll(next, moment) {
      if (Math.max(allDisturbed, allLearnt) > moment) return;
      allDisturbed = -1;
      allLearnt = moment;
      const later = new Map([...disturbed].filter(([, at]) => at > moment));
      disturbed.clear();
      for (const [printerId, at] of later) disturbed.set(printerId, at);
      const learntLater = [...learnt].filter(([, at]) => at > moment);
      learnt.clear();
      const before = known;
      known = new Map(next);
      for (const [printerId, at] of learntLater) {
        learnt.set(printerId, at);
        const own = before.get(printerId);
        if (own === undefined) known.delete(printerId);
        else known.set(printerId, own);
      }
    },
  };
}

type Polling = Pick<PrinterRow, 'id' | 'poll_seconds'>;

/**
 * The poll interval of each printer: the reported or the measured one, whichever is longer. Some printers report none,
 * or a wrong one.
 */
export interface PollIntervals {
  /**
   * Records the interval that a printer reported, and returns the longer of the reported and the measured interval, in
   * seconds.
   */
  said(printer: Polling, seconds: number): number;
  /**
   * Records a poll, and returns the interval in seconds; null: unknown. `isIdle`: the printer got no job, so its next
   * poll comes after the usual interval.
   */
  polled(printer: Polling, at: Date, isIdle: boolean): number | null;
}

/**
 * The limits of a measured interval (s). A shorter gap between polls is a repeated poll, and a longer gap means that
 * the printer was away. Such gaps are ignored.
 */
const [shortest, longest] = [1, 600];

export function createPollIntervals(): PollIntervals {
  const known = new Map<string, Heard>();
  const heardOf = ({ id, poll_seconds: measured }: Polling): Heard => {
    const heard = known.get(id) ?? { idleAt: null, gaps: [], said: 0, measured };
    known.set(id, heard);
    return heard;
  };
  return {
    said(printer, seconds) {
      const heard = heardOf(printer);
      heard.said = seconds;
      heard.measured ??= seconds;
      return Math.max(heard.said, heard.measured);
    },
    polled(printer, at, isIdle) {
      const heard = heardOf(printer);
      const gap = heard.idleAt === null ? 0 : (at.getTime() - heard.idleAt) / 1000;
      heard.idleAt = isIdle ? at.getTime() : null;
      if (gap >= shortest && gap <= longest) {
        heard.gaps = [...heard.gaps, gap].slice(-3);
        heard.measured = measure(heard);
      }
      return heard.measured && Math.max(heard.said, heard.measured);
    },
  };
}

interface Heard {
  /** The time of the last poll that got no job (epoch ms); null: no poll yet, or the last poll got a job. */
  idleAt: number | null;
  /** The last measured intervals in seconds, the newest last. */
  gaps: readonly number[];
  said: number;
  measured: number | null;
}

/**
 * The measured interval, robust against single outliers: two long intervals lengthen it, three short ones shorten it.
 */
function measure({ gaps, measured }: Heard): number {
  const [newest = 0] = gaps.slice(-1);
  if (measured === null) return Math.round(newest);
  const least = gaps.length < 2 ? 0 : Math.min(...gaps.slice(-2));
  if (least > measured * 1.25) return Math.round(least);
  const most = Math.max(...gaps);
  return gaps.length === 3 && most < measured / 1.5 ? Math.max(1, Math.round(most)) : measured;
}

/**
 * Reads the due time of each printer's next job; printers without a job are left out. A leased job is due, because it
 * may be fetched again. `printerId` limits the query to one printer.
 */
export async function readNextJobTimes(db: Db, printerId: string | null = null): Promise<Map<string, Date>> {
  const { rows } = await sql<{ printer_id: string; at: Date }>`
    select printer_id, min(case when status = 'queued' then due_at else created_at end) as at from prints
    where ended_at is null and status in ('queued', 'claimed', 'sent')
      and ${printerId === null ? sql`printer_id is not null` : sql`printer_id = ${printerId}`}
    group by printer_id`.execute(db);
  return new Map(rows.map((row) => [row.printer_id, row.at]));
}
