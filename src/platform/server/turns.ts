import { m } from '#messages';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { AppError } from '#platform/errors.ts';

export interface Turns {
  /** Does `work` when it is its turn. Throws `unavailable` when too many are waiting already. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Lets one caller work and `mostWaiting` wait, in the order of their arrival: work that waits in memory holds no connection
 * that others need. Between two waiting callers there are `pause` milliseconds, in which all other work can run.
 */
export function createTurns({ mostWaiting, pause }: { mostWaiting: number; pause: number }): Turns {
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
      else if (waiting.length >= mostWaiting) throw tooMany();
      else {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        // The caller that ends hands its place to the next.
        await turn.promise;
      }
      try {
        return await work();
      } catch (error) {
        // The callers that wait would fail in the same way, one after the other.
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

/** Does work of one kind, few pieces at once, in turn by who asks for it; `turns.ts` goes by who came first. */
export interface FairTurns {
  /** Throws 429 if too much of `who` waits already, and 503 if too much waits of all. */
  take<Result>(who: string, work: () => Promise<Result>): Promise<Result>;
}

export interface TurnLimits {
  atOnce: number;
  /** How much may wait of one asker, and of all. */
  mostOfOne: number;
  mostOfAll: number;
}

/** One asker's work waits for their own only: after each piece it is the next asker's turn. */
export function createFairTurns({ atOnce, mostOfOne, mostOfAll }: TurnLimits): FairTurns {
  /** In the order of turns. */
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
      if (queue.length >= mostOfOne) {
        throw new AppError('too_many_requests', m.platform_too_many_requests(), { headers: { 'retry-after': '2' } });
      }
      if (count >= mostOfAll) {
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
