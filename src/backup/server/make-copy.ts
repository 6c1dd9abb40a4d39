import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import {
  copiesFolderIn,
  folderOfCopy,
  draftPrefix,
  indexFile,
  listCopies,
  manifestFile,
  manifestSumFile,
  readFileSizeAndHash,
  createByteMeter,
  fileNamesIn,
  readIndex,
  sha256OfText,
  writeStreamDurably,
  uploadsFolderIn,
  writeIndex,
} from '#backup/server/copy-layout.ts';
import { folderErrorWords } from '#backup/server/places/folder-place.ts';
import { recordErasures, recordCopyFolder } from '#backup/server/erasure-list.ts';
import type { FoundCopy, Manifest, StoredFile, StoredRowsManifest, StoredTable } from '#backup/manifest.ts';
import {
  inPortableTransaction,
  exportJobsSql,
  listTablesToCopy,
  readQueues,
  readSequences,
  exportTableSql,
} from '#backup/server/tables.ts';
import { listErasuresWithPgClient } from '#database/erasures.ts';
import { syncFolder } from '#database/embedded/cluster.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { ConfigError } from '#platform/errors.ts';
import { writePrivateFile } from '#platform/server/secrets/installation-keys.ts';
import { isStoredFileName } from '#platform/server/files/stored-files.ts';

export interface CopySource extends Pick<Manifest, 'shop_id' | 'hatch' | 'key_mark' | 'needs_secrets_key'> {
  /** The connection uses no pooler, because the lock on the backups needs a database session of its own. */
  database: string | pg.PoolConfig;
  dataDir: string;
  now(): Date;
}

export interface MadeCopy {
  number: number;
  folder: string;
  manifest: Manifest;
  manifestSha256: string;
  /** The bytes that this backup added to the folder. */
  bytes: number;
}

/** Thrown if another program holds the lock `copies`, which guards all folders of backups. */
export class CopiesLockedError extends ConfigError {}

/**
 * The names in the data folder that `storeKeys` skips. Either they are no keys, or another part of the backup has their
 * content.
 */
const notKeyFiles = new Set([
  'lost+found',
  'uploads',
  'backups',
  'mail',
  'hatch.lock',
  'hatch.lock-journal',
  'running.json',
  'disk-low',
]);
const isDatabase = (name: string): boolean => /^postgres(\.|$)/.test(name);

/**
 * Adds a backup of the shop to a folder of backups. If the new backup fails, the folder's other backups are unchanged.
 * The shop may be running. Throws ConfigError.
 */
export async function makeCopy(source: CopySource, folder: string): Promise<MadeCopy> {
  try {
    await prepareFolder(source, folder);
    const made = await withBackupLock(source.database, 'copies', ({ client }) => writeCopy(source, folder, client));
    if (made === null)
      throw new CopiesLockedError('Another copy of this shop is being made: try again when it is done.');
    return made.done;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOSPC' || systemErrorCode(error) === 'EDQUOT')
      throw new ConfigError(`The disk of ${folder} is full: no copy was made, and the earlier ones are as they were.`, {
        cause: error,
      });
    throw error;
  }
}

/**
 * Creates the folder if it is missing. Throws ConfigError if the folder cannot take this shop's backups, for example
 * because it has other files or another shop's backups.
 */
async function prepareFolder({ dataDir, shop_id }: CopySource, folder: string): Promise<void> {
  const known = new Set([indexFile, 'copies', 'uploads', 'lost+found']);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
    const [place, data] = [await realpath(folder), await realpath(dataDir)];
    const inData = relative(data, place);
    if (inData === '' || (!inData.startsWith('..') && inData.split(sep)[0] !== 'backups'))
      throw new ConfigError(`Copies cannot lie in the shop's own folder ${dataDir}: name another one.`);
    const index = await readIndex(folder);
    if (index === null && names.some((name) => !known.has(name)))
      throw new ConfigError(`${folder} has other things in it: name an empty folder, or one of copies.`);
    if (index === null && (await listCopies(folder)).length > 0)
      throw new ConfigError(`${join(folder, indexFile)} is missing or unreadable: name another folder.`);
    if (index !== null && index.shop_id !== shop_id)
      throw new ConfigError(`${folder} has the copies of another shop: name another folder.`);
  } catch (error) {
    const reason = systemErrorCode(error);
    if (reason === undefined || reason === 'ENOSPC') throw error;
    throw new ConfigError(`The folder ${folder} cannot be used for copies: ${folderErrorWords(error)}.`, {
      cause: error,
    });
  }
}

