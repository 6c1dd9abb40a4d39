import { existsSync } from 'node:fs';
import { access as checkAccess, constants, mkdir, realpath, stat, statfs } from 'node:fs/promises';
import {
  chooseDatabaseAccess,
  toEmbeddedConnection,
  type EmbeddedConnection,
  findFreePort,
  postgresSettings,
  canSignInToDatabase,
  type DatabaseTransport,
} from '#database/embedded/access.ts';
import { type Binaries, findBinaries, copyBundledBinaries } from '#database/embedded/binaries.ts';
import {
  type ClusterFolders,
  clusterFolders,
  prepareCluster,
  readDatabasePassword,
  readSettings,
  resetDatabasePassword,
  writeSettings,
  writeHatchVersion,
} from '#database/embedded/cluster.ts';
import { DatabaseStartError, type DatabaseUser, systemErrorCode } from '#database/embedded/process.ts';
import { lockFolder } from '#database/embedded/lock.ts';
import { refuseCopiedCluster } from '#database/embedded/copied-cluster.ts';
import {
  findOrphanedServer,
  type ServerSetup,
  launchServer,
  type DatabaseLog,
  type RunningServer,
  stopServer,
  superviseServer,
  trimDatabaseLog,
  waitUntilServerReady,
} from '#database/embedded/server.ts';
import { chooseDatabaseUser, systemUserName } from '#database/embedded/user.ts';

export { DatabaseStartError } from '#database/embedded/process.ts';

export interface EmbeddedOptions {
  /** DATA_DIR, which is created if it is missing. The database is in its folder `postgres`. */
  dataDir: string;
  log: DatabaseLog;
  /** Settings of PostgreSQL that differ from the defaults of a shop, such as `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>;
  /** `tcp` forces a TCP connection. By default TCP is used only where a Unix socket is impossible. */
  transport?: DatabaseTransport;
  /** If another app holds this folder, the start waits for this time (ms), because that app may be stopping. */
  lockTimeout?: number;
  /** Whether to start a database even if it was copied while it ran. */
  takesCopy?: boolean;
  /**
   * Called before a new database is created. The creation takes about a second, in which the caller can do other work.
   */
  onNew?: () => void;
  /** An abort ends a start or restart that is under way, and stops the server that it launched. */
  signal?: AbortSignal | undefined;
  /**
   * Finds the PostgreSQL to start; undefined: the one that npm installed is used. `copies`: folders into which
   * PostgreSQL's programs may be copied.
   */
  findBinaries?: ((folders: ClusterFolders, user: DatabaseUser, copies: string[]) => Promise<Binaries>) | undefined;
}

