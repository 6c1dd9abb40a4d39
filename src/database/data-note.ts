import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFolders, VERSION_FILE } from '#database/embedded/cluster.ts';
import { ConfigError } from '#platform/config-error.ts';
import { writePrivately } from '#platform/server/secrets/write-privately.ts';

/** Which Hatch last wrote a cluster: its version, and its last migration. null: it is not known. */
export interface WrittenBy {
  hatch: string | null;
  migration: string | null;
}

/** Stored in the cluster, so that a restored backup brings its own. Read before PostgreSQL starts. */
export async function readWrittenBy(dataDir: string): Promise<WrittenBy> {
  const { hatch, migration } = await readJson<WrittenBy>(join(clusterFolders(dataDir).cluster, VERSION_FILE));
  return { hatch: hatch ?? null, migration: migration ?? null };
}

const shopFile = (dataDir: string): string => join(dataDir, 'hatch.json');

/** In whichever database. */
export async function hasHadShop(dataDir: string): Promise<boolean> {
  return (await readJson<{ has_had_shop: boolean }>(shopFile(dataDir))).has_had_shop === true;
}

export async function noteShop(dataDir: string): Promise<void> {
  if (!(await hasHadShop(dataDir))) await writePrivately(shopFile(dataDir), '{"has_had_shop":true}\n');
}

/** A file that is missing or cannot be read, as in a folder of an earlier version, says nothing. */
async function readJson<T>(path: string): Promise<Partial<T>> {
  try {
    // Written by Hatch, whole or not at all.
    return (JSON.parse(await readFile(path, 'utf8')) as Partial<T> | null) ?? {};
  } catch {
    return {};
  }
}

/** The names of this version's migrations, without loading them. */
export function knownMigrations(): Set<string> {
  const files = readdirSync(join(import.meta.dirname, 'migrations'));
  return new Set(files.flatMap((file) => /^(\d{3}-[a-z0-9-]+)\.ts$/.exec(file)?.[1] ?? []));
}

interface Writer {
  /** The data, as the person knows it who starts Hatch. */
  where: string;
  migrations: readonly string[];
  /** The version that wrote it, if it is known. */
  hatch?: string | null;
}

/** Throws ConfigError if a migration ran on the data that this version, `own`, does not know. */
export function refuseNewerData(own: string, { where, migrations, hatch }: Writer): void {
  const known = knownMigrations();
  const unknown = migrations.filter((name) => !known.has(name)).toSorted();
  if (unknown.length === 0) return;
  const by = [...(hatch ? [hatch] : []), `with ${unknown.at(-1)}`].join(' ');
  throw new ConfigError(
    `${where} was written by a newer Hatch (${by}) than this one (${own}). Nothing was changed: start the newer one, or restore a backup from before the upgrade.`,
  );
}
