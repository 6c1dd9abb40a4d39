import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { chooseCopyNumbersToRemove, leavesDiskReserve } from '#backup/schedule.ts';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import { recordPresentCopies, findLastGoodCopyNumber } from '#backup/server/backup-rows.ts';
import { listCopies, fileNamesIn, uploadsFolderIn } from '#backup/server/copy-layout.ts';
import { ownFilesOfCopy, removeCopies } from '#backup/server/make-copy.ts';
import type { DiskSpace } from '#database/health.ts';
import type { Db } from '#database/schema.ts';
import { isStoredFileName } from '#platform/server/files/stored-files.ts';

export const localCopiesFolder = (dataDir: string): string => join(dataDir, 'backups');
export const scratchFolderIn = (folder: string): string => join(folder, '.proof');

interface OwnShop {
  /** The connection uses no pooler, because the lock on the backups needs a database session of its own. */
  database: string | pg.PoolConfig;
  db: Db;
  now(): Date;
}

/**
 * Removes old backups from the data folder, but never the last good one. Removes none while a backup is being made,
 * because that backup shares pictures with old ones.
 */
export async function removeOldCopies({ database, db, now }: OwnShop, folder: string): Promise<void> {
  await withBackupLock(database, 'copies', async () => {
    const found = await listCopies(folder);
    await recordPresentCopies(db, found, now());
    const numbers = found.map(({ number }) => number);
    const old = chooseCopyNumbersToRemove(numbers, await findLastGoodCopyNumber(db, found));
    if (old.length === 0) return;
    await removeCopies(folder, ({ number }) => old.includes(number));
    const rest = found.filter(({ number }) => !old.includes(number));
    await recordPresentCopies(db, rest, now());
  });
}

export interface CopySizes {
  database: number;
  /** The size of the data folder's pictures (bytes). */
  uploads: number;
  /** The estimated number of bytes that the next backup adds to the folder. */
  copy: number;
}

/**
 * Measures the shop in bytes. The next backup's size is an estimate: the last backup's own files and a quarter more,
 * plus the pictures that the folder lacks.
 */
export async function measureShop(db: Db, dataDir: string, folder: string): Promise<CopySizes> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
  const database = Number(rows[0]?.bytes ?? 0);
  const last = (await listCopies(folder)).at(-1)?.manifest;
  const rowBytes = last ? 1.25 * ownFilesOfCopy(last).reduce((sum, file) => sum + file.size, 0) : database;
  const copied = new Set(await fileNamesIn(uploadsFolderIn(folder)));
  const sizes = { uploads: 0, added: 0 };
  for (const name of (await fileNamesIn(uploadsFolderIn(dataDir))).filter(isStoredFileName)) {
    const bytes = (await stat(join(uploadsFolderIn(dataDir), name)).catch(() => null))?.size ?? 0;
    sizes.uploads += bytes;
    if (!copied.has(name)) sizes.added += bytes;
  }
  return { database, uploads: sizes.uploads, copy: rowBytes + sizes.added };
}

/**
 * The disk space that a trial restore needs (bytes). While a database is loaded, it takes about twice its later size.
 */
export const estimateTrialRestoreBytes = ({ database, uploads }: CopySizes): number => 2 * (database + uploads);

/** Returns an error message if `bytes` more would leave too little disk space; null: enough. */
export function diskSpaceFault(bytes: number, room: DiskSpace): string | null {
  if (leavesDiskReserve(bytes, room)) return null;
  return `Too little room would be left on the disk (${(room.free / 1e9).toFixed(1)} GB are free)`;
}
