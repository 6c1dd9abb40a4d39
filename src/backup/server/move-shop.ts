import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import {
  countStoredRows,
  hashStoredRows,
  asDiskFullError,
  loadStoredRows,
  exportShopRows,
} from '#backup/server/stored-rows.ts';
import { hasShopData, readMoveMarker, setMoveMarker, withDatabaseClient } from '#backup/server/load-rows.ts';
import { uncopiedTables } from '#backup/server/tables.ts';
import type { StoredRowsManifest } from '#backup/manifest.ts';
import { checkDatabase, isTestedPostgresVersion, oldestTestedPostgres } from '#database/check-database.ts';
import { connect } from '#database/connect.ts';
import { DatabaseAddress } from '#database/database-address.ts';
import { clusterFolders, syncFolder } from '#database/embedded/cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { lockFolder } from '#database/embedded/lock.ts';
import { movedDatabaseFolder, unusedNameBeside } from '#database/embedded/older-cluster.ts';
import { DatabaseStartError } from '#database/embedded/process.ts';
import { migrate } from '#database/migrate.ts';
import { ConfigError } from '#platform/errors.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';

export interface MoveShopOptions {
  dataDir: string;
  /** The URL of an empty database on a server. */
  to: string;
  takesCopy: boolean;
  hatch: string;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

export interface MovedShop {
  host: string;
  database: string;
  tables: number;
  rows: number;
  /** The DATABASE_URL setting without its password. */
  setting: string;
  data_dir: string;
  /** The folder to which the old database was renamed; its content is unchanged. */
  old_database: string;
}

export class ShopRunningError extends ConfigError {}

/**
 * Moves a stopped shop from the database in its data folder into an empty database on a server, completely or not at
 * all. Every loaded row is checked. Throws ShopRunningError or ConfigError.
 */
export async function moveShop(order: MoveShopOptions): Promise<MovedShop> {
  const { dataDir, to } = order;
  if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to) || !DatabaseAddress.safeParse(to).success)
    throw new ConfigError('--to must look like postgres://user:password@host:5432/database, with one host.');
  if (!existsSync(clusterFolders(dataDir).root) && existsSync(movedDatabaseFolder(dataDir)))
    throw new ConfigError(
      `The shop of ${dataDir} was moved already: its old database is in ${movedDatabaseFolder(dataDir)}. Start it with the setting DATABASE_URL.`,
    );
  if (!existsSync(join(clusterFolders(dataDir).cluster, 'PG_VERSION')))
    throw new ConfigError(`There is no database of a shop in ${dataDir}. Set DATA_DIR to the folder of the shop.`);
  const source = await startSource(order);
  const draft = join(dataDir, '.moving');
  try {
    return await withTarget(to, async (target) => {
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft, { mode: 0o700 });
      const where = `The data in ${dataDir}`;
      const rows = await exportShopRows({ connection: source.connection, where }, draft, order.hatch);
      await fillTarget(target, order, rows, draft);
      await source.stop();
      const { host, database = '' } = target;
      const counts = { tables: rows.tables.length, rows: countStoredRows(rows) };
      const old_database = await renameOldDatabase(dataDir);
      await setMoveMarker(target, null);
      return { host, database, ...counts, setting: databaseSetting(to), data_dir: dataDir, old_database };
    });
  } catch (error) {
    throw asDiskFullError(error, dataDir);
  } finally {
    await source.stop();
    await rm(draft, { recursive: true, force: true });
  }
}

/** Loads the rows, unless an earlier move loaded the same rows before it was killed. */
async function fillTarget(
  target: pg.Client,
  { to }: MoveShopOptions,
  rows: StoredRowsManifest,
  draft: string,
): Promise<void> {
  const digest = hashStoredRows(rows);
  if ((await readMoveMarker(target)) !== digest) {
    await refuseUsedDatabase(target, rows);
    await loadStoredRows(to, rows, draft, digest);
    return;
  }
  const { db, close } = connect(to, () => undefined, { max: 2 });
  await migrate(db).finally(close);
}

