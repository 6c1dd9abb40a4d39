import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';

const mark = '/* prepared */';

/**
 * Begins a statement that takes longer to plan than to run. Each connection plans it once, so its text must be one of
 * few, and its columns named one by one: a `*` breaks when a migration adds a column.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark);

/** By text; a name is all that the driver wants for preparing, and the query builder gives none. */
const names = new Map<string, string>();

/** Hands the query builder connections that prepare what says so. */
export function preparedPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: unknown[]) =>
        text.startsWith(mark) ? client.query({ name: nameOf(text), text, values }) : client.query(text, values);
      return {
        // Cursors are the other form of a query, and none are set up.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy),
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
