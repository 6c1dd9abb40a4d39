import type { Duplex } from 'node:stream';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { preparedPool } from '#database/prepared-pool.ts';
import type { Schema, Db } from '#database/schema.ts';

// Dates of trading days stay text (YYYY-MM-DD): a Date would convert them between time zones.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface Connection {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
  /** Breaks every connection, whatever it is doing. */
  endNow(): Promise<void>;
}

export interface ConnectOptions {
  /** The most connections. */
  max?: number;
  /** Through a pooler in transaction mode, where the next statement may run in another session. */
  isPooled?: boolean;
}

/** Opens a pool. `config` is a connection string or the connection that the embedded database returned. */
export function connect(
  config: string | pg.PoolConfig,
  onError: (error: Error) => void,
  { max = 10, isPooled = false }: ConnectOptions = {},
): Connection {
  const pool = new pg.Pool({
    ...(typeof config === 'string' ? { connectionString: config } : config),
    max,
    application_name: 'hatch',
    // Fail rather than wait for ever when the database is gone. Together with a statement's time limit: less than 5 s.
    connectionTimeoutMillis: 2_000,
  });
  let isClosing = false;
  // A database that stops with the shop ends connections that are on their way out.
  pool.on('error', (error) => isClosing || onError(error));
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    // A broken connection reports its error to the code that uses it; without this listener it would end the process.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => void clients.delete(client));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparedPool(pool, { isPooled }) }) });
  return {
    db,
    pool,
    close() {
      isClosing = true;
      return db.destroy();
    },
    async endNow() {
      for (const client of clients) streamOf(client)?.destroy();
    },
  };
}

/** The socket of a connection, which the driver's types lack. */
function streamOf(client: pg.PoolClient): Duplex | undefined {
  return (client as unknown as { connection?: { stream?: Duplex } }).connection?.stream;
}
