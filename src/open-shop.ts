import pg from 'pg';
import { isSetupNeeded, ensureAdminAtStart } from '#accounts/server/set-up-shop.ts';
import { createApp, type App } from '#app.ts';
import type { Config } from '#config.ts';
import { checkDatabase } from '#database/check-database.ts';
import { rebuildIndexesOfChangedCollations } from '#database/collations.ts';
import { connect } from '#database/connect.ts';
import {
  refuseUnfinishedMove,
  hasHadShop,
  recordHasHadShop,
  readDatabaseVersions,
  readDatabaseFacts,
  readDataVersionFile,
  refuseNewerData,
  type DataVersion,
} from '#database/data-version.ts';
import type { EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { startBuildingLargeIndexes } from '#database/indexes.ts';
import { singleInstance, joinInstances } from '#database/instances.ts';
import { migrate } from '#database/migrate.ts';
import type { Db } from '#database/schema.ts';
import { demoStore } from '#demo/store.ts';
import { seedDemo } from '#demo/server/seed-demo.ts';
import { refuseUnintendedShop } from '#first-shop.ts';
import type { createLog } from '#platform/server/log.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import {
  findStoreId,
  firstStoreLookupName,
  refuseUnknownStore,
  resolveStoreNameToId,
} from '#store/server/find-store.ts';
import { hasEverHadStore } from '#store/server/store-views.ts';
import { servePages } from '#storefront/server/pages.ts';
import { writeFirstLogLines, hatchVersion } from '#versions.ts';

interface Start {
  config: Config;
  host: string;
  log: ReturnType<typeof createLog>;
  /** The embedded database; null: DATABASE_URL names another database. */
  embedded: EmbeddedPostgres | null;
}

/**
 * Opens the shop on a running database: migrates the tables, and serves the application and its pages. Returns the
 * lines to print for the person at the terminal. Throws ConfigError if this database must not be used, or if no shop
 * may be created in it.
 */
export async function openShop(start: Start, parts: ServerParts): Promise<string[]> {
  const { config, embedded, log } = start;
  const { isPooled } = await checkDatabase(config, log);
  const through: string | pg.PoolConfig = config.DATABASE_URL ?? embedded?.connection ?? '';
  // Listeners, jobs and migrations need their own database sessions, which a pooler would share.
  const database = config.DATABASE_DIRECT_URL ?? through;
  const { db, close } = connect(through, (error) => log.error({ err: error }, 'database'), { isPooled });
  parts.add('database', { stop: close });
  const prepared = await prepareShop(db, start, database);
  const instances = parts.add('instances', await joinOthers(db, config, log));
  const own = await resolveStoreNameToId(db, config);
  const app = await createApp({ config: own, db, database, instances, log, servePages }, parts);
  const signIn = await ensureAdminAtStart(app.services, prepared.isSeeded);
  // The level `warn` hides the framework's log lines about its addresses, because the lines for the person at the
  // terminal name the address.
  log.level = 'warn';
  await app.http.listen({ port: config.PORT, host: start.host });
  log.level = config.LOG_LEVEL;
  const url = config.APP_URL ?? `http://localhost:${portOf(app, config)}`;
  parts.add('large indexes', startBuildingLargeIndexes(database, log));
  embedded?.announce(url, portOf(app, config));
  // PostgreSQL's programs are copied into the data folder later, because the copy would slow down the first customers'
  // calls.
  if (embedded) setTimeout(() => void keepBinaries(embedded, log), keepAfterMs).unref();
  const inVain = ['', '  There is a shop here already, so --empty changes nothing.'];
  const signInLines = signIn(url).split('\n');
  const lines = ['', `  The shop is open at ${url}`, ...signInLines.map((line) => `  ${line.trim()}`), ''];
  return config.isEmptyStart && prepared.hasShop ? [...inVain, ...lines] : lines;
}

/** The delay between the start and the copy of PostgreSQL's programs (ms). */
const keepAfterMs = 60_000;

async function keepBinaries(embedded: EmbeddedPostgres, log: Start['log']): Promise<void> {
  await embedded.keepBinaries().catch((error: unknown) => log.warn({ err: error }, 'PostgreSQL could not be kept'));
}

/** Migrates the tables. Creates the demo shop in an empty database, unless an empty shop was requested. */
async function prepareShop(db: Db, start: Start, database: string | pg.PoolConfig) {
  const { config, embedded, log } = start;
  const host = config.DATABASE_URL === undefined ? null : new pg.Client(config.DATABASE_URL).host;
  const { migrations, hasStores, postgres } = await readDatabaseFacts(db);
  // With the embedded database, the versions were logged before PostgreSQL started.
  if (!embedded) writeFirstLogLines(log, { data: migrations.at(-1) ?? null, postgres }, config.warnings);
  const writer =
    host === null
      ? { where: `The data in ${config.dataDir}`, hatch: (await readDataVersionFile(config.dataDir)).hatch }
      : { where: `The database at ${host}` };
  refuseNewerData(hatchVersion, { ...writer, migrations });
  if (!hasStores || !(await hasEverHadStore(db))) refuseUnintendedShop(config, await hasHadShop(config.dataDir), host);
  if (!embedded) await refuseUnfinishedMove(db, config.dataDir);
  await migrateOn(db, start, database);
  await refuseUnknownStore(db, config.STORE_NAME, config.isEmptyStart ? null : demoStore);
  const isSeeded = config.isEmptyStart ? false : await seedDemo(db, new Date());
  const hasShop = !(await isSetupNeeded(db));
  const notes = [
    hasShop && recordHasHadShop(config.dataDir),
    embedded?.noteVersion(
      `${JSON.stringify({ hatch: hatchVersion, migration: (await readDatabaseVersions(db)).data } satisfies DataVersion)}\n`,
    ),
  ];
  await Promise.all(notes).catch((error: unknown) => log.warn({ err: error }, 'the data could not be marked'));
  return { isSeeded, hasShop };
}

/** Migrates on a direct connection, because migrations hold a session-level lock, and a pooler shares sessions. */
async function migrateOn(db: Db, { config, log }: Start, database: string | pg.PoolConfig): Promise<void> {
  const prepare = async (on: Db) => {
    await migrate(on);
    await rebuildIndexesOfChangedCollations(on, log);
  };
  if (config.DATABASE_DIRECT_URL === undefined) return prepare(db);
  const direct = connect(database, () => {}, { max: 1 });
  await prepare(direct.db).finally(direct.close);
}

/** Joins the other instances on the database. A database in the data folder has one instance only. */
async function joinOthers(db: Db, config: Config, log: Start['log']) {
  if (config.DATABASE_URL === undefined) return singleInstance;
  const storeId = await findStoreId(db, config.STORE_NAME ?? firstStoreLookupName);
  return joinInstances(db, { ...config, storeId }, log);
}

function portOf({ http }: App, config: Config): number {
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : config.PORT;
}
