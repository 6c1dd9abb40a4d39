import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { asDiskFullError, loadStoredRows, storeShopRows } from '#backup/server/stored-rows.ts';
import { clusterFolders } from '#database/embedded/cluster.ts';
import {
  type EmbeddedOptions,
  startEmbeddedPostgres,
  stopOrphanedPostgres,
} from '#database/embedded/embedded-postgres.ts';
import {
  upgradeDraftFolder,
  findOlderBinaries,
  type OlderCluster,
  replaceOlderCluster,
} from '#database/embedded/older-cluster.ts';

export interface UpgradeOptions extends Pick<EmbeddedOptions, 'dataDir' | 'takesCopy' | 'signal'> {
  older: OlderCluster;
  hatch: string;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

/**
 * Upgrades a data folder's database to this version's PostgreSQL, and checks every row. Returns the folder of the old
 * database, which stays unchanged. Throws DatabaseStartError and ConfigError, without any change.
 */
export async function upgradeCluster(order: UpgradeOptions): Promise<string> {
  const { dataDir, older, takesCopy, signal, log } = order;
  const findBinaries: EmbeddedOptions['findBinaries'] = (...place) => findOlderBinaries(older, ...place);
  // The older PostgreSQL holds the folder's lock until the new database is complete.
  const source = await startEmbeddedPostgres({ dataDir, takesCopy, signal, log, findBinaries });
  try {
    await removeDraft(dataDir);
    await makeDraft(order, source.connection);
  } catch (error) {
    await removeDraft(dataDir).catch(() => undefined);
    throw asDiskFullError(error, dataDir);
  } finally {
    await source.stop();
  }
  return replaceOlderCluster(dataDir, older);
}

/** Removes the draft of a killed upgrade. Its PostgreSQL may still run, so it is stopped first. */
async function removeDraft(dataDir: string): Promise<void> {
  const draft = upgradeDraftFolder(dataDir);
  await stopOrphanedPostgres(draft);
  await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function makeDraft(
  { dataDir, hatch, signal, log }: UpgradeOptions,
  connection: Parameters<typeof storeShopRows>[0]['connection'],
): Promise<void> {
  const draft = upgradeDraftFolder(dataDir);
  await mkdir(draft, { mode: 0o711 });
  // The new PostgreSQL runs as the same user as the older one.
  const { uid, gid } = await stat(clusterFolders(dataDir).cluster);
  await chown(draft, uid, gid);
  const files = join(draft, 'rows');
  const rows = await storeShopRows({ connection, where: `The data in ${dataDir}` }, files, hatch);
  // An incomplete draft is useless, so a crash may lose its commits.
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