async function writeCopy(source: CopySource, folder: string, client: pg.Client): Promise<MadeCopy> {
  const copies = await listCopies(folder);
  const index = await readIndex(folder);
  await removeDraftCopies(folder);
  const last = copies.at(-1);
  const number = Math.max(last?.number ?? 0, index?.newest?.number ?? 0) + 1;
  const draft = join(copiesFolderIn(folder), `${draftPrefix}${randomUUID()}`);
  // The backup's time is the time before its rows are read, because copying the pictures afterwards can take an hour.
  const madeAt = source.now().toISOString();
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const rows = await inPortableTransaction(client, 'isolation level repeatable read, read only', () =>
      writeSnapshotRows(client, draft),
    );
    const keys = await storeKeys(source.dataDir, draft);
    const { uploads, added } = await storeUploads(source.dataDir, folder);
    const manifest: Manifest = {
      format: 1,
      shop_id: source.shop_id,
      number,
      before: last ? { number: last.number, manifest_sha256: last.manifestSha256 } : null,
      made_at: madeAt,
      hatch: source.hatch,
      ...rows,
      keys,
      uploads,
      key_mark: source.key_mark,
      needs_secrets_key: source.needs_secrets_key,
    };
    const manifestSha256 = await publish(folder, draft, manifest);
    await refreshErasures(folder, client);
    const bytes = ownFilesOfCopy(manifest).reduce((sum, { size }) => sum + size, added);
    return { number, folder, manifest, manifestSha256, bytes };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Lists the files in a backup's own folder. Pictures are in another folder, because backups share pictures. */
export function ownFilesOfCopy({ tables, jobs, keys }: Manifest): StoredFile[] {
  return [...tables.map(({ file }) => file), ...(jobs ? [jobs.table.file] : []), ...keys];
}

/** Writes the rows of one snapshot to files. `isSameMachine`: also writes the tables about this machine's backups. */
export async function writeSnapshotRows(
  client: pg.Client,
  draft: string,
  isSameMachine = false,
): Promise<StoredRowsManifest> {
  const { rows: versions } = await client.query<{ postgres: string; migrations: string[] }>(
    `select split_part(current_setting('server_version'), ' ', 1) as postgres,
      array(select name::text from kysely_migration order by name) as migrations`,
  );
  const [version] = versions;
  if (!version) throw new Error('PostgreSQL did not say its version.');
  const tables: StoredTable[] = [];
  for (const table of await listTablesToCopy(client, isSameMachine)) {
    tables.push({
      ...table,
      ...(await writeTable(client, exportTableSql(table), draft, `tables/${table.name}.copy.gz`)),
    });
  }
  const waiting = await readQueues(client);
  const jobs = waiting && {
    queues: waiting.queues,
    table: {
      name: 'pgboss.job',
      columns: waiting.columns,
      ...(await writeTable(client, exportJobsSql(waiting.columns), draft, 'tables/waiting-jobs.copy.gz')),
    },
  };
  return { ...version, tables, sequences: await readSequences(client), jobs };
}

async function writeTable(client: pg.Client, statement: string, draft: string, path: string) {
  const text = createByteMeter();
  const rows = client.query(copyTo(statement));
  const stored = await writeStreamDurably(join(draft, path), rows, text.stream, createGzip());
  return { rows: text.found.lines, text_sha256: text.found.sha256, file: { path, ...stored } };
}

/** Copies the keys: the data folder's files without the database and the names in `notKeyFiles`. */
async function storeKeys(dataDir: string, draft: string): Promise<StoredFile[]> {
  const names = (await fileNamesIn(dataDir)).filter(
    (name) => !notKeyFiles.has(name) && !isDatabase(name) && !name.startsWith('.'),
  );
  const stored: StoredFile[] = [];
  for (const name of names.toSorted()) {
    const from = join(dataDir, name);
    const entries = (await lstat(from)).isDirectory() ? await readdir(from, { recursive: true }) : [''];
    for (const entry of entries.toSorted()) {
      const file = join(from, entry);
      if (!(await lstat(file)).isFile() || entry.split(sep).some((part) => part.startsWith('.'))) continue;
      const path = join('keys', name, entry);
      stored.push({ path, ...(await writeStreamDurably(join(draft, path), createReadStream(file))) });
    }
  }
  return stored;
}

/**
 * Copies the pictures that are missing or damaged in the folder of backups. Returns all pictures, and the number of
 * copied bytes.
 */
async function storeUploads(dataDir: string, folder: string): Promise<{ uploads: StoredFile[]; added: number }> {
  const [from, target] = [uploadsFolderIn(dataDir), uploadsFolderIn(folder)];
  await mkdir(target, { recursive: true, mode: 0o700 });
  const known = await knownUploads(folder);
  const uploads: StoredFile[] = [];
  let added = 0;
  for (const name of (await fileNamesIn(from)).filter(isStoredFileName).toSorted()) {
    const there = await readFileSizeAndHash(join(target, name));
    const wanted = known.get(name) ?? (there && (await readFileSizeAndHash(join(from, name))));
    if (there && wanted?.sha256 === there.sha256) {
      uploads.push({ path: name, ...there });
      continue;
    }
    const draft = join(target, `${draftPrefix}${randomUUID()}`);
    const stored = await writeStreamDurably(draft, createReadStream(join(from, name)));
    await rename(draft, join(target, name));
    uploads.push({ path: name, ...stored });
    added += stored.size;
  }
  await syncFolder(target);
  return { uploads, added };
}

async function knownUploads(folder: string): Promise<Map<string, StoredFile>> {
  const newest = (await listCopies(folder)).findLast(({ manifest }) => manifest !== null);
  return new Map(newest?.manifest?.uploads.map((file) => [file.path, file]));
}

/** Removes the drafts of a killed program. The caller holds the lock `copies`. */
export async function removeDraftCopies(folder: string): Promise<void> {
  for (const place of [copiesFolderIn(folder), uploadsFolderIn(folder)]) {
    for (const name of await fileNamesIn(place)) {
      if (name.startsWith(draftPrefix)) await rm(join(place, name), { recursive: true, force: true });
    }
  }
}

/** Publishes a draft by renaming it after all its files are on the disk. Returns the manifest's hash. */
async function publish(folder: string, draft: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const manifestSha256 = sha256OfText(text);
  await writePrivateFile(join(draft, manifestFile), text);
  await writePrivateFile(join(draft, manifestSumFile), `${manifestSha256}  ${manifestFile}\n`);
  for (const entry of await readdir(draft, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  }
  await syncFolder(draft);
  await rename(draft, folderOfCopy(folder, manifest.number));
  await syncFolder(copiesFolderIn(folder));
  const newest = { number: manifest.number, manifest_sha256: manifestSha256 };
  await writeIndex(folder, { ...(await readIndex(folder)), format: 1, shop_id: manifest.shop_id, newest });
  return manifestSha256;
}

/** Writes all erasures so far to the list beside the backups. Later erasures are added by `recordErasuresWork`. */
async function refreshErasures(folder: string, client: pg.Client): Promise<void> {
  const index = await readIndex(folder);
  if (index === null) return;
  const erasures = await listErasuresWithPgClient(client);
  await recordErasures(folder, index, erasures);
  await recordCopyFolder(client, await realpath(folder), erasures.at(-1)?.number ?? '0');
}

/** Removes backups, and pictures that no remaining backup needs. The caller holds the lock `copies`. */
export async function removeCopies(folder: string, isRemoved: (copy: FoundCopy) => boolean): Promise<number[]> {
  const copies = await listCopies(folder);
  const gone = copies.filter(isRemoved);
  const rest = copies.filter((copy) => !isRemoved(copy));
  for (const { number } of gone) {
    const draft = join(copiesFolderIn(folder), `${draftPrefix}${randomUUID()}`);
    await rename(folderOfCopy(folder, number), draft);
    await rm(draft, { recursive: true, force: true });
  }
  // A backup with an unreadable manifest may need any picture, so then no picture is removed.
  if (rest.every(({ manifest }) => manifest !== null)) {
    const needed = new Set(rest.flatMap(({ manifest }) => manifest?.uploads.map(({ path }) => path) ?? []));
    for (const name of await fileNamesIn(uploadsFolderIn(folder))) {
      if (!needed.has(name)) await rm(join(uploadsFolderIn(folder), name), { force: true });
    }
  }
  return gone.map(({ number }) => number);
}

/** The total size of a folder of backups (bytes). */
export async function sizeOfCopies(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => null)),
  );
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}
