import { pipeline } from 'node:stream/promises';
import { type Readable, type Transform, Writable } from 'node:stream';
import { Migrator } from 'kysely/migration';
import pg, { escapeIdentifier, escapeLiteral } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Manifest, StoredFile, StoredRowsManifest, StoredTable } from '#backup/manifest.ts';
import { createByteMeter } from '#backup/server/copy-layout.ts';
import {
  inPortableTransaction,
  importJobsSql,
  exportJobsSql,
  listTablesToCopy,
  importTableSql,
  exportTableSql,
} from '#backup/server/tables.ts';
import { connect } from '#database/connect.ts';
import { type Erasure, scheduleErasures } from '#database/erasures.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import { loadMigrations, migrate } from '#database/migrate.ts';
import { unfinishedMoveIdSql, readDatabaseVersions } from '#database/data-version.ts';
import { recordRestore } from '#database/restores.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { skipOrderNumbers } from '#ordering/server/restored-orders.ts';
import { scheduleProviderReads } from '#payment/server/since-copy/provider-reads.ts';
import { pauseRestoredStores } from '#store/server/change-store.ts';
import { ConfigError } from '#platform/errors.ts';

/** Thrown if a backup is damaged, or if its trial restore differs from the shop. */
export class DamagedCopyError extends ConfigError {}

/**
 * Opens a table's stored rows as text. `found`: the number of lines and the hash of the text, complete after the
 * stream's end.
 */
export type OpenStoredRows = (file: StoredFile) => {
  parts: readonly [Readable, Transform, Transform];
  found: { lines: number; sha256: string };
};

/**
 * Runs the backup's migrations in an empty database, and loads and checks every row. Then runs the later migrations and
 * `finish`. Needs only the rights of the database's owner. `marker`: a hash of the rows, which marks the database while
 * a move is unfinished. Returns the name of the last migration.
 */
export async function loadCopyRows(
  connection: string | pg.PoolConfig,
  manifest: StoredRowsManifest,
  open: OpenStoredRows,
  finish: (db: Db) => Promise<void> = async () => undefined,
  marker: string | null = null,
): Promise<string | null> {
  const { db, close } = connect(connection, () => undefined, { max: 4 });
  try {
    const all = await loadMigrations();
    const ran = Object.fromEntries(Object.entries(all).filter(([name]) => manifest.migrations.includes(name)));
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => ran } }).migrateToLatest();
    if (error) throw error;
    await makeQueues(connection, manifest);
    await withDatabaseClient(connection, (client) => fillTables(client, manifest, open, marker));
    await migrate(db);
    await finish(db);
    return (await readDatabaseVersions(db)).data;
  } finally {
    await close();
  }
}

/** Lets the job library create its tables and the backup's queues. Does nothing if the backup has no jobs. */
async function makeQueues(connection: string | pg.PoolConfig, { jobs: waiting }: StoredRowsManifest): Promise<void> {
  if (waiting === null) return;
  const jobs = await startJobs(connection, () => undefined);
  try {
    for (const queue of waiting.queues) await jobs.ready(queue);
  } finally {
    await jobs.stop();
  }
}

export async function withDatabaseClient<T>(
  connection: string | pg.PoolConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  return work(client).finally(() => client.end());
}

