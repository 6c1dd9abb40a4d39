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
}

/** Opens a pool. `config` is a connection string or the connection that the embedded database returned. */
export function connect(config: string | pg.PoolConfig, onError: (error: Error) => void, max = 10): Connection {
  const pool = new pg.Pool({
    ...(typeof config === 'string' ? { connectionString: config } : config),
    max,
    application_name: 'hatch',
    // Fail rather than wait for ever when the database is gone. Together with a statement's time limit: less than 5 s.
    connectionTimeoutMillis: 2_000,
  });
  pool.on('error', onError);
  // A broken connection reports its error to the code that uses it; without this listener it would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparedPool(pool) }) });
  return { db, pool, close: () => db.destroy() };
}
