import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { inDiskWords, loadStoredRows, storeRows } from '#backup/server/carry-rows.ts';
import { clusterFolders } from '#database/embedded/cluster.ts';
import { type EmbeddedOptions, startEmbeddedPostgres, stopLeftPostgres } from '#database/embedded/embedded-postgres.ts';
import {
  upgradeDraftFolder,
  findOlderBinaries,
  type OlderCluster,
  replaceOlderCluster,
} from '#database/embedded/older-cluster.ts';

export interface CarryOrder extends Pick<EmbeddedOptions, 'dataDir' | 'takesCopy' | 'signal'> {
  older: OlderCluster;
  hatch: string;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

/**
 * Carries the database of a data folder over to this version's PostgreSQL, by the programs that a start of the version
 * before has kept. Every row is checked. The older database stays as it was, and beside the new one: returns its folder.
 * Throws DatabaseStartError and ConfigError with words for a person; then nothing has changed.
 */
export async function carryCluster(order: CarryOrder): Promise<string> {
  const { dataDir, older, takesCopy, signal, log } = order;
  const findBinaries: EmbeddedOptions['findBinaries'] = (...place) => findOlderBinaries(older, ...place);
  // It holds the folder until the new database is complete.
  const source = await startEmbeddedPostgres({ dataDir, takesCopy, signal, log, findBinaries });
  try {
    await removeDraft(dataDir);
    await makeDraft(order, source.connection);
  } catch (error) {
    await removeDraft(dataDir).catch(() => undefined);
    throw inDiskWords(error, dataDir);
  } finally {
    await source.stop();
  }
  return replaceOlderCluster(dataDir, older);
}

/** Of one that was killed, too: its PostgreSQL may still run. */
async function removeDraft(dataDir: string): Promise<void> {
  const draft = upgradeDraftFolder(dataDir);
  await stopLeftPostgres(draft);
  await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function makeDraft(
  { dataDir, hatch, signal, log }: CarryOrder,
  connection: Parameters<typeof storeRows>[0]['connection'],
): Promise<void> {
  const draft = upgradeDraftFolder(dataDir);
  await mkdir(draft, { mode: 0o711 });
  // The new database's processes run as the user of the older one's.
  const { uid, gid } = await stat(clusterFolders(dataDir).cluster);
  await chown(draft, uid, gid);
  const files = join(draft, 'rows');
  const rows = await storeRows({ connection, where: `The data in ${dataDir}` }, files, hatch);
  // Nothing is lost with it: until it is complete, it counts for nothing.
  const settings = { synchronous_commit: 'off' };
  const target = await startEmbeddedPostgres({ dataDir: draft, signal, log, settings });
  try {
    const migration = await loadStoredRows(target.connection, rows, files);
    await target.noteVersion(`${JSON.stringify({ hatch, migration })}\n`);
  } finally {
    await target.stop();
  }
  await rm(files, { recursive: true });
}