async function fillTables(
  client: pg.Client,
  manifest: StoredRowsManifest,
  open: OpenStoredRows,
  marker: string | null,
): Promise<void> {
  await inPortableTransaction(client, '', async () => {
    const tables = await matchingTables(client, manifest);
    const names = tables.map(({ name }) => escapeIdentifier(name));
    const keys = await dropForeignKeys(client);
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    await refuseOpenedShop(client);
    // Migrations have inserted rows that the backup also contains, so the tables are emptied.
    await client.query(`truncate ${names.join(', ')}`);
    for (const table of tables)
      await loadTable(client, table, { into: importTableSql(table), out: exportTableSql(table) }, open);
    if (manifest.jobs) {
      const { table } = manifest.jobs;
      // Starting the queue, or an interrupted load, may have left jobs.
      await client.query('delete from pgboss.job');
      await loadTable(client, table, { into: importJobsSql(table.columns), out: exportJobsSql(table.columns) }, open);
    }
    for (const { name, last_value, is_called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [escapeIdentifier(name), last_value, is_called]);
    for (const statement of keys) await client.query(statement);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    if (marker !== null) await setMoveMarker(client, marker);
  });
}

async function matchingTables(client: pg.Client, { tables }: StoredRowsManifest): Promise<StoredTable[]> {
  const shapeOf = ({ name, columns }: { name: string; columns: string[] }) => `${name}: ${columns.join(', ')}`;
  const isSameMachine = tables.some(({ name }) => name === 'backups');
  const made = (await listTablesToCopy(client, isSameMachine)).map(shapeOf).join('\n');
  if (made !== tables.map(shapeOf).join('\n'))
    throw new DamagedCopyError('The tables of this copy are not those of its version: it was not made by Hatch alone.');
  return tables;
}

/**
 * Throws if a shop was opened in this database after the first check. None can be opened later, because dropping the
 * foreign keys has locked the tables.
 */
async function refuseOpenedShop(client: pg.Client): Promise<void> {
  if ((await hasShopData(client)) && (await readMoveMarker(client)) === null)
    throw new ConfigError('A shop was opened in this database meanwhile. It was left as it is.');
}

/** Reads the marker of an unfinished move, which is stored as the comment of a table; null: there is none. */
export async function readMoveMarker(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(`select ${unfinishedMoveIdSql} as mark`);
  return rows[0]?.mark ?? null;
}

/** Sets the marker of an unfinished move. `marker`: 64 hexadecimal digits; null: the move has ended. */
export async function setMoveMarker(client: pg.ClientBase, marker: string | null): Promise<void> {
  const comment = marker === null ? 'null' : escapeLiteral(`hatch move ${marker}`);
  await client.query(`comment on table kysely_migration is ${comment}`);
}

const tablesOfAnyShop = ['stores', 'users', 'orders'];

export async function hasShopData(client: pg.Client): Promise<boolean> {
  const some = tablesOfAnyShop.map((table) => `exists (select from ${escapeIdentifier(table)})`);
  const { rows } = await client.query<{ has: boolean }>(`select ${some.join(' or ')} as has`);
  return rows[0]?.has ?? false;
}

/** Drops the foreign keys, so that tables load in any order. Returns the statements that recreate them. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; on_table: string; text: string }>(
    `select conname::text as name, relname::text as on_table, pg_get_constraintdef(pg_constraint.oid) as text
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0 order by 2, 1`,
  );
  for (const { name, on_table } of rows)
    await client.query(`alter table ${escapeIdentifier(on_table)} drop constraint ${escapeIdentifier(name)}`);
  return rows.map(
    ({ name, on_table, text }) =>
      `alter table ${escapeIdentifier(on_table)} add constraint ${escapeIdentifier(name)} ${text}`,
  );
}

/**
 * Loads a table's rows, and reads them back from the table. Throws if the hash of the loaded text or of the read text
 * differs from the hash in the manifest.
 */
async function loadTable(
  client: pg.Client,
  table: StoredTable,
  { into, out }: { into: string; out: string },
  open: OpenStoredRows,
): Promise<void> {
  const { parts, found } = open(table.file);
  const target: Writable = client.query(copyFrom(into));
  await pipeline([...parts, target]);
  const { stream, found: loaded } = createByteMeter();
  await pipeline(client.query(copyTo(out)), stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
  for (const text of [found, loaded]) {
    if (text.sha256 !== table.text_sha256 || text.lines !== table.rows)
      throw new DamagedCopyError(`The rows of ${table.name} are not those that were copied. Nothing was restored.`);
  }
}

/** Holds a restored shop until its owner continues it, because the shop lacks all orders since the backup. */
export function holdRestoredShop(
  db: Db,
  { number, made_at }: Manifest,
  now: Date,
  erasures: readonly Erasure[] = [],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await recordRestore(tx, { number, made_at }, now);
    await skipOrderNumbers(tx, await pauseRestoredStores(tx), now);
    await scheduleProviderReads(tx, new Date(made_at), now);
    await scheduleErasures(tx, erasures, now);
  });
}
