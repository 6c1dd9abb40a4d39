import { spawn } from 'node:child_process';
import { closeSync, constants, copyFileSync, fstatSync, openSync, readFileSync, readSync, truncateSync } from 'node:fs';
import { readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DatabaseAccess,
  toEmbeddedConnection,
  type EmbeddedConnection,
  canSignInToDatabase,
} from '#database/embedded/access.ts';
import type { Binaries } from '#database/embedded/binaries.ts';
import {
  type ClusterFolders,
  clusterFolders,
  clusterPathForPostgres,
  readDatabasePassword,
} from '#database/embedded/cluster.ts';
import {
  databaseEnvironment,
  type DatabaseUser,
  isProcessAlive,
  processState,
  runProgram,
  systemErrorCode,
} from '#database/embedded/process.ts';
import { repeatEvery } from '#platform/server/sweep.ts';

export interface ServerSetup {
  folders: ClusterFolders;
  binaries: Binaries;
  user: DatabaseUser;
  access: DatabaseAccess;
  /** Once this signal is aborted, no server is launched any more. */
  signal?: AbortSignal | undefined;
}

export interface RunningServer {
  pid: number;
  port: number;
  /** Resolves when the server ends; undefined: this process has not started the server, and so does not see its end. */
  ended?: Promise<void>;
}

const LARGEST_LOG = 5_000_000;
/**
 * Matches the errors with which PostgreSQL refuses to start while a process of a killed server still uses shared
 * memory. Such a process soon ends.
 */
const LEFTOVERS = /pre-existing shared memory block|lock file "[^"]+" already exists/;
const TIMEOUTS = { leftovers: 15_000, ready: 300_000, fastStop: 10_000, immediateStop: 5_000 };

/**
 * Finds the server that an earlier app left running on this cluster. A server that is stopping, or in single-user mode,
 * is stopped and not returned. If the pid in `postmaster.pid` is a zombie's or another program's, the file is removed.
 * PostgreSQL would refuse to start with that file. If no process has the pid, the file stays: PostgreSQL uses it to
 * find leftovers.
 */
export async function findOrphanedServer(
  folders: ClusterFolders,
  user: DatabaseUser,
): Promise<RunningServer | undefined> {
  for (;;) {
    const found = readPidFile(folders);
    if (!found) return undefined;
    const state = processState(found.pid);
    if (state === 'gone') return undefined;
    if (state === 'zombie' || !(await isServerOfCluster(folders.cluster, found.pid, user))) {
      await Promise.all([pidFile(folders), socketLock(folders)].map((file) => rm(file, { force: true })));
      return undefined;
    }
    if (!found.isSingleUser && found.status !== 'stopping') return found;
    // A stopping server may wait for its clients, and a server in single-user mode accepts no clients. So both are
    // stopped with increasing force.
    await stopServer(folders, found.pid);
  }
}

/** Starts a server and waits until it takes connections. Rejects with the errors in its log. */
export async function launchServer(installation: ServerSetup): Promise<RunningServer> {
  const { folders, signal } = installation;
  const deadline = performance.now() + TIMEOUTS.leftovers;
  for (;;) {
    signal?.throwIfAborted();
    const logStart = openLog(folders);
    const { pid, ended } = await spawnServer(installation, logStart.descriptor);
    try {
      return { ...(await waitUntilServerReady(folders, pid, signal)), ended };
    } catch (error) {
      if (signal?.aborted) await endChild(pid, ended);
      signal?.throwIfAborted();
      const said = readLog(folders, logStart.size);
      if (!LEFTOVERS.test(said) || performance.now() > deadline) {
        throw new Error(said || (error instanceof Error ? error.message : String(error)), { cause: error });
      }
      // Another app may have started a server on this cluster and then been killed. That server is used instead of a
      // new one.
      const other = await findOrphanedServer(folders, installation.user);
      if (other) return awaitOther(installation, other.pid);
      await sleep(100);
    }
  }
}

async function awaitOther({ folders, signal }: ServerSetup, pid: number): Promise<RunningServer> {
  try {
    return await waitUntilServerReady(folders, pid, signal);
  } finally {
    if (signal?.aborted) await stopServer(folders, pid);
  }
}

/**
 * Waits until a server that is starting takes connections; after a crash it first replays its write-ahead log. Rejects
 * on abort.
 */
