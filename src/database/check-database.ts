import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { ConfigError } from '#platform/errors.ts';
import { DatabaseUnavailable, isDatabaseUnavailableError } from '#platform/server/database-unavailable.ts';

interface Addresses {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
}

/** The timeout in milliseconds of a connection, of an answer, and of a notification. */
const wait = 5_000;

const pooler =
  'DATABASE_URL leads through a pooler that does not keep sessions (transaction mode), so that changes would not be heard of. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself as well, or let the pooler keep sessions.';
const pooledDirect =
  'DATABASE_DIRECT_URL leads through a pooler that does not keep sessions either. Set it to the address of PostgreSQL itself.';
const other =
  'DATABASE_DIRECT_URL leads to another database than DATABASE_URL: what one is told, the other does not hear.';
const encoding = (is: string) =>
  `The database of DATABASE_URL keeps its text as ${is}, in which names and dishes get lost. Make one with the encoding UTF8: create database hatch encoding 'UTF8' template template0`;
const readOnly =
  'The database of DATABASE_URL is read-only: it is a standby, or has default_transaction_read_only. Set the address of the one that takes changes.';

/**
 * Checks an external database before its first use. Returns `isPooled`: whether DATABASE_URL leads to a pooler that
 * shares sessions. Throws ConfigError if the database is read-only or not UTF-8, or if its notifications would not
 * arrive. Throws DatabaseUnavailable if it does not answer.
 */
export async function checkDatabase(
  { DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: Addresses,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<{ isPooled: boolean }> {
  if (url === undefined) return { isPooled: false };
  const urls = direct === undefined ? [url, url] : [url, url, direct, direct];
  return withClients(urls, async (one, two, listener = two, beside = one) => {
    const { version, isReadOnly, encodedAs } = await readState(one);
    if (isReadOnly) throw new ConfigError(readOnly);
    if (encodedAs !== 'UTF8') throw new ConfigError(encoding(encodedAs));
    if (!isTestedPostgresVersion(version)) {
      log.warn(
        { postgres: version },
        `this PostgreSQL is older than ${oldestTestedPostgres}: Hatch is not tested on it`,
      );
    }
    const isPooled = await isShared(one, two);
    if (isPooled && direct === undefined) throw new ConfigError(pooler);
    if (direct !== undefined && (await isShared(listener, beside))) throw new ConfigError(pooledDirect);
    if (!(await hears(listener, one))) throw new ConfigError(direct === undefined ? pooler : other);
    return { isPooled };
  });
}

/** Connects one client to each address and runs `work`. Throws DatabaseUnavailable if a database does not answer. */
async function withClients<T>(
  urls: readonly string[],
  work: (one: pg.Client, two: pg.Client, ...direct: pg.Client[]) => Promise<T>,
): Promise<T> {
  const clients = urls.map((connectionString) => {
    const limits = { connectionTimeoutMillis: wait, query_timeout: wait };
    const client = new pg.Client({ connectionString, application_name: 'hatch-start', ...limits });
    client.on('error', () => {});
    return client;
  });
  try {
    for (const client of clients) {
      await client.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error);
      });
    }
    // `urls` has at least two addresses, and each has a client.
    return await work(...(clients as [pg.Client, pg.Client, ...pg.Client[]]));
  } catch (error) {
    throw isDatabaseUnavailableError(error) && !(error instanceof DatabaseUnavailable)
      ? new DatabaseUnavailable(error)
      : error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

interface ServerState {
  version: string;
  isReadOnly: boolean;
  encodedAs: string;
}

async function readState(client: pg.Client): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_encoding') as "encodedAs",
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  return rows[0] ?? { version: '', isReadOnly: false, encodedAs: '' };
}

/**
 * Whether two open connections share server processes, as behind a pooler in transaction mode. Such a pooler may give
 * each query another process, or give both connections the same one.
 */
async function isShared(one: pg.Client, two: pg.Client): Promise<boolean> {
  const processes = [];
  for (const client of [one, two, two, one]) {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    processes.push(rows[0]?.pid);
  }
  const [first, second, third, fourth] = processes;
  return first === second || second !== third || first !== fourth;
}

async function hears(listener: pg.Client, sender: pg.Client): Promise<boolean> {
  // The channel's name is random, because other instances may start at the same time.
  const channel = `hatch_start_${randomUUID().replaceAll('-', '')}`;
  await listener.query(`listen ${channel}`);
  const heard = once(listener, 'notification', { signal: AbortSignal.timeout(wait) }).then(
    () => true,
    () => false,
  );
  await sender.query('select pg_notify($1, $2)', [channel, '']);
  return heard;
}

export const oldestTestedPostgres = 18;

export function isTestedPostgresVersion(version: string): boolean {
  return Number.parseInt(version, 10) >= oldestTestedPostgres;
}
