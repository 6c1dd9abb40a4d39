import { closeSync, constants, openSync } from 'node:fs';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { DATABASE_NAME, APP_ROLE } from '#database/embedded/cluster.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import type { Binaries } from '#database/embedded/binaries.ts';

export interface DatabaseAccess {
  transport: DatabaseTransport;
  host: string;
  port: number;
  close(): void;
}

/** The port in the name of the socket file, `.s.PGSQL.5432`. Nothing listens on this TCP port. */
const SOCKET_PORT = 5432;
/** The most bytes of a Unix socket's path, without the final zero: Linux has 107, macOS and the BSDs 103. */
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
const WRONG_PASSWORD = new Set(['28P01', '28000']);

/**
 * Chooses how the app reaches the server: through the socket folder, through a shorter path to it that fits a socket's
 * address, or by TCP if a socket is impossible.
 */
export async function chooseDatabaseAccess(sockets: string, wanted: DatabaseTransport): Promise<DatabaseAccess> {
  const host = wanted === 'socket' ? socketHost(sockets) : undefined;
  if (host) {
    const bound = await listen({ path: join(host.path, '.probe') });
    if (bound) {
      await closeServer(bound);
      return { transport: 'socket', host: host.path, port: SOCKET_PORT, close: host.close };
    }
    host.close();
  }
  return { transport: 'tcp', host: '127.0.0.1', port: await findFreePort(), close: () => undefined };
}

/**
 * Tries to sign in with the app's role and this password. Resolves to false if only the password is wrong; rejects with
 * other errors.
 */
export async function canSignInToDatabase(access: DatabaseAccess, password: string): Promise<boolean> {
  const client = new Client({ ...toEmbeddedConnection(access, password), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (WRONG_PASSWORD.has(systemErrorCode(error) ?? '')) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export function toEmbeddedConnection({ host, port }: DatabaseAccess, password: string): EmbeddedConnection {
  return { host, port, user: APP_ROLE, password, database: DATABASE_NAME };
}

export async function findFreePort(): Promise<number> {
  const server = await listen({ host: '127.0.0.1', port: 0 });
  const address = server?.address();
  if (!server || !address || typeof address === 'string') throw new Error('No port is free on 127.0.0.1');
  await closeServer(server);
  return address.port;
}

/**
 * A path to the socket folder that is short enough for a socket's address; undefined: there is none. On Linux,
 * `/proc/self/fd/…` replaces a path that is too long. It leads through a descriptor of the folder, which stays open
 * until `close()`.
 */
function socketHost(sockets: string): { path: string; close(): void } | undefined {
  const longest = join(sockets, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(longest) <= LONGEST_SOCKET_PATH) return { path: sockets, close: () => undefined };
  if (process.platform !== 'linux') return undefined;
  const folder = openSync(sockets, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${folder}`, close: () => closeSync(folder) };
}

function listen(options: ListenOptions): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(options, () => resolve(server));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** How clients reach the server: a socket inside the data folder, or a loopback port where sockets are impossible. */
export type DatabaseTransport = 'socket' | 'tcp';

/**
 * PostgreSQL's settings for a shop's small machine. fsync, full_page_writes and synchronous_commit stay on. Errors of
 * single statements are not logged, because they would quote customers' text.
 */
const defaults: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  // Parallel workers need /dev/shm, which is small in containers, and short queries never use them.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // PostgreSQL cancels a long query whose client has ended, and so releases its locks.
  client_connection_check_interval: '5s',
  // The app restarts PostgreSQL after a crash: on a full disk PostgreSQL itself would retry without a backoff.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** For each setting that older servers refuse: the first major version that knows it. */
const since: Record<string, number> = { io_method: 18 };

/**
 * The text of hatch.conf. A running server is taken over only if its hatch.conf has the same text, so the first line
 * names the version and the transport.
 */
export function postgresSettings(
  binaries: Binaries,
  transport: DatabaseTransport,
  own: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries({ ...defaults, ...own })
    .filter(([name]) => Number.parseInt(binaries.version, 10) >= (since[name] ?? 0))
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return `# PostgreSQL ${binaries.version}, ${transport}. Written at each start: change postgresql.conf instead.\n${lines.join('\n')}\n`;
}
