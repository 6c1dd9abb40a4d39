import { setTimeout as sleep } from 'node:timers/promises';

/** What goes wrong at its next chance, once. */
export interface Faults<Fault> {
  failNext(fault: Fault): void;
  /** The first waiting one of these kinds, which then has happened. */
  take(...kinds: Fault[]): Fault | null;
}

export function createFaults<Fault>(): Faults<Fault> {
  const waiting: Fault[] = [];
  return {
    failNext: (fault) => void waiting.push(fault),
    take(...kinds) {
      const at = waiting.findIndex((fault) => kinds.includes(fault));
      return at < 0 ? null : (waiting.splice(at, 1)[0] ?? null);
    },
  };
}

export interface Loop {
  /** Polls at once, and then after each interval, until `stop`. */
  start(): void;
  stop(): Promise<void>;
}

export function createLoop(poll: () => Promise<unknown>, intervalSeconds: number): Loop {
  let running: AbortController | null = null;
  let ended = Promise.resolve();
  return {
    start() {
      const { signal } = (running = new AbortController());
      ended = (async () => {
        while (!signal.aborted) {
          await poll();
          await sleep(intervalSeconds * 1000, undefined, { signal }).catch(() => {});
        }
      })();
    },
    async stop() {
      running?.abort();
      await ended;
    },
  };
}
