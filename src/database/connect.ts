import type { Duplex } from 'node:stream';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Db, Schema } from '#database/schema.ts';
import { DatabaseUnavailable, isDatabaseUnavailableError } from '#platform/server/database-unavailable.ts';
import { callerSignal, currentStatementTimeoutMs } from '#database/transaction.ts';
import { recordIfSlowStatement, poolWaitFeed, registerPool } from '#database/usage-metrics.ts';

// Dates stay text (YYYY-MM-DD): a `Date` would shift trading days between time zones.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface Connection {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
  /** Closes every connection at once, even during a statement. */
  endNow(): Promise<void>;
}

export interface ConnectOptions {
  max?: number;
  /** Whether the address is a pooler in transaction mode, which may run each statement in another session. */
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
    // Milliseconds to wait for a free connection. Together with the usual timeout of one statement, the wait is less
    // than 5 s.
    connectionTimeoutMillis: 2_000,
  });
  let isClosing = false;
  // While the pool closes, errors are not reported: the database may stop at the same time, which ends the connections.
  pool.on('error', (error) => isClosing || onError(error));
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    // The query on a broken connection rejects by itself. Without this listener the error event would end the process.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => void clients.delete(client));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparedPool(pool, { isPooled }) }) });
  registerPool(db, pool);
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

const mark = '/* prepared */';
const isEnd = /^\s*(rollback|commit)\b/i;

/**
 * Marks the beginning of a statement that takes longer to plan than to run. Each connection prepares a marked
 * statement, and so plans it once. Mark only few statements, each with named columns: `*` breaks when a migration adds
 * a column.
 */
export const preparedStatementHint: RawBuilder<unknown> = sql.raw(mark);

/** The driver supports a timeout for one statement, but its types lack that option. */
type TimedQuery = pg.QueryConfig<unknown[]> & { query_timeout: number };

/** The name of each prepared statement, by its text. The driver needs a name, and the query builder gives none. */
const names = new Map<string, string>();

/**
 * Wraps a pool for the query builder. Its connections prepare statements marked by `preparedStatementHint`, and cancel
 * a statement whose caller has disconnected. A connection that timed out is dropped, because its statement may still
 * run.
 * `isPooled`: a pooler may run each statement in another session, so no statement is prepared or cancelled. Throws
 * `DatabaseUnavailable`.
 */
function preparedPool(pool: pg.Pool, { isPooled = false } = {}): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const asked = performance.now();
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error);
      });
      poolWaitFeed.note({ pool, seconds: (performance.now() - asked) / 1000 });
      let lost: unknown;
      const query = async (text: string, values: unknown[]) => {
        if (lost) throw new DatabaseUnavailable(lost);
        const statement: TimedQuery = { text, values, query_timeout: currentStatementTimeoutMs() };
        if (!isPooled && text.startsWith(mark)) statement.name = nameOf(text);
        const gone = callerSignal();
        let ending: Promise<void> | undefined;
        const end = () => void (isPooled || (ending ??= endStatement(pool, client)));
        // A commit or rollback is sent even if the caller has disconnected, because the pool uses the connection again.
        if (gone?.aborted && !isEnd.test(text))
          throw new DatabaseUnavailable(new Error('Query read timeout: its caller has gone'));
        gone?.addEventListener('abort', end, { once: true });
        const sent = performance.now();
        try {
          return await client.query(statement);
        } catch (error) {
          if (!isDatabaseUnavailableError(error)) throw error;
          lost = error;
          // The driver's timeout leaves the statement running in PostgreSQL, so it is cancelled there.
          if (error instanceof Error && error.message === 'Query read timeout') end();
          throw new DatabaseUnavailable(error);
        } finally {
          recordIfSlowStatement(text, performance.now() - sent);
          gone?.removeEventListener('abort', end);
          // The cancel request is awaited, because a late one would cancel the connection's next statement.
          if (!lost) await ending;
        }
      };
      return {
        // The cast is right: the type's other overload is for cursors, and nobody calls it.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy || lost !== undefined),
      };
    },
  };
}

/**
 * Cancels the statement of a connection. The cancel request has a connection outside of the pool, because the pool may
 * have none free.
 */
async function endStatement(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID: id } = client as unknown as { processID: number | null };
  if (id === null || id === undefined) return;
  const { connectionString, host, port, user, password, database } = pool.options;
  const other = new pg.Client({
    connectionString,
    host,
    port,
    user,
    password,
    database,
    connectionTimeoutMillis: 2_000,
  });
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [id]);
  } catch {
    // A failed cancel is ignored: PostgreSQL notices that the client is gone, and then ends the statement.
  } finally {
    await other.end().catch(() => {});
  }
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `prepared_${names.size}`;
  names.set(text, name);
  return name;
}

/** Writes values as literals, `'one', 'two'`, so that partial indexes match and prepared statements stay equal. */
export function sqlLiterals(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql.lit(value)));
}
