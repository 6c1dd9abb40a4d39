import { createReadStream } from 'node:fs';
import { chmod, lchown, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { FastifyBaseLogger } from 'fastify';
import { chooseCopy, type FoundCopy, type Manifest, type StoredFile } from '#backup/manifest.ts';
import {
  folderOfCopy,
  listCopies,
  createByteMeter,
  fileNamesIn,
  writeStreamDurably,
  uploadsFolderIn,
} from '#backup/server/copy-layout.ts';
import { readErasures } from '#backup/server/erasure-list.ts';
import { DamagedCopyError, holdRestoredShop, loadCopyRows } from '#backup/server/load-rows.ts';
import { copyDamageWords, faultsOfCopy, requireFolder } from '#backup/server/verify-copies.ts';
import { recordHasHadShop, refuseNewerData, restoreFileNames } from '#database/data-version.ts';
import { clusterFolders, syncFolder } from '#database/embedded/cluster.ts';
import { startEmbeddedPostgres, stopOrphanedPostgres } from '#database/embedded/embedded-postgres.ts';
import { lockFolder } from '#database/embedded/lock.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { keyMarkOf } from '#database/installation-values.ts';
import type { Db } from '#database/schema.ts';
import { ConfigError } from '#platform/errors.ts';
import { installationKeysOf, writePrivateFile } from '#platform/server/secrets/installation-keys.ts';

export interface RestoreOptions {
  from: string;
  dataDir: string;
  /** Restores the newest backup from this time or earlier; null: the newest of all backups. */
  until: Date | null;
  /** Restores the backup with this number; null or missing: `until` decides. */
  number?: number | null;
  secretsKey: string | undefined;
  hatch: string;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Settings of PostgreSQL during the restore. */
  settings?: Readonly<Record<string, string>>;
}

export interface RestoreResult {
  number: number;
  made_at: string;
  data_dir: string;
  tables: number;
  rows: number;
  uploads: number;
  /** False: the erasure list is damaged or missing, so erased data may be back. */
  has_erasures: boolean;
}

/**
 * The folder inside the data folder in which a restore collects the files, before it moves the files into the data
 * folder.
 */
export const draftFolder = restoreFileNames.draft;

/**
 * Restores a complete data folder from a backup, or nothing. Every file is checked before it is loaded, and every row
 * after it was loaded. Throws ConfigError.
 */
export async function restoreCopy(order: RestoreOptions): Promise<RestoreResult> {
  const manifest = await checkedManifest(order);
  return inMarkedFolder(order.dataDir, (folder) => fillAndMove(order, manifest, folder));
}

/** Restores from a backup that `fetch` first writes into a folder inside the data folder. */
export async function fetchAndRestore<T extends { secretsKey: string | undefined }>(
  order: Omit<RestoreOptions, 'from' | 'secretsKey'>,
  fetch: (into: string) => Promise<T>,
): Promise<RestoreResult & { fetched: T }> {
  return inMarkedFolder(order.dataDir, async (folder) => {
    const from = join(folder, restoreFileNames.fetched);
    const fetched = await fetch(from);
    const known = { ...order, from, until: null, secretsKey: fetched.secretsKey };
    return { ...(await fillAndMove(known, await checkedManifest(known), folder)), fetched };
  });
}

async function checkedManifest(order: RestoreOptions): Promise<Manifest> {
  const { from, until, number: wanted = null } = order;
  await requireFolder(from);
  const copies = await listCopies(from);
  const copy = chooseCopy(wanted === null ? copies : copies.filter(({ number }) => number === wanted), until);
  if (copy === null) throw new ConfigError(`${from} has no copy${until ? ' from before that time' : ' of a shop'}.`);
  const manifest = await wholeManifest(order, copy);
  refuseWrongKey(manifest, order.secretsKey);
  return manifest;
}

/**
 * Runs `work` in a data folder that is empty, or that contains only files of a killed restore. If `work` fails, its
 * files are removed.
 */
async function inMarkedFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  await refuseUsedFolder(folder);
  const lock = await lockFolder(folder, 0);
  try {
    await removeLeftovers(folder);
    // From now on a start refuses to create another shop in this folder.
    await recordHasHadShop(folder);
    await writePrivateFile(join(folder, restoreFileNames.note), '{}\n');
    return await work(folder);
  } catch (error) {
    await removeLeftovers(folder).catch(() => undefined);
    if (['ENOSPC', 'EDQUOT'].includes(systemErrorCode(error) ?? '') || /No space left on device/.test(String(error)))
      throw new ConfigError(`The disk of ${folder} is full: nothing was restored.`, { cause: error });
    throw error;
  } finally {
    lock.release();
  }
}

