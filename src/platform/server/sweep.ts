import type { FastifyBaseLogger } from 'fastify';

export interface Sweep {
  stop(): Promise<void>;
}

export interface SweepPlan {
  /** What a failure is logged as. */
  name: string;
  /** Milliseconds between two beginnings. */
  every: number;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** While its time is in doubt nothing is swept: what is removed by a clock that jumped does not come back. */
  clock?: { isTrusted(): boolean };
  /** Sweeps at the start too. */
  atOnce?: boolean;
}

/** Runs `work` every so often, never twice at once. A failure is logged, and tried again. Stopping waits for what runs. */
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
  const timer = setInterval(begin, every).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
