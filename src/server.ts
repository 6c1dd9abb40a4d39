import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import type pg from 'pg';
import { isSetupNeeded } from '#accounts/server/setup.ts';
import { prepareAdmin } from '#accounts/server/prepare-admin.ts';
import { createApp } from '#app.ts';
import { readConfig, type Config } from '#config.ts';
import { ConfigError } from '#platform/config-error.ts';
import { connect } from '#database/connect.ts';
import { DatabaseAway } from '#platform/server/database-away.ts';
import {
  DatabaseStartError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#database/embedded/embedded-postgres.ts';
import { migrate } from '#database/migrate.ts';
import { refuseUnknownStore, withStoreId } from '#store/server/named-store.ts';
import { demoShop } from '#demo/demo-shop.ts';
import { seedDemo } from '#demo/server/seed-demo.ts';
import { createLog } from '#platform/server/log.ts';
import { servePages } from '#storefront/server/pages.ts';

/** config → database → application → listen; and the same backwards to stop. */
async function start(): Promise<void> {
  const config = readConfig(process.env, process.argv.slice(2));
  const log = createLog(config, process.stdout.isTTY);
  // Before anything is made: a start that cannot listen leaves nothing behind.
  await tryPort(config);
  const embedded = config.DATABASE_URL ? null : await openEmbedded(config, log);
  const database: string | pg.PoolConfig = config.DATABASE_URL ?? embedded?.connection ?? '';
  const connection = connect(database, (error) => log.error({ err: error }, 'database'));
  const undo: (() => Promise<unknown>)[] = [async () => embedded?.stop(), connection.close];
  const stop = async () => {
    for (const step of undo.toReversed()) await step().catch((error: unknown) => log.error({ err: error }, 'stopping'));
  };

  try {
    await migrate(connection.db);
    await refuseUnknownStore(connection.db, config.STORE_NAME, config.isEmptyStart ? null : demoShop.store);
    const isSeeded = config.isEmptyStart ? false : await seedDemo(connection.db);
    const hasShop = !(await isSetupNeeded(connection.db));
    const signIn = await prepareAdmin(connection.db, config, isSeeded);
    const app = await createApp({
      config: await withStoreId(connection.db, config),
      db: connection.db,
      database,
      log,
      servePages,
    });
    undo.push(app.stop);
    // The last words of the start are for people; the framework's own line about its addresses would follow them.
    log.level = 'warn';
    await app.http.listen({ port: config.PORT, host: hostOf(config) });
    log.level = config.LOG_LEVEL;
    const address = app.http.server.address();
    const port = typeof address === 'object' && address ? address.port : config.PORT;
    const url = config.APP_URL ?? `http://localhost:${port}`;
    embedded?.announce(url);
    if (config.isEmptyStart && hasShop) console.log('\n  There is a shop here already, so --empty changes nothing.');
    console.log(`\n  The shop is open at ${url}\n  ${signIn(url)}\n`);
  } catch (error) {
    await stop();
    throw error;
  }

  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop().then(() => process.exit(0));
    });
  }
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

await start().catch((error: unknown) => {
  const refusal = portRefusal(error);
  const isPlain = [ConfigError, DatabaseStartError, DatabaseAway].some((kind) => error instanceof kind);
  console.error(refusal ?? (isPlain ? (error as Error).message : error));
  process.exit(1);
});

/** In words, when the port is why it cannot start; null for every other error. */
function portRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return null;
  const other = 'Choose another one: PORT=3001 npm start';
  if (error.code === 'EADDRINUSE') return `Another program uses port ${String(error.port)} already. ${other}`;
  if (error.code === 'EACCES') return `Port ${String(error.port)} may not be used without more rights. ${other}`;
  return null;
}
