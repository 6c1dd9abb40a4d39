import type pg from 'pg';
import { sql } from 'kysely';
import { PgBoss, fromKysely, type JobResult } from 'pg-boss';
import { withPatience } from '#database/patience.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Tx } from '#database/schema.ts';

/** Work that must happen after a change is committed, written in the change's own transaction, done at least once. */
export interface Jobs {
  /**
   * Owes one job to `queue`; in `tx`, so it exists exactly if the change does. A job that failed every time it was tried
   * goes on to the queue `givenUpTo`, with the same payload.
   */
  send<T extends object>(
    tx: Tx,
    queue: string,
    payload: T,
    options?: { startAfter?: Date; givenUpTo?: string },
  ): Promise<void>;
  /**
   * Does the jobs of a queue, one at a time. A handler that throws is tried again, later and later. `batchSize` 1 suits
   * slow work: a batch as a whole must end within the time after which its jobs are taken for lost.
   */
  work<T extends object>(
    queue: string,
    handler: (payload: T) => Promise<void>,
    options?: { batchSize?: number },
  ): Promise<void>;
  /** Whether the queue could be asked for work lately. */
  isWell(): boolean;
  stop(): Promise<void>;
}

/** The queues that have a job whose time has come, and whether a job is longer in its process's hands than it may be. */
interface DueJobs {
  ready: string[];
  isOverdue: boolean;
}

/**
 * Starts the job queue in its own schema of the same database. A job that is done or given up is deleted within about
 * five times `keptSeconds`: a mail's job names its recipient.
 */
export async function startJobs(
  database: string | pg.PoolConfig,
  onError: (error: unknown) => void,
  keptSeconds = 60,
): Promise<Jobs & { due: DueWork<DueJobs> }> {
  const boss = openBoss(database, keptSeconds);
  let failedAt = -Infinity;
  boss.on('error', (error) => {
    failedAt = performance.now();
    onError(error);
  });
  boss.on('warning', onError);
  await boss.start();
  const queues = new Map<string, Promise<void>>();
  /** The library's name of each queue's worker. */
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
    // One that an earlier version made.
    await boss.updateQueue(queue, { ...queueOptions, deleteAfterSeconds: keptSeconds });
    // The library reads about a queue once, with a connection of its own: now rather than in a transaction that sends.
    await boss.getQueueStats(queue);
  };
  return {
    async send(tx, queue, payload, { givenUpTo, ...options } = {}) {
      await ready(queue);
      if (givenUpTo) await ready(givenUpTo);
      const lastResort = givenUpTo ? { deadLetter: givenUpTo } : {};
      await boss.send(queue, payload, {
        ...options,
        ...lastResort,
        deleteAfterSeconds: keptSeconds,
        db: fromKysely(tx),
      });
    },
    async work<T extends object>(queue: string, handler: (payload: T) => Promise<void>, options = {}) {
      await ready(queue);
      const work = (payload: T) => withPatience(jobPatience, () => handler(payload));
      const taken = { ...working, ...options };
      const worker = await boss.work<T, unknown, typeof taken>(queue, taken, async (jobs) => {
        // One notification may stand for many jobs, and the library goes on by itself only where it takes several at once.
        if (jobs.length === taken.batchSize) boss.notifyWorker(workers.get(queue) ?? '');
        const results: JobResult[] = [];
        for (const { id, data } of jobs) results.push(await resultOf(id, () => work(data), onError));
        return results;
      });
      workers.set(queue, worker);
    },
    due: dueJobs(workers, boss),
    isWell: () => performance.now() - failedAt > troubleLasts,
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}

function openBoss(database: string | pg.PoolConfig, keptSeconds: number): PgBoss {
  const connection = typeof database === 'string' ? { connectionString: database } : connectionOf(database);
  return new PgBoss({
    ...connection,
    application_name: 'hatch-jobs',
    max: 4,
    useListenNotify: true,
    // Jobs of a process that died are looked for together with what else is due. No job is sent by the calendar.
    superviseIntervalSeconds: 4 * keptSeconds,
    monitorIntervalSeconds: 1,
    schedule: false,
    // No job waits for another, and no index is built beside work.
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    maintenanceIntervalSeconds: 4 * keptSeconds,
    // A connection that went away without a word; what it should have told is seen by `due`.
    notifyHeartbeatIntervalMs: 30_000,
  });
}

/** What a notification did not tell of, and jobs of processes that died. `workers` has the library's name of each queue's. */
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

/** Milliseconds for which an error of the queue counts. */
const troubleLasts = 10_000;

/** Milliseconds that one statement of a job may take: less than the job, which would be begun a second time. */
const jobPatience = 25_000;

/**
 * Woken by the database when a job is sent, and takes all that wait: it looks again at once while batches are full.
 * Each job of a batch succeeds or fails by itself.
 */
const working = {
  batchSize: 20,
  perJobResults: true,
  // What becomes due without a notification is seen by `due`.
  pollingIntervalSeconds: 60,
  notifyPollingIntervalSeconds: 60,
} as const;

const queueOptions = {
  notify: true,
  // A job that takes longer than this, or whose process has not been heard of for `heartbeatSeconds`, is taken up again.
  expireInSeconds: 30,
  heartbeatSeconds: 10,
  retryLimit: 12,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
} as const;

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
