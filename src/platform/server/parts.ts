import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** Something that runs until it is stopped: connections, listeners, timers. */
export interface Part {
  stop(): unknown;
}

export interface Parts {
  /** Adds a part that has just been started, and returns it. It is stopped before those that were added earlier. */
  add<T extends Part>(name: string, part: T, timeout?: number): T;
}

export interface Running {
  /** Stops every part, the last first, even if some fail. Returns those that did not stop in time. */
  stop(): Promise<string[]>;
}

/** Milliseconds that one part may take to stop; the process must end even if a part does not. */
const usualTimeout = 10_000;

/**
 * Starts parts that depend on each other. When one fails to start, those before it are stopped, the
 * last first, and its error is thrown.
 */
export async function startParts<T extends object>(
  log: Pick<FastifyBaseLogger, 'error'>,
  start: (parts: Parts) => Promise<T>,
): Promise<T & Running> {
  const added: { name: string; part: Part; timeout: number }[] = [];
  const stopAll = async () => {
    const late: string[] = [];
    for (const { name, part, timeout } of added.toReversed()) {
      if (!(await stopOne(log, name, part, timeout))) late.push(name);
    }
    return late;
  };
  try {
    const whole = await start({
      add(name, part, timeout = usualTimeout) {
        added.push({ name, part, timeout });
        return part;
      },
    });
    let stopping: Promise<string[]> | undefined;
    return { ...whole, stop: () => (stopping ??= stopAll()) };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** False if it takes longer than `timeout`; a failure is logged. */
async function stopOne(
  log: Pick<FastifyBaseLogger, 'error'>,
  name: string,
  part: Part,
  timeout: number,
): Promise<boolean> {
  const done = new AbortController();
  const tooLate = sleep(timeout, false, { signal: done.signal }).catch(() => true);
  const stopped = Promise.resolve()
    .then(() => part.stop())
    .catch((error: unknown) => log.error({ err: error, part: name }, 'stopping'))
    .then(() => true);
  const isInTime = await Promise.race([stopped, tooLate]);
  done.abort();
  if (!isInTime) log.error({ part: name }, 'does not stop');
  return isInTime;
}
