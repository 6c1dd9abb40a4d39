import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#database/embedded/process.ts';
import { repeat } from '#platform/server/sweep.ts';
import {
  findServer,
  type Installation,
  launchServer,
  type RunningServer,
  signalServer,
  stopServer,
  trimLog,
  waitUntilReady,
} from '#database/embedded/server.ts';

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A server that this process has started reports its end; one that was taken over has to be polled. */
const CHECK_MS = 1_000;
const TRIM_MS = 3_600_000;
/** Milliseconds before each further attempt; the last one repeats, so that freed disk space is noticed. */
const PAUSES = [0, 500, 1_000, 2_000, 5_000, 10_000];

/**
 * Watches a server, started or taken over, and restarts it when it ends: killed for lack of memory, or stopped
 * by a full disk. The pool reconnects by itself.
 */
export function superviseServer(
  installation: Installation,
  started: RunningServer,
  log: Log,
): { stop(): Promise<void> } {
  const { folders, access } = installation;
  const stopping = new AbortController();
  let { pid } = started;
  let restarting: Promise<void> | undefined;

  const look = () => {
    if (restarting || stopping.signal.aborted || isAlive(pid)) return;
    log.error({ pid }, 'PostgreSQL ended unexpectedly; starting it again');
    restarting = restart(installation, log, stopping.signal).then((server) => {
      pid = server?.pid ?? pid;
      restarting = undefined;
      void server?.ended?.then(look);
    });
  };
  void started.ended?.then(look);
  const timers = [repeat(CHECK_MS, look), repeat(TRIM_MS, () => trimLog(folders))];
  // An app that ends without stop(), for example through an exception, ends the database too.
  const onExit = () => signalServer(folders, pid, 'SIGINT');
  process.on('exit', onExit);

  return {
    stop: async () => {
      stopping.abort();
      for (const stop of timers) stop();
      process.off('exit', onExit);
      await restarting;
      await stopServer(folders, pid).finally(access.close);
    },
  };
}

/** Tries until it succeeds or is told to stop; only then it returns undefined. */
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
      // A full disk may last for days: log it once, not at each attempt.
      if (reason !== lastReason) log.error({ attempt, reason }, 'PostgreSQL does not start; trying on');
      lastReason = reason;
    }
  }
  return undefined;
}
