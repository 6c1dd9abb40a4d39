import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#database/embedded/process.ts';
import {
  findServer,
  launchServer,
  signalServer,
  stopServer,
  trimLog,
  waitUntilReady,
  type Installation,
  type RunningServer,
} from '#database/embedded/server.ts';

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** One that this process has started tells when it ends; one that was taken over has to be asked. */
const CHECK_MS = 1_000;
const TRIM_MS = 3_600_000;
/** Milliseconds before each further attempt; the last one repeats, so that a disk with room again is noticed. */
const PAUSES = [0, 500, 1_000, 2_000, 5_000, 10_000];

/**
 * Watches over a server, ours or one taken over, and starts it again when it ends: killed for want of memory, or given
 * up on a full disk. The pool reconnects by itself.
 */
export function superviseServer(
  installation: Installation,
  started: RunningServer,
  log: Log,
): { stop(): Promise<void> } {
  const { folders, access } = installation;
  const stopping = new AbortController();
  let { pid } = started;
  let mending: Promise<void> | undefined;

  const look = () => {
    if (mending || stopping.signal.aborted || isAlive(pid)) return;
    log.error({ pid }, 'PostgreSQL ended unexpectedly; starting it again');
    mending = restart(installation, log, stopping.signal).then((server) => {
      pid = server?.pid ?? pid;
      mending = undefined;
      void server?.ended?.then(look);
    });
  };
  void started.ended?.then(look);
  const check = setInterval(look, CHECK_MS).unref();
  const trim = setInterval(() => trimLog(folders), TRIM_MS).unref();
  // An app that ends without stop(), through an exception say, takes the database along.
  const onExit = () => signalServer(folders, pid, 'SIGINT');
  process.on('exit', onExit);

  return {
    stop: async () => {
      stopping.abort();
      clearInterval(check);
      clearInterval(trim);
      process.off('exit', onExit);
      await mending;
      await stopServer(folders, pid).finally(access.close);
    },
  };
}

/** Tries until it succeeds or is told to stop; only then it answers undefined. */
async function restart(
  installation: Installation,
  log: Log,
  stopping: AbortSignal,
): Promise<RunningServer | undefined> {
  const { folders, user } = installation;
  let lastReason = '';
  for (let attempt = 0; !stopping.aborted; attempt += 1) {
    try {
      await sleep(PAUSES[Math.min(attempt, PAUSES.length - 1)], undefined, { signal: stopping });
      const left = await findServer(folders, user);
      const server = left ? await waitUntilReady(folders, left.pid) : await launchServer(installation);
      log.info({ pid: server.pid }, 'PostgreSQL is ready again');
      return server;
    } catch (error) {
      if (stopping.aborted) break;
      const reason = error instanceof Error ? error.message : String(error);
      // A full disk may last for days: say it once, not each time.
      if (reason !== lastReason) log.error({ attempt, reason }, 'PostgreSQL does not start; trying on');
      lastReason = reason;
    }
  }
  return undefined;
}