export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /** Publishes the app's URL and port in the folder, for commands and for another app that finds the folder in use. */
  announce(url: string, port: number): void;
  noteVersion(text: string): Promise<void>;
  /**
   * Copies PostgreSQL's programs beside the data, because a later Hatch with a newer major version of PostgreSQL needs
   * them to read the data.
   */
  keepBinaries(): Promise<void>;
  /** Stops the database and releases the folder. Close the pool first. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL under `dataDir`, or takes over the server of a killed app, and supervises it until `stop()`. One
 * app at a time holds the folder. Throws DatabaseStartError.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const startedAt = performance.now();
  try {
    const dataDir = await openFolder(options.dataDir);
    const lock = await lockFolder(dataDir, options.lockTimeout ?? 1_000);
    try {
      const installation = await prepare(dataDir, options);
      options.signal?.throwIfAborted();
      const { password, server, wasRunning } = await bringUp(installation, options);
      const supervisor = superviseServer(installation, server, options.log);
      const facts = { milliseconds: Math.round(performance.now() - startedAt), pid: server.pid, wasRunning };
      options.log.info(facts, `PostgreSQL ${installation.binaries.version} is ready`);
      let stopped: Promise<void> | undefined;
      return {
        connection: toEmbeddedConnection(installation.access, password),
        announce: lock.announce,
        noteVersion: (text) => writeHatchVersion(installation.folders, text, installation.user),
        keepBinaries: () => keepIfRoom(installation.folders),
        stop: () => (stopped ??= supervisor.stop().finally(lock.release)),
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw await explain(error, options.dataDir);
  }
}

export async function stopOrphanedPostgres(dataDir: string): Promise<void> {
  const folders = clusterFolders(dataDir);
  if (!existsSync(folders.cluster)) return;
  const user = await chooseDatabaseUser(dataDir, folders.cluster, () => undefined);
  const left = await findOrphanedServer(folders, user);
  if (left) await stopServer(folders, left.pid);
}

async function openFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await checkAccess(path, constants.R_OK | constants.W_OK | constants.X_OK);
  return realpath(path);
}

async function prepare(dataDir: string, options: EmbeddedOptions): Promise<ServerSetup> {
  const { log, transport, takesCopy, signal, onNew } = options;
  const folders = clusterFolders(dataDir);
  const user = await chooseDatabaseUser(dataDir, folders.cluster, (name) =>
    log.info({ user: name }, 'made a system user for the database, because PostgreSQL does not run as root'),
  );
  // `user` is set only in a process of root. That user cannot read root's own folders, so PostgreSQL is copied to a
  // folder that everyone can read.
  const copies = user ? ['/var/cache/hatch', '/var/tmp/hatch', '/tmp/hatch'] : [folders.binaries];
  const binaries = await (options.findBinaries?.(folders, user, copies) ?? findBinaries(user, copies));
  if (!existsSync(folders.cluster)) onNew?.();
  await prepareCluster(folders, binaries, user);
  await refuseCopiedCluster(folders.cluster, user, { log, takesCopy });
  trimDatabaseLog(folders);
  return {
    folders,
    binaries,
    user,
    signal,
    access: await chooseDatabaseAccess(folders.sockets, transport ?? 'socket'),
  };
}

async function bringUp(
  installation: ServerSetup,
  { log, settings }: EmbeddedOptions,
): Promise<{ server: RunningServer; password: string; wasRunning: boolean }> {
  const { folders, binaries, user, access } = installation;
  const wanted = postgresSettings(binaries, access.transport, settings ?? {});
  let password = await readDatabasePassword(folders);
  const left = await findOrphanedServer(folders, user);
  if (left) {
    const server = await waitUntilServerReady(folders, left.pid, installation.signal).catch(() => undefined);
    const isCurrent = (await readSettings(folders)) === wanted;
    if (server && isCurrent && password) {
      if (access.transport === 'tcp') access.port = server.port;
      if (await canSignInToDatabase(access, password).catch(() => false)) return { server, password, wasRunning: true };
    }
    log.info({ pid: left.pid }, 'stopping the database that the last run left behind');
    await stopServer(folders, left.pid);
  }
  installation.signal?.throwIfAborted();
  await writeSettings(folders, wanted, user);
  password ??= await resetDatabasePassword(folders, binaries, user);
  const server = await launchOnFreePort(installation);
  access.port = access.transport === 'tcp' ? server.port : access.port;
  if (await canSignInToDatabase(access, password)) return { server, password, wasRunning: false };
  log.warn({}, 'the password kept for the database was wrong; setting a new one');
  await stopServer(folders, server.pid);
  password = await resetDatabasePassword(folders, binaries, user);
  return { server: await launchServer(installation), password, wasRunning: false };
}

/** Launches the server. If another program has taken its TCP port, tries again on another port. */
async function launchOnFreePort(installation: ServerSetup): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchServer(installation);
    } catch (error) {
      const { access } = installation;
      const isTaken = access.transport === 'tcp' && /Address already in use|could not bind/.test(String(error));
      if (!isTaken || attempt === 5) throw error;
      access.port = await findFreePort();
    }
  }
}

const DISK_FULL = /No space left on device|Disk quota exceeded|File too large|database or disk is full/;
/**
 * If fewer bytes are free, a failed start is reported as a full disk, because the server may be unable to log the
 * reason.
 */
const TOO_LITTLE_BYTES = 20_000_000;

async function explain(error: unknown, dataDir: string): Promise<DatabaseStartError> {
  if (error instanceof DatabaseStartError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const free = await freeBytes(dataDir);
  if (
    DISK_FULL.test(reason) ||
    systemErrorCode(error) === 'ENOSPC' ||
    (free !== undefined && free < TOO_LITTLE_BYTES)
  ) {
    const megabytes = free === undefined ? '' : ` (${Math.floor(free / 1_000_000)} MB free)`;
    return new DatabaseStartError(
      'disk_full',
      `The disk that holds ${dataDir} is full${megabytes}, so the database cannot start. Nothing that was saved is lost.\n` +
        'Make room (at least 200 MB) and start again.',
      { cause: error },
    );
  }
  const denied = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(systemErrorCode(error) ?? '');
  if (denied || /readonly database|unable to open database file/.test(reason)) {
    return new DatabaseStartError(
      'folder_unusable',
      `Hatch cannot use ${dataDir}: ${reason}\n${await wayOut(dataDir)}`,
      {
        cause: error,
      },
    );
  }
  const log = clusterFolders(dataDir).log;
  return new DatabaseStartError(
    'start_failed',
    `The database in ${dataDir} did not start. Its log is ${log}:\n${reason}`,
    {
      cause: error,
    },
  );
}

/**
 * PostgreSQL is copied only if more bytes than these are free, because orders need the space more than the copy does.
 */
const ROOM_BYTES = 1_000_000_000;

async function keepIfRoom({ root, binaries }: ClusterFolders): Promise<void> {
  if (((await freeBytes(root)) ?? 0) > ROOM_BYTES) await copyBundledBinaries(binaries);
}

async function wayOut(dataDir: string): Promise<string> {
  const owner = await stat(dataDir).catch(() => undefined);
  const self = process.geteuid?.();
  if (!owner || self === undefined || owner.uid === self) return 'Set DATA_DIR to another folder.';
  return (
    `It belongs to user ${await systemUserName(owner.uid)}. Start Hatch as that user, or hand the folder over once: ` +
    `sudo chown -R ${await systemUserName(self)} '${dataDir}'`
  );
}

async function freeBytes(path: string): Promise<number | undefined> {
  return statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}
