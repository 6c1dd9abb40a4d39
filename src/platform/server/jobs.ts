import type pg from 'pg';
import { PgBoss, fromKysely, type JobResult } from 'pg-boss';
import { withPatience } from '#database/patience.ts';
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

/**
 * Starts the job queue in its own schema of the same database. A job that is done or given up is deleted within about
 * `keptSeconds` and that again: a mail's job names its recipient.
 */
export async function startJobs(
  database: string | pg.PoolConfig,
  onError: (error: unknown) => void,
  keptSeconds = 60,
): Promise<Jobs> {
  const connection = typeof database === 'string' ? { connectionString: database } : connectionOf(database);
  const boss = new PgBoss({
    ...connection,
    application_name: 'hatch-jobs',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    maintenanceIntervalSeconds: keptSeconds,
  });
  let failedAt = -Infinity;
  boss.on('error', (error) => {
    failedAt = performance.now();
    onError(error);
  });
  boss.on('warning', onError);
  await boss.start();
  const queues = new Map<string, Promise<void>>();
  const ready = (queue: string) => {
    const known = queues.get(queue);
    if (known) return known;
    const made = prepare(queue);
    queues.set(queue, made);
    made.catch(() => queues.delete(queue));
    return made;
  };
  const prepare = async (queue: string) => {
    await boss.createQueue(queue, {
      notify: true,
      // A job whose process died is taken up again after this long.
      expireInSeconds: 30,
      retryLimit: 12,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 300,
      // Also what comes here from another queue.
      deleteAfterSeconds: keptSeconds,
    });
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
      await boss.work<T, unknown, typeof working>(queue, { ...working, ...options }, async (jobs) => {
        const results: JobResult[] = [];
        for (const { id, data } of jobs) {
          const failure = await work(data).then(
            () => null,
            (error: unknown) => error ?? new Error('failed'),
          );
          if (failure) onError(failure);
          results.push(
            failure ? { id, status: 'failed', output: { message: String(failure) } } : { id, status: 'completed' },
          );
        }
        return results;
      });
    },
    isWell: () => performance.now() - failedAt > troubleLasts,
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}

/** Milliseconds for which an error of the queue counts: each worker asks for work every two seconds at least. */
const troubleLasts = 10_000;

/** Milliseconds that one statement of a job may take: nobody waits for it. */
const jobPatience = 60_000;

/**
 * Woken by the database when a job is sent, and takes all that wait; a second fetch comes at once while batches are full.
 * Each job of a batch succeeds or fails by itself.
 */
const working = {
  batchSize: 20,
  perJobResults: true,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 2,
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