async function startSource({ dataDir, takesCopy, log }: MoveShopOptions): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, takesCopy, log, lockTimeout: 0 }).catch((error: unknown) => {
    if (!(error instanceof DatabaseStartError) || error.code !== 'folder_in_use') throw error;
    const [running = ''] = error.message.split('\n');
    throw new ShopRunningError(`${running} Stop it first: orders that came meanwhile would not be moved.`);
  });
}

/** Runs `work` in a session with a lock, so that two moves into the same database cannot run in parallel. */
async function withTarget<T>(to: string, work: (target: pg.Client) => Promise<T>): Promise<T> {
  const { host } = new pg.Client({ connectionString: to });
  try {
    await checkDatabase({ DATABASE_URL: to }, { warn: () => undefined });
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    const { cause } = error;
    throw new ConfigError(`The database at ${host} does not answer: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
  return withDatabaseClient({ connectionString: to, application_name: 'hatch-move' }, async (target) => {
    const { rows } = await target.query<{ is_mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('hatch move', 0)) as is_mine`,
    );
    if (!rows[0]?.is_mine) throw new ConfigError(`A shop is being moved to the database at ${host} already.`);
    await refuseUnfit(target);
    return work(target);
  });
}

async function refuseUnfit(target: pg.Client): Promise<void> {
  const { rows } = await target.query<{ version: string; may_create: boolean }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
      current_schema() is not null and has_schema_privilege(current_schema(), 'create')
        and has_database_privilege(current_database(), 'create') as may_create`,
  );
  const { version = '', may_create } = rows[0] ?? {};
  const where = `The database at ${target.host}`;
  if (!isTestedPostgresVersion(version))
    throw new ConfigError(
      `${where} is PostgreSQL ${version}, which is too old: it must be ${oldestTestedPostgres} or newer.`,
    );
  if (!may_create)
    throw new ConfigError(
      `${where} does not let ${target.user} make tables and a schema: make it the database's owner.`,
    );
}

/**
 * Throws if the database has a shop, or objects that are not Hatch's. Tables and rows that a killed move left are
 * allowed.
 */
async function refuseUsedDatabase(target: pg.Client, { migrations, tables }: StoredRowsManifest): Promise<void> {
  const where = `The database "${target.database}" at ${target.host}`;
  const found = await databaseObjectsIn(target);
  if (found.length === 0) return;
  const own = new Set([...tables.map(({ name }) => name), ...uncopiedTables, queueSchema]);
  const ran = found.includes('kysely_migration')
    ? (await target.query<{ name: string }>('select name from kysely_migration order by name')).rows
    : [];
  const isLeft = (await readMoveMarker(target)) !== null;
  if (!isLeft && ran.length > 0 && found.includes('stores') && (await hasShopData(target)))
    throw new ConfigError(`${where} has a shop already. Nothing was changed: name an empty database.`);
  const isOurs = found.includes('kysely_migration') && ran.every(({ name }, at) => name === migrations[at]);
  const [first, ...more] = isOurs ? found.filter((name) => !own.has(name)) : found;
  if (first === undefined) return;
  throw new ConfigError(
    `${where} is not empty: it has ${[first, ...more].slice(0, 3).join(', ')}${more.length > 2 ? ' and more' : ''}. Nothing was changed: name an empty database.`,
  );
}

const queueSchema = 'pgboss';

/** Lists the tables that belong to no extension, and the schema of the job queue. */
async function databaseObjectsIn(target: pg.Client): Promise<string[]> {
  const { rows } = await target.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'm', 'f') and not relispartition
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
      union all select nspname::text from pg_namespace where nspname = $1 order by name`,
    [queueSchema],
  );
  return rows.map(({ name }) => name);
}

/** Renames the old database, because a start without DATABASE_URL would open it. Returns its new folder. */
async function renameOldDatabase(dataDir: string): Promise<string> {
  const lock = await lockFolder(dataDir, 0);
  try {
    const aside = unusedNameBeside(movedDatabaseFolder(dataDir));
    await rename(clusterFolders(dataDir).root, aside);
    await syncFolder(dataDir);
    return aside;
  } finally {
    lock.release();
  }
}

/** Returns the setting without the password, which would stay visible on the terminal. */
function databaseSetting(to: string): string {
  const url = new URL(to);
  url.password = '';
  url.searchParams.delete('password');
  return `DATABASE_URL=${url.href}`;
}
