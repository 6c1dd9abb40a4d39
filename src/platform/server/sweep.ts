import type { FastifyBaseLogger } from 'fastify';

/**
 * Calls the synchronous `look` every `every` milliseconds, without keeping the process alive. Returns a function that
 * stops the calls.
 */
export function repeatEvery(every: number, look: () => void): () => void {
  const timer = setInterval(look, every).unref();
  return () => clearInterval(timer);
}

export interface Sweep {
  stop(): Promise<void>;
}

export interface SweepPlan {
  name: string;
  /** The interval between the sweep's starts (ms). */
  every: number;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** No sweep runs while the machine's clock is not trusted, because a wrong time would delete rows too early. */
  clock?: { isTrusted(): boolean };
  /** Whether the first sweep runs at the start; by default it runs after `every`. */
  atOnce?: boolean;
}

/** Runs `work` at an interval, never twice concurrently. A failure is logged. `stop` waits for the running work. */
export function startSweep({ name, every, log, clock, atOnce }: SweepPlan, work: () => Promise<unknown>): Sweep {
  let running: Promise<unknown> | null = null;
  const run = async () => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, name);
    } finally {
      running = null;
    }
  };
  const begin = () => {
    if (clock?.isTrusted() === false) return;
    running ??= Promise.resolve().then(run);
  };
  if (atOnce) begin();
  const stop = repeatEvery(every, begin);
  return {
    async stop() {
      stop();
      await running;
    },
  };
}
