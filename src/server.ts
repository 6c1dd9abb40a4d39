import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { readConfig, type Config } from '#config.ts';
import { ConfigError } from '#platform/errors.ts';
import { hasHadShop, readDataVersion, refuseNewerData } from '#database/data-note.ts';
import { bundledVersion } from '#database/embedded/binaries.ts';
import { clusterFolders } from '#database/embedded/cluster.ts';
import type { EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { refuseFirstShop } from '#first-shop.ts';
import { crashWords, createLog, sayAtStart } from '#platform/server/log.ts';
import { StartEnded, startParts, type Parts } from '#platform/server/parts.ts';
import { startWords } from '#platform/server/start-words.ts';
import { beginLog, hatchVersion } from '#versions.ts';

/** Milliseconds that the database has to write its memory to disk when it stops. */
const databaseTimeout = 60_000;

/**
 * Errors that tell the person who starts the shop how to mend it, by name: startup may end before their classes are
 * loaded.
 */
const inWords = new Set(['DatabaseStartError', 'DatabaseUnavailable']);

const stopping = new AbortController();
// SIGHUP: the terminal in which it was started was closed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// Node would write everything that an error has, and the database's quote whole rows.
process.on('uncaughtException', end);
await start().catch(end);

/** config → database → application → listen. Stopping, or a failure of one of them, goes backwards. */
async function start(): Promise<void> {
  const config = readConfig(process.env, process.argv.slice(2));
  const log = createLog(config, process.stdout.isTTY);
  // Checked before anything is created, so that a server that cannot listen leaves nothing behind.
  await tryPorts(config);
  if (!config.DATABASE_URL) await checkFolder(config, log);
  const running = await startParts(
    log,
    async (parts) => {
      const embedded = config.DATABASE_URL ? null : await openEmbedded(config, log, parts);
      // Loading it takes seconds on a small machine: errors that end startup come before.
      const { openShop } = await import('#open-shop.ts');
      sayAtStart(await openShop({ config, host: hostOf(config), log, embedded }, parts), process.stdout, config);
      return {};
    },
    stopping.signal,
  );
  const stop = () => void running.stop().then(() => process.exit(0));
  if (stopping.signal.aborted) stop();
  else stopping.signal.addEventListener('abort', stop);
}

/** Ends startup before PostgreSQL runs, and before anything is made, if the folder says that it may not. */
async function checkFolder(config: Config, log: ReturnType<typeof createLog>): Promise<void> {
  const { hatch, migration } = await readDataVersion(config.dataDir);
  const where = `The data in ${config.dataDir}`;
  refuseNewerData(hatchVersion, { where, hatch, migrations: migration === null ? [] : [migration] });
  const { cluster, notice } = clusterFolders(config.dataDir);
  if (!existsSync(cluster) && !existsSync(notice)) refuseFirstShop(config, await hasHadShop(config.dataDir), null);
  beginLog(log, { data: migration, postgres: await bundledVersion() }, config.warnings);
}

/** A part before it runs: told to stop meanwhile, PostgreSQL would go on by itself. */
async function openEmbedded(
  config: Config,
  log: ReturnType<typeof createLog>,
  parts: Parts,
): Promise<EmbeddedPostgres> {
  const { dataDir, takesCopy } = config;
  await mkdir(dataDir, { recursive: true });
  const { startEmbeddedPostgres } = await import('#database/embedded/embedded-postgres.ts');
  // A failure is reported where it is awaited.
  const onNew = () => void import('#open-shop.ts').catch(() => {});
  const opening = startEmbeddedPostgres({ dataDir, log, takesCopy, signal: stopping.signal, onNew });
  // A shop that does not start has stopped its parts.
  const started = opening.catch(() => null);
  parts.add('embedded database', { stop: async () => (await started)?.stop() }, databaseTimeout);
  return opening;
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
  if (error instanceof StartEnded) process.exit(0);
  const refusal = portRefusal(error);
  const isPlain = error instanceof Error && (error instanceof ConfigError || inWords.has(error.name));
  const words = refusal ?? (isPlain ? error.message : crashWords(error));
  sayAtStart([words], process.stderr, { isProduction: process.env['NODE_ENV'] === 'production', level: 60 });
  process.exit(1);
}

/** The message if the port is the reason why the server cannot start; null for every other error. */
function portRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return null;
  const isMetrics = String(error.port) === process.env['METRICS_PORT'];
  const other = `Choose another one: ${isMetrics ? 'METRICS_PORT=9465' : 'PORT=3001'} ${startWords()}`;
  if (error.code === 'EADDRINUSE') return `Another program uses port ${String(error.port)} already. ${other}`;
  if (error.code === 'EACCES') return `Port ${String(error.port)} may not be used without more rights. ${other}`;
  return null;
}
