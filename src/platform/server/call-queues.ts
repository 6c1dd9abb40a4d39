import { m } from '#messages';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { AppError } from '#platform/errors.ts';

export interface SerialQueue {
  /**
   * Runs `work` after the earlier callers. Throws `unavailable` if the queue is full, or once the database is
   * unavailable for an earlier caller.
   */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Creates a queue in memory: one caller works, and at most `maxWaiting` wait in order, without a database connection.
 * `pause` milliseconds between two callers are left for other work.
 */
export function createSerialQueue({ maxWaiting, pause }: { maxWaiting: number; pause: number }): SerialQueue {
  const waiting: PromiseWithResolvers<void>[] = [];
  let isTaken = false;
  const handOn = () => {
    const next = waiting.shift();
    if (next) next.resolve();
    else isTaken = false;
  };
  return {
    async take(work) {
      if (!isTaken) isTaken = true;
      else if (waiting.length >= maxWaiting) throw tooMany();
      else {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        await turn.promise;
      }
      try {
        return await work();
      } catch (error) {
        // The database is unavailable for the waiting callers as well, so all are rejected now.
        if (error instanceof DatabaseUnavailable) for (const { reject } of waiting.splice(0)) reject(error);
        throw error;
      } finally {
        if (waiting.length > 0) setTimeout(handOn, pause);
        else isTaken = false;
      }
    },
  };
}

function tooMany(): AppError {
  return new AppError('unavailable', m.platform_unavailable(), { headers: { 'retry-after': '1' } });
}

/**
 * A queue that runs one call of each waiting caller in turn; the queue of `createSerialQueue` runs calls in order of
 * arrival.
 */
export interface FairQueue {
  /**
   * Runs `work` in the turn of the caller `who`. Throws 429 if the caller's queue is full, 503 if too many calls wait
   * in total.
   */
  take<Result>(who: string, work: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueLimits {
  atOnce: number;
  /** The maximum number of waiting calls of one caller. */
  maxOfOne: number;
  /** The maximum number of waiting calls in total. */
  maxOfAll: number;
}

export function createFairQueue({ atOnce, maxOfOne, maxOfAll }: FairQueueLimits): FairQueue {
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let running = 0;

  const next = () => {
    const [first] = waiting;
    if (!first || running >= atOnce) return;
    const [who, queue] = first;
    waiting.delete(who);
    const start = queue.shift();
    if (queue.length > 0) waiting.set(who, queue);
    count -= 1;
    running += 1;
    start?.();
  };

  return {
    async take(who, work) {
      const queue = waiting.get(who) ?? [];
      if (queue.length >= maxOfOne) {
        throw new AppError('too_many_requests', m.platform_too_many_requests(), { headers: { 'retry-after': '2' } });
      }
      if (count >= maxOfAll) {
        throw new AppError('unavailable', m.platform_unavailable(), { headers: { 'retry-after': '5' } });
      }
      const turn = Promise.withResolvers<void>();
      queue.push(turn.resolve);
      waiting.set(who, queue);
      count += 1;
      next();
      await turn.promise;
      try {
        return await work();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}