async function fillAndMove(order: RestoreOptions, manifest: Manifest, folder: string): Promise<RestoreResult> {
  const draft = join(folder, draftFolder);
  await mkdir(draft, { mode: 0o711 });
  await fillFolder(order, manifest, draft);
  const has_erasures = (await readErasures(order.from)) !== null;
  await moveIntoFolder(folder, draft);
  // A backup from before the set-up has no store. Without `hatch.json` the next start offers the set-up again.
  if (!manifest.tables.some(({ name, rows }) => name === 'stores' && rows > 0)) {
    await rm(join(folder, 'hatch.json'), { force: true });
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { number, made_at, tables, uploads } = manifest;
  return { number, made_at, data_dir: folder, tables: tables.length, rows, uploads: uploads.length, has_erasures };
}

async function wholeManifest({ from, hatch }: RestoreOptions, copy: FoundCopy): Promise<Manifest> {
  const [damage, ...more] = await faultsOfCopy(from, copy);
  if (damage !== undefined || copy.manifest === null) {
    const others = more.length > 0 ? ` ${more.length} more files of it are damaged.` : '';
    throw new DamagedCopyError(
      `${damage ? copyDamageWords(damage) : ''}${others} Nothing was restored. An earlier copy: --to-time, with a time before this one.`,
    );
  }
  const { manifest } = copy;
  const where = `Copy ${manifest.number}`;
  refuseNewerData(hatch, { where, migrations: manifest.migrations, hatch: manifest.hatch });
  if (manifest.number !== copy.number)
    throw new DamagedCopyError(`Copy ${copy.number} is copy ${manifest.number} in its place. Nothing was restored.`);
  return manifest;
}

function refuseWrongKey({ needs_secrets_key, key_mark }: Manifest, secretsKey: string | undefined): void {
  if (!needs_secrets_key) return;
  if (secretsKey === undefined)
    throw new ConfigError('This shop had a SECRETS_KEY, which no copy has. Set it as it was, and restore again.');
  if (keyMarkOf(installationKeysOf([secretsKey])) !== key_mark)
    throw new ConfigError('SECRETS_KEY is another one than that of this shop. Set it as it was, and restore again.');
}

/**
 * A data folder with only these names counts as empty: files of the lock and of a killed restore, and a new disk's
 * `lost+found`.
 */
const allowedNames = new Set([
  'hatch.lock',
  'hatch.lock-journal',
  'hatch.json',
  'running.json',
  ...Object.values(restoreFileNames),
  'lost+found',
]);

/** Whether a killed program was writing the file with this name. */
const isPartialFile = (name: string): boolean => /^\.[0-9a-f-]{36}\.part$/.test(name);

const isDatabase = (name: string): boolean => /^postgres(\.|$)/.test(name);

/** Throws ConfigError unless the data folder is empty, or contains only a killed restore. */
async function refuseUsedFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  const isKilledRestore = names.includes(restoreFileNames.note) && !names.some(isDatabase);
  const others = names.filter((name) => !allowedNames.has(name) && !isPartialFile(name));
  if (isKilledRestore || others.length === 0) return;
  throw new ConfigError(`${folder} is not empty (${others.slice(0, 3).join(', ')}): name a new folder for --data-dir.`);
}

/** Removes the files of a killed or failed restore, and stops its PostgreSQL. */
async function removeLeftovers(folder: string): Promise<void> {
  const draft = join(folder, draftFolder);
  await stopOrphanedPostgres(draft);
  await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await rm(join(folder, restoreFileNames.fetched), { recursive: true, force: true });
  const names = await fileNamesIn(folder);
  for (const name of names) {
    if (isPartialFile(name)) await rm(join(folder, name), { force: true });
  }
  if (!names.includes(restoreFileNames.note) || names.some(isDatabase)) return;
  for (const name of names) {
    if (!allowedNames.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
  await rm(join(folder, 'hatch.json'), { force: true });
  await rm(join(folder, restoreFileNames.note), { force: true });
}

async function fillFolder(order: RestoreOptions, manifest: Manifest, draft: string): Promise<void> {
  const { from, hatch, log } = order;
  const own = folderOfCopy(from, manifest.number);
  for (const file of manifest.keys) await takeFile(own, file, join(draft, file.path.slice('keys/'.length)));
  for (const file of manifest.uploads)
    await takeFile(uploadsFolderIn(from), file, join(uploadsFolderIn(draft), file.path));
  // If a crash loses commits, the draft is incomplete and is made again, so commits need not wait for the disk.
  const settings = { synchronous_commit: 'off', ...order.settings };
  const embedded = await startEmbeddedPostgres({ dataDir: draft, log, settings });
  try {
    const erasures = (await readErasures(from)) ?? [];
    const open = (file: StoredFile) => openStoredRows(own, file);
    const hold = (db: Db) => holdRestoredShop(db, manifest, new Date(), erasures);
    const migration = await loadCopyRows(embedded.connection, manifest, open, hold);
    await embedded.noteVersion(`${JSON.stringify({ hatch, migration })}\n`);
  } finally {
    await embedded.stop();
  }
}

async function takeFile(folder: string, file: StoredFile, target: string): Promise<void> {
  const { sha256 } = await writeStreamDurably(target, createReadStream(join(folder, file.path)));
  if (sha256 !== file.sha256)
    throw new DamagedCopyError(`${file.path} changed while it was read. Nothing was restored.`);
}

/**
 * Opens a table's stored rows as text. `found`: the number of lines and the hash of the text, complete after the
 * stream's end.
 */
export function openStoredRows(folder: string, { path }: StoredFile) {
  const { stream, found } = createByteMeter();
  return { parts: [createReadStream(join(folder, path)), createGunzip(), stream] as const, found };
}

/**
 * Moves the complete files into the data folder, the database last. While the database is not moved, a start refuses
 * the folder, and another restore removes all files and begins again.
 */
async function moveIntoFolder(folder: string, draft: string): Promise<void> {
  await chownToOwner(folder, draft);
  const made = (await readdir(draft)).filter((name) => !allowedNames.has(name));
  for (const name of made.toSorted((a, b) => Number(a === 'postgres') - Number(b === 'postgres'))) {
    await syncFolder(draft);
    await rename(join(draft, name), join(folder, name));
    await syncFolder(folder);
  }
  // The note is removed last. As long as the note exists, a start of the shop removes the other two folders.
  for (const name of [restoreFileNames.draft, restoreFileNames.fetched, restoreFileNames.note])
    await rm(join(folder, name), { recursive: true, force: true });
  await syncFolder(folder);
}

/** If root has restored the files, gives them to the owner of the data folder. */
async function chownToOwner(folder: string, draft: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (process.geteuid?.() !== 0 || uid === 0) return;
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  await lchown(join(folder, 'hatch.json'), uid, gid);
  await chmod(clusterFolders(draft).root, 0o700);
}
