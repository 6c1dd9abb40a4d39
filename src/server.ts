import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import type pg from 'pg';
import { isSetupNeeded } from '#accounts/server/set-up-shop.ts';
import { prepareAdmin } from '#accounts/server/first-admin.ts';
import { createApp, type App } from '#app.ts';
import { readConfig, type Config } from '#config.ts';
import { ConfigError } from '#platform/config-error.ts';
import { connect } from '#database/connect.ts';
import { DatabaseAway } from '#platform/server/database-away.ts';
import {
  DatabaseStartError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#database/embedded/embedded-postgres.ts';
import { startLargeIndexes } from '#database/indexes.ts';
import { migrate } from '#database/migrate.ts';
import type { Db } from '#database/schema.ts';
import { refuseUnknownStore, withStoreId } from '#store/server/named-store.ts';
import { demoShop } from '#demo/demo-shop.ts';
import { seedDemo } from '#demo/server/seed-demo.ts';
import { crashWords, createLog } from '#platform/server/log.ts';
import { startParts } from '#platform/server/parts.ts';
import { servePages } from '#storefront/server/pages.ts';

/** Milliseconds that the database has to write its memory to disk when it stops. */
const databaseTimeout = 60_000;

/** config → database → application → listen. Stopping, or a failure of one of them, goes backwards. */
async function start(): Promise<void> {
  const config = readConfig(process.env, process.argv.slice(2));
  const log = createLog(config, process.stdout.isTTY);
  for (const warning of config.warnings) log.warn(warning);
  // Checked before anything is created, so that a server that cannot listen leaves nothing behind.
  await tryPort(config);
  const running = await startParts(log, async (parts) => {
    const embedded = config.DATABASE_URL
      ? null
      : parts.add('embedded database', await openEmbedded(config, log), databaseTimeout);
    const database: string | pg.PoolConfig = config.DATABASE_URL ?? embedded?.connection ?? '';
    const { db, close } = connect(database, (error) => log.error({ err: error }, 'database'));
    parts.add('database', { stop: close });
    const prepared = await prepareShop(db, config);
    const app = await createApp({ config: await withStoreId(db, config), db, database, log, servePages }, parts);
    const signIn = await prepareAdmin(app.services, prepared.isSeeded);
    // The last lines of the start are for people; at this level the framework does not log its addresses after them.
    log.level = 'warn';
    await app.http.listen({ port: config.PORT, host: hostOf(config) });
    log.level = config.LOG_LEVEL;
    const url = config.APP_URL ?? `http://localhost:${portOf(app, config)}`;
    parts.add('large indexes', startLargeIndexes(database, log));
    embedded?.announce(url);
    if (config.isEmptyStart && prepared.hasShop) {
      console.log('\n  There is a shop here already, so --empty changes nothing.');
    }
    console.log(`\n  The shop is open at ${url}\n  ${signIn(url)}\n`);
    return {};
  });

  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void running.stop().then(() => process.exit(0));
    });
  }
}

/** Migrates the tables, and creates the demo shop unless an empty one is wanted. */
async function prepareShop(db: Db, config: Config) {
  await migrate(db);
  await refuseUnknownStore(db, config.STORE_NAME, config.isEmptyStart ? null : demoShop.store);
  const isSeeded = config.isEmptyStart ? false : await seedDemo(db, new Date());
  return { isSeeded, hasShop: !(await isSetupNeeded(db)) };
}

function portOf({ http }: App, config: Config): number {
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : config.PORT;
}

function hostOf(config: Config): string {
  return config.HOST ?? '0.0.0.0';
}

async function tryPort(config: Config): Promise<void> {
  if (config.PORT === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(config.PORT, hostOf(config), () => probe.close(() => resolve()));
  });
}

async function openEmbedded(config: Config, log: ReturnType<typeof createLog>): Promise<EmbeddedPostgres> {
  await mkdir(config.dataDir, { recursive: true });
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}

// Node would write everything that an error has, and the database's quote whole rows.
process.on('uncaughtException', end);
await start().catch(end);

function end(error: unknown): void {
  const refusal = portRefusal(error);
  const isPlain = [ConfigError, DatabaseStartError, DatabaseAway].some((kind) => error instanceof kind);
  console.error(refusal ?? (isPlain ? (error as Error).message : crashWords(error)));
  process.exit(1);
}

/** The message if the port is the reason why the server cannot start; null for every other error. */
function portRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return null;
  const other = 'Choose another one: PORT=3001 npm start';
  if (error.code === 'EADDRINUSE') return `Another program uses port ${String(error.port)} already. ${other}`;
  if (error.code === 'EACCES') return `Port ${String(error.port)} may not be used without more rights. ${other}`;
  return null;
}
