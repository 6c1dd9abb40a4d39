import type pg from 'pg';
import { withTransactionRetries } from '#database/transaction.ts';
import { shopChangedChannel } from '#store/server/change-store.ts';

interface Table {
  name: string;
  /** The columns that can be written: all but generated ones. */
  columns: string;
}

/** Copies every row into a schema beside the tables, for `putBack`. */
export async function keepData(client: pg.Client): Promise<void> {
  await client.query('create schema kept');
  for (const { name, columns } of await readTables(client)) {
    await client.query(`create table kept.${name} as select ${columns} from public.${name}`);
  }
  await client.query(
    `create table kept.sequences as select sequencename as name, last_value from pg_sequences where schemaname = 'public'`,
  );
}

/**
 * Resets a database to the data that was kept, except for what `also` writes in the same transaction. Jobs that the
 * server has queued since then are removed.
 */
export async function putBack(client: pg.Client, also: () => Promise<void> = async () => {}): Promise<void> {
  const tables = await readTables(client);
  const { rows: changed } = await client.query<{ id: string }>(
    'select id from stores union select id from kept.stores',
  );
  const replaceAll = async () => {
    await client.query('begin');
    // What triggers made of the rows is kept with them.
    for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
    await client.query('delete from pgboss.job');
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`);
    for (const { name, columns } of tables) {
      await client.query(
        `insert into ${name} (${columns}) overriding system value select ${columns} from kept.${name}`,
      );
    }
    await client.query(
      `select setval(quote_ident(name)::regclass, last_value) from kept.sequences where last_value is not null`,
    );
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
    await also();
    // The server drops these stores from its cache.
    for (const { id } of changed) await client.query('select pg_notify($1, $2)', [shopChangedChannel, id]);
    await client.query('commit');
  };
  // The server continues meanwhile: its sweeps may hold rows of one table and wait for rows of another.
  await withTransactionRetries(() =>
    replaceAll().catch(async (error: unknown) => {
      await client.query('rollback');
      throw error;
    }),
  );
}

/** Every table of the shop, each after the tables that it refers to. Migrations are left out. */
async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER' and table_name not like 'kysely%'
    group by table_name order by table_name`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select distinct conrelid::regclass::text as from, confrelid::regclass::text as to
    from pg_constraint where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace`);
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const isReady = ({ name }: Table) =>
      references.every(({ from, to }) => from !== name || ordered.some((done) => done.name === to));
    const next = tables.filter((table) => !ordered.includes(table) && isReady(table));
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    ordered.push(...next);
  }
  return ordered;
}
