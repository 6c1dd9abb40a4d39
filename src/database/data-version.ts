import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFolders, VERSION_FILE } from '#database/embedded/cluster.ts';
import { ConfigError } from '#platform/errors.ts';
import { writePrivateFile } from '#platform/server/secrets/installation-keys.ts';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** The Hatch version that last wrote a cluster, and the cluster's last migration; null if not known. */
export interface DataVersion {
  hatch: string | null;
  migration: string | null;
}

/**
 * Reads the version of a cluster from a file beside the data, because PostgreSQL may not run yet. A restored backup
 * contains this file.
 */
export async function readDataVersionFile(dataDir: string): Promise<DataVersion> {
  const { hatch, migration } = await readJson<DataVersion>(join(clusterFolders(dataDir).cluster, VERSION_FILE));
  return { hatch: hatch ?? null, migration: migration ?? null };
}

const shopFile = (dataDir: string): string => join(dataDir, 'hatch.json');

export async function hasHadShop(dataDir: string): Promise<boolean> {
  return (await readJson<{ has_had_shop: boolean }>(shopFile(dataDir))).has_had_shop === true;
}

export async function recordHasHadShop(dataDir: string): Promise<void> {
  if (!(await hasHadShop(dataDir))) await writePrivateFile(shopFile(dataDir), '{"has_had_shop":true}\n');
}

/**
 * The names of a restore's temporary files in a data folder: the marker of an unfinished restore, the draft of the
 * data, and the decrypted backup.
 */
export const restoreFileNames = { note: 'restoring.json', draft: '.restoring', fetched: '.restoring-copy' };

/**
 * Throws ConfigError for a folder whose restore was killed before it was complete. Otherwise removes the restore's
 * temporary files.
 */
export async function cleanUpRestoreFiles(dataDir: string, hasDatabase: boolean): Promise<void> {
  if (!existsSync(join(dataDir, restoreFileNames.note))) return;
  if (!hasDatabase)
    throw new ConfigError(
      `A restore into ${dataDir} did not end, and there is no shop in it yet. Run "hatch restore" again with the same --data-dir, or remove the folder.`,
    );
  // The marker is removed last: while it exists, the next start removes the other files.
  for (const name of [restoreFileNames.draft, restoreFileNames.fetched, restoreFileNames.note])
    await rm(join(dataDir, name), { recursive: true, force: true });
}

/**
 * SQL for the identifier in the marker of an unfinished `hatch move` into this database; null: no move is unfinished.
 */
export const unfinishedMoveIdSql = `substring(obj_description(to_regclass('kysely_migration'), 'pg_class') from '^hatch move ([0-9a-f]{64})$')`;

/**
 * Throws ConfigError if a `hatch move` into this database was killed before it was complete. The data folder then still
 * has the shop's database. If the folder's database is gone, the move was complete, and the marker is removed.
 */
export async function refuseUnfinishedMove(db: Db, dataDir: string): Promise<void> {
  const { rows } = await sql<{
    mark: string | null;
  }>`select obj_description(to_regclass('kysely_migration'), 'pg_class') as mark`.execute(db);
  if (!rows[0]?.mark?.startsWith('hatch move ')) return;
  if (existsSync(clusterFolders(dataDir).root))
    throw new ConfigError(
      `The move of the shop in ${dataDir} to this database did not end. Nothing was changed: run "hatch move" again, without DATABASE_URL.`,
    );
  await sql`comment on table kysely_migration is null`.execute(db);
}

/** Reads a JSON file; an empty object if the file is missing or unreadable, as in folders of earlier versions. */
async function readJson<T>(path: string): Promise<Partial<T>> {
  try {
    // The cast is right: only Hatch writes the file, atomically.
    return (JSON.parse(await readFile(path, 'utf8')) as Partial<T> | null) ?? {};
  } catch {
    return {};
  }
}

export function knownMigrations(): Set<string> {
  const files = readdirSync(join(import.meta.dirname, 'migrations'));
  return new Set(files.flatMap((file) => /^(\d{3}-[a-z0-9-]+)\.ts$/.exec(file)?.[1] ?? []));
}

interface Writer {
  /** The place of the data as a phrase with which messages begin: `The data in …`. */
  where: string;
  migrations: readonly string[];
  /** The Hatch version that wrote the data; null if not known. */
  hatch?: string | null;
}

/** Throws ConfigError if a migration has run that this version does not know. `own`: this version's name. */
export function refuseNewerData(own: string, { where, migrations, hatch }: Writer): void {
  const known = knownMigrations();
  const unknown = migrations.filter((name) => !known.has(name)).toSorted();
  if (unknown.length === 0) return;
  const by = [...(hatch ? [hatch] : []), `with ${unknown.at(-1)}`].join(' ');
  throw new ConfigError(
    `${where} was written by a newer Hatch (${by}) than this one (${own}). Nothing was changed: start the newer one, or restore a backup from before the upgrade.`,
  );
}

export interface DatabaseFacts {
  migrations: string[];
  hasStores: boolean;
  /** PostgreSQL's version, such as `18.4`. */
  postgres: string;
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<{ postgres: string; has_migrations: boolean; has_stores: boolean }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres,
      to_regclass('kysely_migration') is not null as has_migrations,
      to_regclass('stores') is not null as has_stores`.execute(db);
  const [found] = rows;
  const { rows: ran } = found?.has_migrations
    ? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    : { rows: [] };
  return {
    migrations: ran.map(({ name }) => name),
    hasStores: found?.has_stores ?? false,
    postgres: found?.postgres ?? '',
  };
}

/**
 * The versions of the data and of PostgreSQL. The version of the data is the name of its last migration; null if none
 * has run.
 */
export async function readDatabaseVersions(db: Db): Promise<{ data: string | null; postgres: string }> {
  const { migrations, postgres } = await readDatabaseFacts(db);
  return { data: migrations.at(-1) ?? null, postgres };
}
