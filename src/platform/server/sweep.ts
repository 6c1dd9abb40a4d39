import type { FastifyBaseLogger } from 'fastify';

export interface Sweep {
  stop(): Promise<void>;
}

/** Runs `work` every so many milliseconds, never twice at once. A failure is logged under `name` and tried again. */
export function startSweep(name: string, every: number, log: FastifyBaseLogger, work: () => Promise<unknown>): Sweep {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, name))
      .finally(() => (running = null));
  }, every);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
