import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sql } from 'kysely';
import { type Clock, fromKysely, type JobResult, PgBoss, systemClock } from 'pg-boss';
import { withStatementTimeout } from '#database/transaction.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db, Tx } from '#database/schema.ts';

/**
 * Work that must happen after a change is committed. A job is written in the change's own transaction, and done at
 * least once.
 */
export interface Jobs {
  /**
   * Adds a job to `queue` in `tx`, so that the job exists exactly if the change does. A job that failed at every retry
   * is moved to the queue `givenUpTo`. With `allDay` a job is retried for about a day, otherwise for about half an
   * hour.
   */
  send<T extends object>(
    tx: Tx,
    queue: string,
    payload: T,
    options?: { startAfter?: Date; givenUpTo?: string; allDay?: true },
  ): Promise<void>;
  /**
   * Runs the jobs of a queue, with retries and backoff. Each instance runs one job of the queue at a time. Slow work
   * needs a `batchSize` of 1, because the timeout of each job in a batch includes the time of the jobs before it.
   */
  work<T extends object>(
    queue: string,
    handler: (payload: T) => Promise<void>,
    options?: { batchSize?: number },
  ): Promise<void>;
  /** Whether the queue has reported no error for ten seconds. */
  isWell(): boolean;
  stop(): Promise<void>;
}

/** SQL for a JSON object: the numbers of jobs that wait, that run, and that failed in about the last five minutes. */
export const jobCountsByStateSql = sql<{ waiting: number; active: number; failed: number }>`(
  select json_build_object(
    'waiting', count(*) filter (where state < 'active'), 'active', count(*) filter (where state = 'active'),
    'failed', count(*) filter (where state = 'failed'))
  from pgboss.job)`;

const waitingIn = (queues: readonly string[]) => sql`name = any(${queues}::text[]) and state < 'active'`;

