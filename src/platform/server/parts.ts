import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** A running part of the server that must be stopped: connections, listeners or timers. */
export interface ServerPart {
  stop(): unknown;
}

export interface ServerParts {
  /** Adds a part and returns it. Parts stop in reverse order. */
  add<T extends ServerPart>(name: string, part: T, timeout?: number): T;
}

export interface RunningParts {
  /** Stops every part in reverse order, even if some fail. Returns the names of parts that exceeded their timeout. */
  stop(): Promise<string[]>;
}

export class StartAbortedError extends Error {}

/** The default timeout of stopping a part (ms); then the next part is stopped. */
const usualTimeout = 10_000;

/**
 * Starts parts, each of which may need earlier parts. If a part fails, the added parts are stopped in reverse order,
 * and its error is thrown. If `ending` is aborted, the added parts are stopped at once, and StartAbortedError is
 * thrown.
 */
export async function startServerParts<T extends object>(
  log: Pick<FastifyBaseLogger, 'error'>,
  start: (parts: ServerParts) => Promise<T>,
  ending?: AbortSignal,
): Promise<T & RunningParts> {
  const added: { name: string; part: ServerPart; timeout: number }[] = [];
  const stopAll = async () => {
    const late: string[] = [];
    for (const { name, part, timeout } of added.toReversed()) {
      if (!(await stopOne(log, name, part, timeout))) late.push(name);
    }
    return late;
  };
  try {
    if (ending?.aborted) throw new StartAbortedError();
    const starting = start({
      add(name, part, timeout = usualTimeout) {
        if (ending?.aborted) throw new StartAbortedError();
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
    const end = () => reject(new StartAbortedError());
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

async function stopOne(
  log: Pick<FastifyBaseLogger, 'error'>,
  name: string,
  part: ServerPart,
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
