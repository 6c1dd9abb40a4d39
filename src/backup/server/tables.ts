import type pg from 'pg';
import { escapeIdentifier } from 'pg';

/** Tables about the backups on this machine. On another machine their rows would be wrong. */
const machineTables = ['backups', 'backup_watches'];
/** Tables that migrations fill, or that describe running processes. */
const neverCopied = ['kysely_migration', 'kysely_migration_lock', 'instances'];
export const uncopiedTables = [...neverCopied, ...machineTables];

export interface CopiedTable {
  name: string;
  columns: string[];
}

/**
 * Lists the tables to copy, with their columns except generated ones. `isSameMachine`: also lists the tables about this
 * machine's backups.
 */
export async function listTablesToCopy(client: pg.ClientBase, isSameMachine = false): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select relname::text as name, array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns
      from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> all ($1)
      order by relname collate "C"`,
    [isSameMachine ? neverCopied : uncopiedTables],
  );
  return rows;
}

export interface SequenceValue {
  name: string;
  last_value: string;
  is_called: boolean;
}

export async function readSequences(client: pg.ClientBase): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname collate "C"`,
  );
  const values: SequenceValue[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<Omit<SequenceValue, 'name'>>(
      `select last_value::text, is_called from ${escapeIdentifier(name)}`,
    );
    values.push(...found.map((value) => ({ name, ...value })));
  }
  return values;
}

export const restoredJobColumns = (
  'id name priority data state retry_limit retry_count retry_delay retry_backoff retry_delay_max expire_seconds ' +
  'deletion_seconds singleton_key singleton_on start_after created_on started_on keep_until output dead_letter policy ' +
  'heartbeat_on heartbeat_seconds blocked'
).split(' ');
/**
 * Reads the names of the queues, and the columns of the jobs' table; null: the queue was never started, so it has no
 * tables.
 */
export async function readQueues(client: pg.ClientBase): Promise<{ queues: string[]; columns: string[] } | null> {
  const { rows } = await client.query<{ columns: string[] }>(
    `select array(select attname::text from pg_attribute where attrelid = to_regclass('pgboss.job') and attnum > 0) as columns`,
  );
  // An earlier version of the queue may lack some of these columns.
  const columns = restoredJobColumns.filter((name) => rows[0]?.columns.includes(name));
  if (columns.length === 0) return null;
  const { rows: queues } = await client.query<{ name: string }>('select name from pgboss.queue order by name');
  return { queues: queues.map(({ name }) => name), columns };
}

const listed = (columns: readonly string[]) => columns.map((column) => escapeIdentifier(column)).join(', ');

export const exportTableSql = ({ name, columns }: CopiedTable) =>
  `copy ${escapeIdentifier(name)} (${listed(columns)}) to stdout`;
export const importTableSql = ({ name, columns }: CopiedTable) =>
  `copy ${escapeIdentifier(name)} (${listed(columns)}) from stdin`;
export const exportJobsSql = (columns: readonly string[]) =>
  `copy (select ${listed(columns)} from pgboss.job where state < 'completed' order by id) to stdout`;
export const importJobsSql = (columns: readonly string[]) => `copy pgboss.job (${listed(columns)}) from stdin`;

/** Settings that make COPY write the same text on every server, and read each table in its stored order. */
export const portableTextSettings = `
  set local datestyle to iso, ymd; set local intervalstyle to postgres; set local timezone to 'UTC';
  set local bytea_output to hex; set local extra_float_digits to 1; set local client_encoding to 'UTF8';
  set local synchronize_seqscans to off; set local statement_timeout to 0; set local xmlbinary to base64;
  set local idle_in_transaction_session_timeout to 0`;

/**
 * Runs `work` in a transaction in which COPY writes and reads portable text. `mode`: the transaction's mode in SQL.
 * After an error the session is closed.
 */
export async function inPortableTransaction<T>(client: pg.Client, mode: string, work: () => Promise<T>): Promise<T> {
  await client.query(`begin transaction ${mode}`);
  try {
    await client.query(portableTextSettings);
    const done = await work();
    await client.query('commit');
    return done;
  } catch (error) {
    // After an interrupted COPY a rollback would never return. The end of the session also rolls back.
    await client.end().catch(() => undefined);
    throw error;
  }
}
