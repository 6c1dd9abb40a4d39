import { m } from '#messages';
import { DatabaseAway } from '#platform/server/database-away.ts';
import { AppError } from '#platform/errors.ts';

export interface Turns {
  /** Does `work` when it is its turn. Throws `unavailable` when too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Lets one at a time work and `mostWaiting` wait, in the order in which they came: what waits in memory holds no connection
 * that somebody else needs. Between two of those who waited there are `pause` milliseconds, for everybody else's work.
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
        // Whoever ends hands its place on.
        await turn.promise;
      }
      try {
        return await work();
      } catch (error) {
        // Those who wait would find the same, one after the other.
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
