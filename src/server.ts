import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { prepareAdmin } from '#accounts/server/prepare-admin.ts';
import { createApp } from '#app.ts';
import { ConfigError, readConfig, type Config } from '#config.ts';
import { connect } from '#database/connect.ts';
import {
  DatabaseStartError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#database/embedded/embedded-postgres.ts';
import { migrate } from '#database/migrate.ts';
import { seedDemo } from '#menu/server/seed-demo.ts';
import { createLog } from '#platform/server/log.ts';
import { servePages } from '#storefront/server/pages.ts';

/** config → database → application → listen; and the same backwards to stop. */
async function start(): Promise<void> {
  const config = readConfig(process.env, process.argv.slice(2));
  const log = createLog(config, process.stdout.isTTY);
  const embedded = config.DATABASE_URL ? null : await openEmbedded(config, log);
  const database: string | pg.PoolConfig = config.DATABASE_URL ?? embedded?.connection ?? '';
  const connection = connect(database, (error) => log.error({ err: error }, 'database'));
  const undo: (() => Promise<unknown>)[] = [async () => embedded?.stop(), connection.close];
  const stop = async () => {
    for (const step of undo.toReversed()) await step().catch((error: unknown) => log.error({ err: error }, 'stopping'));
  };

  try {
    await migrate(connection.db);
    const isSeeded = config.isEmptyStart ? false : await seedDemo(connection.db);
    const signIn = await prepareAdmin(connection.db, config, isSeeded);
    const app = await createApp({ config, db: connection.db, database, log, servePages });
    undo.push(app.stop);
    await app.http.listen({ port: config.PORT, host: config.HOST ?? '0.0.0.0' });
    const address = app.http.server.address();
    const port = typeof address === 'object' && address ? address.port : config.PORT;
    const url = config.APP_URL ?? `http://localhost:${port}`;
    embedded?.announce(url);
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

async function openEmbedded(config: Config, log: ReturnType<typeof createLog>): Promise<EmbeddedPostgres> {
  await mkdir(config.dataDir, { recursive: true });
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}

await start().catch((error: unknown) => {
  const isPlain = error instanceof ConfigError || error instanceof DatabaseStartError || isPortTaken(error);
  console.error(isPortTaken(error) ? portTaken() : isPlain ? (error as Error).message : error);
  process.exit(1);
});

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}

function portTaken(): string {
  return `The port cannot be used: another program has it, or it needs more rights. Choose another one: PORT=3001 npm start`;
}
