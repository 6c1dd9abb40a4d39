import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { backupLockName, withBackupLock } from '#backup/server/backup-lock.ts';
import { readIndex } from '#backup/server/copy-layout.ts';
import { recordErasures } from '#backup/server/erasure-list.ts';
import { readShopId } from '#backup/server/copy-source.ts';
import { isBucketAddress, openSecondPlace, type PlaceSettings } from '#backup/server/places/place-settings.ts';
import { hasSealedCopies } from '#backup/server/sealing/read-place.ts';
import { sendErasures } from '#backup/server/sealing/send-copy.ts';
import { syncAndReadSecondPlace, loadSealingKeys, readKeysRow } from '#backup/server/second-place.ts';
import type { BackupSendServices } from '#backup/server/send-backup.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { listErasures, newestErasureNumberSql } from '#database/erasures.ts';
import type { BaseServices } from '#database/services.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

type Services = Pick<BaseServices, 'log'> & BackupSendServices;

/** The delay before a retry (ms), for example if the folder's disk is not connected. */
const retryIn = 60 * 60_000;

/** Adds new erasures to the list in each folder and bucket of backups. */
export const recordErasuresWork = (services: Services): DueWork<string[]> => ({
  name: 'erasures beside copies',
  due: (now) => sql`array(
    select path from copy_folders where check_at <= ${now}
      and noted < ${newestErasureNumberSql})`,
  async work(paths) {
    for (const path of paths) await recordIn(services, path);
  },
});

async function recordIn(services: Services, path: string): Promise<void> {
  const { db, log, now } = services;
  try {
    if (isBucketAddress(path) || hasSealedCopies(path)) await recordInSecondPlace(services, path);
    else await inTransaction(db, (tx) => recordInFolder(tx, path));
  } catch (error) {
    log.warn({ err: error, folder: path }, 'the erasures could not be listed beside the copies');
    const later = new Date(now().getTime() + retryIn);
    await db.updateTable('copy_folders').set({ check_at: later }).where('path', '=', path).execute();
  }
}

/**
 * Adds the erasures to the list in a location of encrypted backups. While a backup is being sent it does nothing,
 * because the sending writes the list.
 */
async function recordInSecondPlace(services: Services, path: string): Promise<void> {
  const { database, db } = services;
  const settings = await settingsOf(services, path);
  // The location or its keys were removed from the settings. No backup is sent there any more, so its list of erasures
  // is not continued.
  if (settings === null) return forgetFolder(db, path);
  await withBackupLock(database, 'place', async () => {
    const erasures = await listErasures(db);
    const order = {
      place: openSecondPlace(settings),
      keys: await loadSealingKeys(services),
      shopId: await readShopId(db),
    };
    await sendErasures(order, erasures);
    await setRecorded(db, path, erasures);
  });
}

async function settingsOf(services: Services, path: string): Promise<PlaceSettings | null> {
  if ((await readKeysRow(services.db)) === null) return null;
  if (!isBucketAddress(path)) return { address: path, s3: null };
  const current = await syncAndReadSecondPlace(services);
  return current?.settings.address === path ? current.settings : null;
}

/**
 * Adds the erasures to the list in a folder. While a backup is being made it does nothing, because that backup writes
 * the list.
 */
async function recordInFolder(tx: Tx, path: string): Promise<void> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${backupLockName('copies')}, 0)) as is_mine`.execute(tx);
  if (!rows[0]?.is_mine) return;
  const index = (await stat(path)).isDirectory() ? await readIndex(path) : null;
  if (index === null) throw new Error(`${path} has no copies now`);
  if (index.shop_id !== (await readShopId(tx))) return forgetFolder(tx, path);
  const erasures = await listErasures(tx);
  await recordErasures(path, index, erasures);
  await setRecorded(tx, path, erasures);
}

async function forgetFolder(db: Tx | BackupSendServices['db'], path: string): Promise<void> {
  await db.deleteFrom('copy_folders').where('path', '=', path).execute();
}

async function setRecorded(
  db: Tx | BackupSendServices['db'],
  path: string,
  erasures: Awaited<ReturnType<typeof listErasures>>,
): Promise<void> {
  const noted = erasures.at(-1)?.number ?? 0;
  await db.updateTable('copy_folders').set({ noted }).where('path', '=', path).execute();
}