export async function countJobs(db: Db, queues: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where ${waitingIn(queues)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function deleteQueuedJobs(tx: Tx, queues: readonly string[]): Promise<void> {
  await sql`delete from pgboss.job where ${waitingIn(queues)}`.execute(tx);
}

/**
 * The jobs that need work. `ready`: the queues that have a due job. `isOverdue`: a running job exceeded its timeout, or
 * its process sends no heartbeat.
 */
interface DueJobs {
  ready: string[];
  isOverdue: boolean;
}

/**
 * Starts the job queue in its own schema. An ended job is deleted within about five times `keptSeconds`, because the
 * data of a job may name a person.
 */
export async function startJobs(
  database: string | pg.PoolConfig,
  onError: (error: unknown) => void,
  keptSeconds = 60,
): Promise<Jobs & { due: DueWork<DueJobs>; ready(queue: string): Promise<void> }> {
  const boss = openBoss(database, keptSeconds);
  let failedAt = -Infinity;
  boss.on('error', (error) => {
    failedAt = performance.now();
    onError(error);
  });
  boss.on('warning', onError);
  await boss.start();
  const queues = new Map<string, Promise<void>>();
  const workers = new Map<string, string>();
  const ready = (queue: string) => {
    const known = queues.get(queue);
    if (known) return known;
    const made = prepare(queue);
    queues.set(queue, made);
    made.catch(() => queues.delete(queue));
    return made;
  };
  const prepare = async (queue: string) => {
    await boss.createQueue(queue, { ...queueOptions, deleteAfterSeconds: keptSeconds });
    // An earlier version may have created the queue with other options.
    await boss.updateQueue(queue, { ...queueOptions, deleteAfterSeconds: keptSeconds });
    // The library reads a queue's options on first use, on a connection of its own. This call makes the library read
    // them now, because a transaction that sends a job should not wait for another connection.
    await boss.findJobs(queue, { id: randomUUID() });
  };
  return {
    async send(tx, queue, payload, { givenUpTo, allDay, ...options } = {}) {
      await ready(queue);
      if (givenUpTo) await ready(givenUpTo);
      const lastResort = givenUpTo ? { deadLetter: givenUpTo } : {};
      await boss.send(queue, payload, {
        ...options,
        ...lastResort,
        ...(allDay && retriedAllDay),
        deleteAfterSeconds: keptSeconds,
        db: fromKysely(tx),
      });
    },
    async work<T extends object>(queue: string, handler: (payload: T) => Promise<void>, options = {}) {
      await ready(queue);
      const work = (payload: T) => withStatementTimeout(jobTimeout, () => handler(payload));
      const taken = { ...working, ...options };
      const worker = await boss.work<T, unknown, typeof taken>(queue, taken, async (jobs) => {
        // A full batch may have left more jobs in the queue, so the worker is woken again. With a batch size of 1 the
        // library itself would sleep until the next notification.
        if (jobs.length === taken.batchSize) boss.notifyWorker(workers.get(queue) ?? '');
        const results: JobResult[] = [];
        for (const { id, data } of jobs) results.push(await resultOf(id, () => work(data), onError));
        return results;
      });
      workers.set(queue, worker);
    },
    // Prepares a queue that has no worker in this process. Otherwise `send` would prepare the queue within the caller's
    // transaction, and wait there for a second connection.
    ready,
    due: dueJobs(workers, boss),
    isWell: () => performance.now() - failedAt > troubleLasts,
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}

/**
 * A clock for the library; it does not follow changes of the system's clock. If the system's clock were set back, the
 * library would delete nothing until the clock had caught up. If the clock jumped by more than 24 days (the limit of
 * Node's timers), the library would poll a thousand times a second.
 */
const steadyClock: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

function openBoss(database: string | pg.PoolConfig, keptSeconds: number): PgBoss {
  const connection = typeof database === 'string' ? { connectionString: database } : connectionOf(database);
  return new PgBoss({
    ...connection,
    application_name: 'hatch-jobs',
    clock: steadyClock,
    max: 4,
    useListenNotify: true,
    // The library's supervision is rare, because `dueJobs` finds the jobs of ended processes. `schedule` is off,
    // because no job is scheduled by cron.
    superviseIntervalSeconds: 4 * keptSeconds,
    monitorIntervalSeconds: 1,
    schedule: false,
    // These intervals are long, because the shop does not use the features that they drive: jobs that depend on others,
    // and indexes built in the background.
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    maintenanceIntervalSeconds: 4 * keptSeconds,
    // The heartbeat detects a half-open connection. `dueJobs` finds the jobs whose notifications were lost with the
    // connection.
    notifyHeartbeatIntervalMs: 30_000,
  });
}

/**
 * Finds jobs whose notification was lost or whose process ended. `workers` maps each queue to the library's id of its
 * worker.
 */
function dueJobs(workers: ReadonlyMap<string, string>, boss: PgBoss): DueWork<DueJobs> {
  return {
    name: 'jobs',
    due: () => sql`
      select json_build_object(
        'ready', array(
          select name from unnest(${[...workers.keys()]}::text[]) as queue (name)
          where exists (
            select from pgboss.job where job.name = queue.name and state < 'active' and not blocked and start_after <= now()
          )
        ),
        'isOverdue', exists (
          select from pgboss.job where state = 'active'
            and least(started_on + expire_seconds * interval '1s', heartbeat_on + heartbeat_seconds * interval '1s') < now()
        )
      )`,
    async work({ ready, isOverdue }) {
      for (const queue of ready) boss.notifyWorker(workers.get(queue) ?? '');
      if (isOverdue) await boss.supervise();
    },
  };
}

async function resultOf(id: string, work: () => Promise<void>, onError: (error: unknown) => void): Promise<JobResult> {
  try {
    await work();
    return { id, status: 'completed' };
  } catch (error) {
    const failure = error ?? new Error('failed');
    onError(failure);
    return { id, status: 'failed', output: { message: String(failure) } };
  }
}

/** Milliseconds for which an error of the queue makes `isWell` false. */
const troubleLasts = 10_000;

/**
 * Milliseconds for one statement of a job. They are less than the job's timeout, after which another worker starts the
 * job again.
 */
const jobTimeout = 25_000;

/**
 * The options of a worker. A notification wakes the worker, which continues while its batches are full. Each job of a
 * batch succeeds or fails by itself.
 */
const working = {
  batchSize: 20,
  perJobResults: true,
  // Polling is rare, because `dueJobs` finds the jobs that become due without a notification.
  pollingIntervalSeconds: 60,
  notifyPollingIntervalSeconds: 60,
} as const;

const queueOptions = {
  notify: true,
  // A job is restarted after this many seconds, or if its process has sent no heartbeat for `heartbeatSeconds`.
  expireInSeconds: 30,
  heartbeatSeconds: 10,
  retryLimit: 12,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
} as const;

/** The options of a job that is retried all day: 12 tries in the first 34 minutes, then 47 about half an hour apart. */
const retriedAllDay = { retryLimit: 58, retryDelay: 1, retryBackoff: true, retryDelayMax: 1_800 } as const;

function connectionOf(config: pg.PoolConfig) {
  const { host, port, user, password, database } = config;
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(typeof password === 'string' && { password }),
    ...(database !== undefined && { database }),
  };
}
