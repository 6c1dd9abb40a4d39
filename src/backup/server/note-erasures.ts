import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { lockName, withBackupLock } from '#backup/server/backup-lock.ts';
import { readIndex } from '#backup/server/copy-files.ts';
import { noteErasures } from '#backup/server/erasure-list.ts';
import { shopIdOf } from '#backup/server/copy-source.ts';
import { isBucket, openPlaceAt, type PlaceSettings } from '#backup/server/places/place-settings.ts';
import { holdsSealed } from '#backup/server/sealing/read-place.ts';
import { sendErasures } from '#backup/server/sealing/send-copy.ts';
import { currentPlace, keysOf, readKeysRow } from '#backup/server/second-place.ts';
import type { SendingShop } from '#backup/server/send-backup.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { listErasures, newestErasure } from '#database/erasures.ts';
import type { BaseServices } from '#database/services.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

type Services = Pick<BaseServices, 'log'> & SendingShop;

/** Milliseconds until a folder or a bucket is tried again: its disk may not be connected. */
const retryIn = 60 * 60_000;

/** Adds new erasures to the lists beside the copies, wherever this shop was copied to. */
export const noteErasuresWork = (services: Services): DueWork<string[]> => ({
  name: 'erasures beside copies',
  due: (now) => sql`array(
    select path from copy_folders where check_at <= ${now}
      and noted < ${newestErasure})`,
  async work(paths) {
    for (const path of paths) await noteIn(services, path);
  },
});

async function noteIn(services: Services, path: string): Promise<void> {
  const { db, log, now } = services;
  try {
    if (isBucket(path) || holdsSealed(path)) await noteInPlace(services, path);
    else await inTransaction(db, (tx) => note(tx, path));
  } catch (error) {
    log.warn({ err: error, folder: path }, 'the erasures could not be listed beside the copies');
    const later = new Date(now().getTime() + retryIn);
    await db.updateTable('copy_folders').set({ check_at: later }).where('path', '=', path).execute();
  }
}

/** A copy that is being sent adds the erasures itself. */
async function noteInPlace(services: Services, path: string): Promise<void> {
  const { database, db } = services;
  const settings = await settingsOf(services, path);
  // Without a key, or the bucket's access, it gets no copies either.
  if (settings === null) return forgetFolder(db, path);
  await withBackupLock(database, 'place', async () => {
    const erasures = await listErasures(db);
    const order = { place: openPlaceAt(settings), keys: await keysOf(services), shopId: await shopIdOf(db) };
    await sendErasures(order, erasures);
    await setNoted(db, path, erasures);
  });
}

async function settingsOf(services: Services, path: string): Promise<PlaceSettings | null> {
  if ((await readKeysRow(services.db)) === null) return null;
  if (!isBucket(path)) return { address: path, s3: null };
  const current = await currentPlace(services);
  return current?.settings.address === path ? current.settings : null;
}

/** A copy that is being made writes the same files, and adds the erasures itself. */
async function note(tx: Tx, path: string): Promise<void> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${lockName('copies')}, 0)) as is_mine`.execute(tx);
  if (!rows[0]?.is_mine) return;
  const index = (await stat(path)).isDirectory() ? await readIndex(path) : null;
  if (index === null) throw new Error(`${path} has no copies now`);
  if (index.shop_id !== (await shopIdOf(tx))) return forgetFolder(tx, path);
  const erasures = await listErasures(tx);
  await noteErasures(path, index, erasures);
  await setNoted(tx, path, erasures);
}

async function forgetFolder(db: Tx | SendingShop['db'], path: string): Promise<void> {
  await db.deleteFrom('copy_folders').where('path', '=', path).execute();
}

async function setNoted(
  db: Tx | SendingShop['db'],
  path: string,
  erasures: Awaited<ReturnType<typeof listErasures>>,
): Promise<void> {
  const noted = erasures.at(-1)?.number ?? 0;
  await db.updateTable('copy_folders').set({ noted }).where('path', '=', path).execute();
}
