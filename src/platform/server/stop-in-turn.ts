import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** Milliseconds that one part may take to stop; the process must end though one of them cannot. */
const longest = 10_000;

/** Stops one part after the other, whatever becomes of the one before. Answers which did not stop in time. */
export async function stopInTurn(
  log: FastifyBaseLogger,
  parts: Record<string, () => Promise<unknown>>,
  limit = longest,
): Promise<string[]> {
  const late: string[] = [];
  for (const [part, stop] of Object.entries(parts)) {
    const done = new AbortController();
    const tooLate = sleep(limit, true, { signal: done.signal }).catch(() => false);
    const stopped = stop().then(
      () => false,
      (error: unknown) => {
        log.error({ err: error, part }, 'stopping');
        return false;
      },
    );
    if (await Promise.race([stopped, tooLate])) {
      log.error({ part }, 'does not stop');
      late.push(part);
    }
    done.abort();
  }
  return late;
}
