import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { readConfig, type Config } from '#config.ts';
import { ConfigError } from '#platform/errors.ts';
import { cleanUpRestoreFiles, hasHadShop, readDataVersionFile, refuseNewerData } from '#database/data-version.ts';
import { readBundledVersion } from '#database/embedded/binaries.ts';
import { clusterFolders } from '#database/embedded/cluster.ts';
import { finishClusterUpgrade, findOlderCluster, movedDatabaseFolder } from '#database/embedded/older-cluster.ts';
import type { EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { refuseUnintendedShop } from '#first-shop.ts';
import { crashMessage, createLog, writeStartLines } from '#platform/server/log.ts';
import { StartAbortedError, startServerParts, type ServerParts } from '#platform/server/parts.ts';
import { formatStartAdvice } from '#platform/server/start-command.ts';
import { writeFirstLogLines, hatchVersion } from '#versions.ts';

/** The timeout of the database's shutdown, in which it flushes to disk (ms). */
const databaseStopTimeout = 60_000;

/**
 * The names of errors whose message tells the person at the terminal how to solve the problem. ConfigError is such an
 * error too, but needs no entry here. Names are compared, because the start may fail before the errors' classes are
 * loaded.
 */
const inWords = new Set(['DatabaseStartError', 'DatabaseUnavailable']);

const stopping = new AbortController();
// The system sends SIGHUP when the shop's terminal closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// Node would print all properties of an uncaught error, and a database error's properties contain whole rows.
process.on('uncaughtException', end);
await start().catch(end);

/**
 * Reads the config, and starts the database, the application and HTTP. A stop signal or a failed step stops the started
 * parts in reverse order.
 */
async function start(): Promise<void> {
  const config = readConfig(process.env, process.argv.slice(2));
  const log = createLog(config, process.stdout.isTTY);
  // The ports are checked first, so that a server that cannot listen leaves nothing behind.
  await tryPorts(config);
  if (!config.DATABASE_URL) await checkFolder(config, log);
  const running = await startServerParts(
    log,
    async (parts) => {
      const embedded = config.DATABASE_URL ? null : await openEmbedded(config, log, parts);
      // This module is loaded last, because loading it takes seconds on a small machine. A failure of an earlier step
      // is then reported sooner.
      const { openShop } = await import('#open-shop.ts');
      writeStartLines(await openShop({ config, host: hostOf(config), log, embedded }, parts), process.stdout, config);
      return {};
    },
    stopping.signal,
  );
  const stop = () => void running.stop().then(() => process.exit(0));
  if (stopping.signal.aborted) stop();
  else stopping.signal.addEventListener('abort', stop);
}

/**
 * Runs before PostgreSQL starts. Throws ConfigError if a newer Hatch wrote the data folder, or if the folder's shop is
 * lost or was moved to a server.
 */
async function checkFolder(config: Config, log: ReturnType<typeof createLog>): Promise<void> {
  await finishClusterUpgrade(config.dataDir);
  const { hatch, migration } = await readDataVersionFile(config.dataDir);
  const where = `The data in ${config.dataDir}`;
  refuseNewerData(hatchVersion, { where, hatch, migrations: migration === null ? [] : [migration] });
  const { cluster, notice } = clusterFolders(config.dataDir);
  const hasDatabase = existsSync(cluster) || existsSync(notice);
  await cleanUpRestoreFiles(config.dataDir, hasDatabase);
  if (!hasDatabase && existsSync(movedDatabaseFolder(config.dataDir))) throw movedAway(config.dataDir);
  if (!hasDatabase) refuseUnintendedShop(config, await hasHadShop(config.dataDir), null);
  writeFirstLogLines(log, { data: migration, postgres: await readBundledVersion() }, config.warnings);
}

function movedAway(dataDir: string): ConfigError {
  return new ConfigError(
    `The shop of ${dataDir} was moved to a server: set DATABASE_URL to that database. Nothing was changed. To go back to the old database, without what came after the move: mv '${movedDatabaseFolder(dataDir)}' '${clusterFolders(dataDir).root}'`,
  );
}

/**
 * Starts PostgreSQL. The stop function is added to `parts` before PostgreSQL runs, so that a stop signal during the
 * start also stops PostgreSQL.
 */
async function openEmbedded(
  config: Config,
  log: ReturnType<typeof createLog>,
  parts: ServerParts,
): Promise<EmbeddedPostgres> {
  const { dataDir, takesCopy } = config;
  await mkdir(dataDir, { recursive: true });
  await carryOver(config, log);
  const { startEmbeddedPostgres } = await import('#database/embedded/embedded-postgres.ts');
  // Loads the module early. A failure is ignored here, because `start` awaits the same import and reports the failure.
  const onNew = () => void import('#open-shop.ts').catch(() => {});
  const opening = startEmbeddedPostgres({ dataDir, log, takesCopy, signal: stopping.signal, onNew });
  // If PostgreSQL's start fails, there is nothing to stop.
  const started = opening.catch(() => null);
  parts.add('embedded database', { stop: async () => (await started)?.stop() }, databaseStopTimeout);
  return opening;
}

/** If the database was made by an older major version of PostgreSQL, upgrades it, which takes a minute. */
async function carryOver(config: Config, log: ReturnType<typeof createLog>): Promise<void> {
  const { dataDir, takesCopy } = config;
  const older = await findOlderCluster(dataDir);
  if (older === null) return;
  const say = (line: string) => writeStartLines([line], process.stdout, config);
  say(`The database is carried from PostgreSQL ${older.from} over to ${older.to}. This takes a minute or more.`);
  const { upgradeCluster } = await import('#backup/server/upgrade-cluster.ts');
  const order = { dataDir, takesCopy, older, signal: stopping.signal, hatch: hatchVersion, log };
  const aside = await upgradeCluster(order);
  say(
    `It is carried over, and every row was checked. The old one is in ${aside}: remove it when the shop has run for a while.`,
  );
}

function hostOf(config: Config): string {
  return config.HOST ?? '0.0.0.0';
}

async function tryPorts(config: Config): Promise<void> {
  await tryPort(config.PORT, hostOf(config));
  await tryPort(config.METRICS_PORT ?? 0, config.metricsHost);
}

async function tryPort(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function end(error: unknown): void {
  if (error instanceof StartAbortedError) process.exit(0);
  const refusal = portRefusal(error);
  const isPlain = error instanceof Error && (error instanceof ConfigError || inWords.has(error.name));
  const words = refusal ?? (isPlain ? error.message : crashMessage(error));
  writeStartLines([words], process.stderr, { isProduction: process.env['NODE_ENV'] === 'production', level: 60 });
  process.exit(1);
}

/** The message for a port that prevents the start; null for any other error. */
function portRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return null;
  const isMetrics = String(error.port) === process.env['METRICS_PORT'];
  const other = formatStartAdvice(isMetrics ? 'METRICS_PORT=9465' : 'PORT=3001');
  if (error.code === 'EADDRINUSE') return `Another program uses port ${String(error.port)} already. ${other}`;
  if (error.code === 'EACCES') return `Port ${String(error.port)} may not be used without more rights. ${other}`;
  return null;
}
