import { m } from '#messages';
import { AppError } from '#platform/errors.ts';

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
