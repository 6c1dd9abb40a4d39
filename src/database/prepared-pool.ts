import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { DatabaseAway, isAway } from '#platform/server/database-away.ts';
import { statementLimit } from '#database/statement-limit.ts';

const mark = '/* prepared */';

/**
 * Begins a statement that takes longer to plan than to run. Each connection plans it once, so it must be one of
 * few texts, and must name its columns: a `*` breaks when a migration adds a column.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark);

/** The driver supports a time limit for one statement, which its types lack. */
type TimedQuery = pg.QueryConfig<unknown[]> & { query_timeout: number };

/** By text. The driver needs only a name to prepare a statement, and the query builder gives none. */
const names = new Map<string, string>();

/**
 * Gives the query builder connections that prepare the statements that ask for it. None waits longer than its caller.
 * A connection that timed out is not used again: its statement may still run. Throws `DatabaseAway`.
 */
export function preparedPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseAway(error);
      });
      let lost: unknown;
      const query = async (text: string, values: unknown[]) => {
        if (lost) throw new DatabaseAway(lost);
        const statement: TimedQuery = { text, values, query_timeout: statementLimit() };
        if (text.startsWith(mark)) statement.name = nameOf(text);
        try {
          return await client.query(statement);
        } catch (error) {
          if (!isAway(error)) throw error;
          lost = error;
          throw new DatabaseAway(error);
        }
      };
      return {
        // Cursors are the other form of a query; none are used.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy || lost !== undefined),
      };
    },
  };
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `prepared_${names.size}`;
  names.set(text, name);
  return name;
}
