import { realpath } from 'node:fs/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { SealedObject } from '#backup/sealed.ts';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import { recordCopyFolder } from '#backup/server/erasure-list.ts';
import { isBucketAddress, openSecondPlace, type PlaceSettings } from '#backup/server/places/place-settings.ts';
import { sendCopy, type SentCopy } from '#backup/server/sealing/send-copy.ts';
import {
  syncAndReadSecondPlace,
  loadSealingKeys,
  recordSecondPlaceProblem,
  type SecondPlaceServices,
  placeProblemWords,
  readPlaceRow,
} from '#backup/server/second-place.ts';
import { listErasures } from '#database/erasures.ts';
import type { Db } from '#database/schema.ts';
import { ConfigError } from '#platform/errors.ts';
import { readTradingDaySettings } from '#store/server/store-views.ts';

export interface BackupSendServices extends SecondPlaceServices {
  /** The connection uses no pooler, because the lock on the backups needs a database session of its own. */
  database: string | pg.PoolConfig;
}

export interface LocatedCopy {
  folder: string;
  number: number;
  /** Whether the backup's trial restore succeeded. */
  isProven: boolean;
}

/**
 * Encrypts a backup into the second backup location, and removes old backups there; null: no location is set. An error
 * is recorded for the office, and thrown.
 */
export async function sendCopyToSecondPlace(shop: BackupSendServices, copy: LocatedCopy): Promise<SentCopy | null> {
  try {
    const current = await syncAndReadSecondPlace(shop);
    return current && (await sendCopyToPlace(shop, current.settings, copy));
  } catch (error) {
    await recordSecondPlaceProblem(shop.db, placeProblemWords(error), shop.now());
    throw error;
  }
}

/** Encrypts a backup into any given backup location, and removes old backups there. Throws ConfigError. */
export async function sendCopyToPlace(
  shop: BackupSendServices,
  settings: PlaceSettings,
  copy: LocatedCopy,
): Promise<SentCopy> {
  const { db, config, now, database } = shop;
  const keys = await loadSealingKeys(shop);
  const { address } = settings;
  const sent = await withBackupLock(database, 'place', async ({ client, lost }) => {
    const row = await readPlaceRow(db);
    const isSet = row?.address === address;
    let noted = '0';
    const erasures = async () => {
      const all = await listErasures(db);
      noted = all.at(-1)?.number ?? '0';
      return all;
    };
    const done = await sendCopy({
      ...copy,
      place: openSecondPlace(settings),
      keys,
      known: await knownObjects(db, address),
      remember: (sha256, object) => rememberObject(db, address, sha256, object),
      secretsKey: config.SECRETS_KEY,
      store: await readTradingDaySettings(db),
      lastNumber: isSet ? row.sent_number : null,
      erasures,
      lost,
    });
    await forgetObjects(db, address, done.objects);
    if (isSet) {
      const { number, copies } = done;
      const problem = missingFilesWords(done, address);
      await db
        .updateTable('backup_places')
        .set({ sent_at: now(), sent_number: number, copies, problem, failed_at: null })
        .where('id', '=', row.id)
        .execute();
    }
    // Later erasures must be recorded in this location. That is impossible in a bucket that is not set as the second
    // location, because the shop has no access keys for it.
    if (isSet || !isBucketAddress(address))
      await recordCopyFolder(client, isBucketAddress(address) ? address : await realpath(address), noted);
    return done;
  });
  if (sent === null) throw new ConfigError('Another copy is being sent: try again when it is done.');
  return sent.done;
}

function missingFilesWords({ damaged }: SentCopy, address: string): string | null {
  if (damaged.length === 0) return null;
  const copies = `${damaged.length === 1 ? 'copy' : 'copies'} ${damaged.join(', ')}`;
  return `Files of ${copies} are gone from ${address}. The newest copy is whole.`;
}

async function knownObjects(db: Db, address: string): Promise<Map<string, SealedObject>> {
  const rows = await db.selectFrom('backup_objects').selectAll().where('place', '=', address).execute();
  return new Map(rows.map(({ sha256, name, size }) => [sha256, { name, size: Number(size) }]));
}

async function rememberObject(db: Db, place: string, sha256: string, object: SealedObject): Promise<void> {
  await db
    .insertInto('backup_objects')
    .values({ place, sha256, ...object })
    .onConflict((conflict) => conflict.columns(['place', 'sha256']).doUpdateSet(object))
    .execute();
}

/** Deletes the rows of objects that no backup in the location needs. */
async function forgetObjects(db: Db, place: string, needed: ReadonlySet<string>): Promise<void> {
  await db
    .deleteFrom('backup_objects')
    .where('place', '=', place)
    .where(sql<boolean>`name <> all (${[...needed]}::text[])`)
    .execute();
}
