import { m } from '#messages';
import { DatabaseAway } from '#platform/server/database-away.ts';
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
        if (error instanceof DatabaseAway) for (const { reject } of waiting.splice(0)) reject(error);
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
