import pg from 'pg';
import { listTablesToCopy, exportTableSql } from '#backup/server/tables.ts';

type Connection = string | pg.PoolConfig;

async function ask<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Reads every row of every table as text. */
export function rowsOf(connection: Connection): Promise<Record<string, string[]>> {
  return ask(connection, async (client) => {
    const found: Record<string, string[]> = {};
    for (const table of await listTablesToCopy(client)) {
      const { rows } = await client.query({
        text: exportTableSql(table).replace(/^copy (\S+) \((.*)\) to stdout$/, 'select row($2)::text from $1'),
        rowMode: 'array',
      });
      found[table.name] = rows.map(([row]: unknown[]) => String(row)).toSorted();
    }
    return found;
  });
}

/** Reads the constraints, triggers and sequences of all tables. */
export function rulesOf(connection: Connection): Promise<object[]> {
  return ask(connection, async (client) => {
    const { rows } = await client.query<object>(
      `select conrelid::regclass::text as place, conname::text as name, pg_get_constraintdef(oid) as text, convalidated::text as state
        from pg_constraint where connamespace = 'public'::regnamespace
        union all select tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), tgenabled::text
        from pg_trigger where not tgisinternal
        union all select 'sequence', sequencename::text, coalesce(last_value, 0)::text, ''
        from pg_sequences where schemaname = 'public' order by 1, 2, 3`,
    );
    return rows;
  });
}