export async function waitUntilServerReady(
  folders: ClusterFolders,
  pid: number,
  signal?: AbortSignal,
): Promise<RunningServer> {
  const deadline = performance.now() + TIMEOUTS.ready;
  while (isProcessAlive(pid)) {
    signal?.throwIfAborted();
    const found = readPidFile(folders);
    if (found?.pid === pid && found.status === 'ready') return found;
    if (performance.now() > deadline) throw new Error('PostgreSQL was not ready after five minutes');
    await sleep(5);
  }
  throw new Error('PostgreSQL ended while it was starting');
}

/** Stops the server: open transactions are rolled back, committed ones are on disk. */
export async function stopServer(folders: ClusterFolders, pid: number): Promise<void> {
  await stopWith(pid, (signal) => signalServer(folders, pid, signal));
}

async function stopWith(pid: number, send: (signal: NodeJS.Signals) => boolean): Promise<void> {
  // SIGINT ends all sessions and stops the server cleanly. SIGQUIT skips the clean stop, so the next start must
  // recover. SIGKILL is the last resort.
  const steps = [
    ['SIGINT', TIMEOUTS.fastStop],
    ['SIGQUIT', TIMEOUTS.immediateStop],
    ['SIGKILL', TIMEOUTS.immediateStop],
  ] as const;
  for (const [signal, timeout] of steps) {
    if (!send(signal)) return;
    const deadline = performance.now() + timeout;
    while (performance.now() < deadline) {
      if (!isProcessAlive(pid)) return;
      await sleep(5);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

/** Stops a server that has just started and may have no pid file yet. */
async function endChild(pid: number, ended: Promise<void>): Promise<void> {
  let isOurs = true;
  // After the child's end another program may have its pid, and must not get the signal.
  void ended.then(() => (isOurs = false));
  await stopWith(pid, (signal) => isOurs && sendTo(pid, signal));
}

function signalServer(folders: ClusterFolders, pid: number, signal: NodeJS.Signals): boolean {
  // After the server's end another program may have its pid, and must not get the signal.
  return readPidFile(folders)?.pid === pid && isProcessAlive(pid) && sendTo(pid, signal);
}

function sendTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Copies a log of more than `LARGEST_LOG` bytes to a second file and empties the log, to which the server continues to
 * append.
 */
export function trimDatabaseLog(folders: ClusterFolders): void {
  try {
    const { descriptor, size } = openLog(folders);
    closeSync(descriptor);
    if (size <= LARGEST_LOG) return;
    copyFileSync(folders.log, `${folders.log}.1`);
    truncateSync(folders.log);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOSPC') throw error;
  }
}

function spawnServer(
  { folders, binaries, user, access }: ServerSetup,
  log: number,
): Promise<{ pid: number; ended: Promise<void> }> {
  const listening =
    access.transport === 'socket'
      ? { listen_addresses: '', unix_socket_directories: '../sockets', unix_socket_permissions: '0700' }
      : { listen_addresses: access.host, unix_socket_directories: '' };
  const settings = Object.entries({ ...listening, port: access.port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.postgres, ['-D', clusterPathForPostgres(folders.cluster), ...settings], {
      ...user,
      cwd: folders.cluster,
      env: databaseEnvironment,
      stdio: ['ignore', log, log],
      // A Ctrl-C in the terminal must reach only the app, which finishes its work before it stops the database.
      detached: true,
    });
    closeSync(log);
    child.once('error', reject);
    const ended = new Promise<void>((end) => child.once('exit', () => end()));
    child.once('spawn', () => {
      child.unref();
      resolve({ pid: child.pid ?? 0, ended });
    });
  });
}

const pidFile = (folders: ClusterFolders): string => join(folders.cluster, 'postmaster.pid');
const socketLock = (folders: ClusterFolders): string => join(folders.sockets, '.s.PGSQL.5432.lock');

/** Reads the server's pid file; undefined: there is none, or it names no process yet. */
function readPidFile(folders: ClusterFolders): (RunningServer & { status: string; isSingleUser: boolean }) | undefined {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(folders), 'utf8').split('\n');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  return { pid: Math.abs(pid), isSingleUser: pid < 0, port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

async function isServerOfCluster(cluster: string, pid: number, user: DatabaseUser): Promise<boolean> {
  if (process.platform !== 'linux') {
    return /postgres/.test((await runProgram('ps', ['-p', String(pid), '-o', 'comm='])).output);
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  const here = await stat(cluster, { bigint: true });
  // `stat` runs as the database's user, because in a container even root may not inspect another user's process.
  const there = await runProgram('stat', ['-L', '-c', '%d:%i', `/proc/${pid}/cwd`], { user });
  return there.output.trim() === `${here.dev}:${here.ino}`;
}

function openLog(folders: ClusterFolders): { descriptor: number; size: number } {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(folders.log, flags, 0o600);
  return { descriptor, size: fstatSync(descriptor).size };
}

/**
 * Reads the server's log from the position `from`, without timestamps: the lines about errors, or else the last five
 * lines.
 */
function readLog(folders: ClusterFolders, from: number): string {
  const descriptor = openSync(folders.log, 'r');
  try {
    const buffer = Buffer.alloc(16_384);
    const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, from));
    const lines = text.split('\n').map((line) => line.replace(/^[-\d]+ [:.\d]+ \w+ \[\d+\] /, ''));
    const serious = lines.filter((line) => /^(FATAL|PANIC):|could not|invalid|unrecognized|error/i.test(line));
    return (serious.length > 0 ? serious : lines.slice(-5)).join('\n').trim();
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Finds the connection to a running shop's database for another process, such as a command; null: no shop runs on the
 * folder.
 */
export async function findRunningDatabase(dataDir: string): Promise<EmbeddedConnection | null> {
  const folders = clusterFolders(await realpath(dataDir).catch(() => dataDir));
  const server = readPidFile(folders);
  const password = await readDatabasePassword(folders);
  if (server?.status !== 'ready' || !isProcessAlive(server.pid) || !password) return null;
  const close = () => undefined;
  const ways = [
    { transport: 'socket' as const, host: folders.sockets, port: 5432, close },
    { transport: 'tcp' as const, host: '127.0.0.1', port: server.port, close },
  ];
  for (const access of ways) {
    if (await canSignInToDatabase(access, password).catch(() => false)) return toEmbeddedConnection(access, password);
  }
  return null;
}

export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Milliseconds between two checks that the server runs. Only a child process reports its end, so a check finds the end
 * of a server that was taken over.
 */
const CHECK_MS = 1_000;
const TRIM_MS = 3_600_000;
/** Milliseconds before each attempt to restart; the last pause repeats, so that freed disk space is noticed. */
const PAUSES = [0, 500, 1_000, 2_000, 5_000, 10_000];

/**
 * Supervises a server that was started or taken over. Restarts the server if it ends, for example because memory or
 * disk space ran out. The pool reconnects by itself.
 */
export function superviseServer(
  installation: ServerSetup,
  started: RunningServer,
  log: DatabaseLog,
): { stop(): Promise<void> } {
  const { folders, access } = installation;
  const stopping = new AbortController();
  let { pid } = started;
  let restarting: Promise<void> | undefined;

  const look = () => {
    if (restarting || stopping.signal.aborted || isProcessAlive(pid)) return;
    log.error({ pid }, 'PostgreSQL ended unexpectedly; starting it again');
    restarting = restart(installation, log, stopping.signal).then((server) => {
      pid = server?.pid ?? pid;
      restarting = undefined;
      void server?.ended?.then(look);
    });
  };
  void started.ended?.then(look);
  const timers = [repeatEvery(CHECK_MS, look), repeatEvery(TRIM_MS, () => trimDatabaseLog(folders))];
  // An app that ends without stop(), for example by an exception, must not leave the database running.
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

/** Restarts the server, with retries until it runs; undefined: `stopping` was aborted before that. */
async function restart(
  installation: ServerSetup,
  log: DatabaseLog,
  stopping: AbortSignal,
): Promise<RunningServer | undefined> {
  const { folders, user } = installation;
  let lastReason = '';
  for (let attempt = 0; !stopping.aborted; attempt += 1) {
    try {
      await sleep(PAUSES[Math.min(attempt, PAUSES.length - 1)], undefined, { signal: stopping });
      const left = await findOrphanedServer(folders, user);
      const server = left ? await waitUntilServerReady(folders, left.pid) : await launchServer(installation);
      log.info({ pid: server.pid }, 'PostgreSQL is ready again');
      return server;
    } catch (error) {
      if (stopping.aborted) break;
      const reason = error instanceof Error ? error.message : String(error);
      // A full disk may last for days, so its error is logged once, not at each retry.
      if (reason !== lastReason) log.error({ attempt, reason }, 'PostgreSQL does not start; trying on');
      lastReason = reason;
    }
  }
  return undefined;
}
