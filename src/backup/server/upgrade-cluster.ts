import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { asDiskFullError, loadStoredRows, exportShopRows } from '#backup/server/stored-rows.ts';
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
 * Upgrades a data folder's database to this version's PostgreSQL, and checks every row. Returns the folder of the old,
 * unchanged database. Throws DatabaseStartError or ConfigError, and then changes nothing.
 */
export async function upgradeCluster(order: UpgradeOptions): Promise<string> {
  const { dataDir, older, takesCopy, signal, log } = order;
  const findBinaries: EmbeddedOptions['findBinaries'] = (...place) => findOlderBinaries(older, ...place);
  // The older PostgreSQL runs until the new database is complete, because it holds the folder's lock and is the source
  // of the rows.
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

/** Stops the PostgreSQL of a killed upgrade, which may still run, and removes its draft. */
async function removeDraft(dataDir: string): Promise<void> {
  const draft = upgradeDraftFolder(dataDir);
  await stopOrphanedPostgres(draft);
  await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function makeDraft(
  { dataDir, hatch, signal, log }: UpgradeOptions,
  connection: Parameters<typeof exportShopRows>[0]['connection'],
): Promise<void> {
  const draft = upgradeDraftFolder(dataDir);
  await mkdir(draft, { mode: 0o711 });
  // The new PostgreSQL must run as the user who owns the older database's folder.
  const { uid, gid } = await stat(clusterFolders(dataDir).cluster);
  await chown(draft, uid, gid);
  const files = join(draft, 'rows');
  const rows = await exportShopRows({ connection, where: `The data in ${dataDir}` }, files, hatch);
  // If a crash loses commits, the draft is incomplete and is made again, so commits need not wait for the disk.
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
