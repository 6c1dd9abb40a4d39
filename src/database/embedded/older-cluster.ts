import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, readBundledVersion, findCopiedBinaries } from '#database/embedded/binaries.ts';
import {
  type ClusterFolders,
  clusterFolders,
  majorVersionOf,
  syncFolder,
  readClusterMajorVersion,
} from '#database/embedded/cluster.ts';
import { lockFolder } from '#database/embedded/lock.ts';
import { DatabaseStartError, type DatabaseUser } from '#database/embedded/process.ts';

export interface OlderCluster {
  from: string;
  to: string;
}

/**
 * Finds a database of an older major version in the folder; null: there is none, or this version's PostgreSQL reads it.
 */
export async function findOlderCluster(dataDir: string): Promise<OlderCluster | null> {
  const [from, to] = [
    await readClusterMajorVersion(clusterFolders(dataDir)),
    majorVersionOf(await readBundledVersion()),
  ];
  return from !== '' && Number(from) < Number(to) ? { from, to } : null;
}

/** The new database's folder is named `.carrying` while it is a draft, and `.carried` once it is complete. */
const [drafted, made] = ['.carrying', '.carried'];

export const upgradeDraftFolder = (dataDir: string): string => join(dataDir, drafted);

/**
 * Finds the programs that can read an older cluster. The Hatch that wrote the cluster copied the programs beside it.
 * Throws DatabaseStartError.
 */
export async function findOlderBinaries(
  { from, to }: OlderCluster,
  { binaries, cluster }: ClusterFolders,
  user: DatabaseUser,
  copies: readonly string[],
): Promise<Binaries> {
  const found = await findCopiedBinaries(binaries, from, user, copies);
  if (found) return found;
  throw new DatabaseStartError(
    'version_mismatch',
    `The database in ${cluster} was written by PostgreSQL ${from}; this version of Hatch brings PostgreSQL ${to}, and the older one is not in ${binaries}. Nothing was changed.\n` +
      'Start the version of Hatch that you had before and let it run for a minute: it keeps its PostgreSQL there. Then start this one again. Or back up with the one before, and restore into a new DATA_DIR with this one.',
  );
}

/** Replaces the older database by the complete draft. Returns the folder to which the older database was renamed. */
export async function replaceOlderCluster(dataDir: string, { from }: OlderCluster): Promise<string> {
  const lock = await lockFolder(dataDir, 0);
  try {
    const { root } = clusterFolders(dataDir);
    const older = unusedNameBeside(`${root}.${from}`);
    await rename(upgradeDraftFolder(dataDir), join(dataDir, made));
    await syncFolder(dataDir);
    await rename(root, older);
    await syncFolder(dataDir);
    await takeMade(dataDir);
    return older;
  } finally {
    lock.release();
  }
}

/**
 * Finishes an upgrade whose process was killed. If the older database is still in its place, the upgraded copy is
 * deleted, because an older Hatch may have changed the database since.
 */
export async function finishClusterUpgrade(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, made))) return;
  const lock = await lockFolder(dataDir, 1_000);
  try {
    await takeMade(dataDir);
  } finally {
    lock.release();
  }
}

async function takeMade(dataDir: string): Promise<void> {
  const { root } = clusterFolders(dataDir);
  const from = clusterFolders(join(dataDir, made)).root;
  if (!existsSync(root) && existsSync(from)) await rename(from, root);
  await syncFolder(dataDir);
  await rm(join(dataDir, made), { recursive: true, force: true });
}

/** The folder to which a database is renamed after it was moved to an external server: `postgres.moved`. */
export const movedDatabaseFolder = (dataDir: string): string => `${clusterFolders(dataDir).root}.moved`;

/** Returns a name that no file has: `postgres.17`, or else `postgres.17-2`. */
export function unusedNameBeside(wanted: string): string {
  for (let attempt = 2, name = wanted; ; name = `${wanted}-${attempt++}`) if (!existsSync(name)) return name;
}
