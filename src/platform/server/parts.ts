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

/** Somebody ended a start before it was done. */
export class StartEnded extends Error {}

/** Milliseconds that one part may take to stop; the process must end even if a part does not. */
const usualTimeout = 10_000;

/**
 * Starts parts that depend on each other. When one fails to start, those before it are stopped, the
 * last first, and its error is thrown. When `ending` is aborted meanwhile, they are stopped at once, and StartEnded is thrown.
 */
export async function startParts<T extends object>(
  log: Pick<FastifyBaseLogger, 'error'>,
  start: (parts: Parts) => Promise<T>,
  ending?: AbortSignal,
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
    if (ending?.aborted) throw new StartEnded();
    const starting = start({
      add(name, part, timeout = usualTimeout) {
        if (ending?.aborted) throw new StartEnded();
        added.push({ name, part, timeout });
        return part;
      },
    });
    const whole = await (ending ? Promise.race([starting, whenAborted(ending)]) : starting);
    let stopping: Promise<string[]> | undefined;
    return { ...whole, stop: () => (stopping ??= stopAll()) };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new StartEnded());
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
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
