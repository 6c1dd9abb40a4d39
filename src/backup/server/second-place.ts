import { randomUUIDv7 } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { BackupPlace } from '#backup/place-contract.ts';
import { keyMarkWords, type SealedObject } from '#backup/sealed.ts';
import { folderReason, hintOf } from '#backup/server/places/folder-place.ts';
import { isBucket, openPlaceAt, type PlaceSettings } from '#backup/server/places/place-settings.ts';
import type { SealingKeys } from '#backup/server/sealing/key-pair.ts';
import { makeKeysAside } from '#backup/server/sealing/sealing-process.ts';
import { sendCopy, type SentCopy } from '#backup/server/sealing/send-copy.ts';
import type { BackupKeysTable, BackupPlacesTable, Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { ConfigError } from '#platform/errors.ts';
import { openSecretStore } from '#platform/server/secrets/secret-store.ts';
import { firstTradingStore } from '#store/server/store-views.ts';

export interface PlaceShop {
  config: {
    dataDir: string;
    SECRETS_KEY?: string | undefined;
    BACKUP_PASSPHRASE?: string | undefined;
    backupPlace: PlaceSettings | null;
    /** The bucket of uploads, whose key is refused here. */
    bucket: { accessKeyId: string } | null;
  };
  db: Db;
  now(): Date;
}

export type KeysRow = Selectable<BackupKeysTable>;
export type PlaceRow = Selectable<BackupPlacesTable>;

/** The secrets that this machine knows: the one that signs lists of copies, and the bucket's. */
export function openBackupSecrets(config: PlaceShop['config']) {
  return openSecretStore(config, {
    folder: 'backup-keys',
    use: 'hatch backup keys',
    schema: z.strictObject({ secret: z.string() }),
  });
}

export async function readKeysRow(db: Db): Promise<KeysRow | null> {
  return (await db.selectFrom('backup_keys').selectAll().executeTakeFirst()) ?? null;
}

export async function readPlaceRow(db: Db): Promise<PlaceRow | null> {
  return (await db.selectFrom('backup_places').selectAll().executeTakeFirst()) ?? null;
}

/** The shop's keys; those of BACKUP_PASSPHRASE are made at the first need. Throws ConfigError without a passphrase. */
export async function keysOf({ db, config, now }: PlaceShop): Promise<SealingKeys> {
  let row = await readKeysRow(db);
  if (row === null && config.BACKUP_PASSPHRASE !== undefined) {
    const made = await makeKeysAside(config.BACKUP_PASSPHRASE);
    await inTransaction(db, (tx) => storeKeys(tx, config, made, now()));
    row = await readKeysRow(db);
  }
  if (row === null)
    throw new ConfigError(
      'Copies leave this machine sealed only: set a passphrase in the office, or BACKUP_PASSPHRASE.',
    );
  const read = await openBackupSecrets(config).read(row.id, row.secret);
  if (read === null)
    throw new ConfigError('The key that signs sealed copies is not on this machine: set the passphrase again.');
  return { recipient: row.recipient, key: row.sealed_key, secret: read.secret };
}

/** Stores the first keys. false: of two at once, the other ones were first, and stay. */
export async function storeKeys(tx: Tx, config: PlaceShop['config'], made: SealingKeys, at: Date): Promise<boolean> {
  const id = randomUUIDv7();
  const { numInsertedOrUpdatedRows: stored } = await tx
    .insertInto('backup_keys')
    .values({
      id,
      recipient: made.recipient,
      sealed_key: made.key,
      secret: await openBackupSecrets(config).keep(id, { secret: made.secret }),
      made_at: at,
    })
    .onConflict((conflict) => conflict.column('is_only').doNothing())
    .executeTakeFirstOrThrow();
  return stored === 1n;
}

/** Forgets the keys, unless others took their place meanwhile, and the place whose copies they seal. */
export async function forgetKeys(tx: Tx, id: string): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('backup_keys').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await tx.deleteFrom('backup_places').execute();
  await tx.deleteFrom('backup_objects').execute();
}

/** Sets the place, and forgets the one before. */
export async function storePlace(
  tx: Tx,
  config: PlaceShop['config'],
  { address, s3 }: PlaceSettings,
  { at, isFromSettings = false }: { at: Date; isFromSettings?: boolean },
): Promise<void> {
  const id = randomUUIDv7();
  await tx.deleteFrom('backup_places').execute();
  const secret =
    s3 && !isFromSettings ? await openBackupSecrets(config).keep(id, { secret: s3.secretAccessKey }) : null;
  await tx
    .insertInto('backup_places')
    .values({
      id,
      address,
      endpoint: s3?.endpoint ?? null,
      region: s3?.region ?? null,
      access_key_id: s3?.accessKeyId ?? null,
      secret,
      is_from_settings: isFromSettings,
      set_at: at,
    })
    .execute();
}

/** Whether copies are to go to a place that does not burn with this machine. */
export async function hasSecondPlace(
  db: Db,
  { backupPlace, BACKUP_PASSPHRASE }: Pick<PlaceShop['config'], 'backupPlace' | 'BACKUP_PASSPHRASE'>,
): Promise<boolean> {
  // Without a key, nothing leaves this machine.
  if (BACKUP_PASSPHRASE === undefined && (await readKeysRow(db)) === null) return false;
  return backupPlace !== null || (await readPlaceRow(db))?.is_from_settings === false;
}

/** The place that is in force, with its row; null: none is set. BACKUP_TO comes before the office. */
export async function currentPlace({
  db,
  config,
  now,
}: PlaceShop): Promise<{ row: PlaceRow; settings: PlaceSettings } | null> {
  const { backupPlace } = config;
  let row = await readPlaceRow(db);
  if (backupPlace && (row?.address !== backupPlace.address || !row.is_from_settings)) {
    await inTransaction(db, (tx) => storePlace(tx, config, backupPlace, { at: now(), isFromSettings: true }));
    row = await readPlaceRow(db);
  }
  if (row === null) return null;
  if (backupPlace) return { row, settings: backupPlace };
  if (row.is_from_settings) {
    await db.deleteFrom('backup_places').where('id', '=', row.id).execute();
    return null;
  }
  if (!isBucket(row.address)) return { row, settings: { address: row.address, s3: null } };
  const read = await openBackupSecrets(config).read(row.id, row.secret);
  if (read === null)
    throw new ConfigError(`The keys of ${row.address} are not on this machine: set the second place again.`);
  const { endpoint, region, access_key_id } = row;
  const s3 = {
    endpoint: endpoint ?? '',
    region: region ?? '',
    accessKeyId: access_key_id ?? '',
    secretAccessKey: read.secret,
  };
  return { row, settings: { address: row.address, s3 } };
}

export interface MadeCopyAt {
  /** A folder of copies, and the number of the copy in it. */
  folder: string;
  number: number;
}

/**
 * Seals a copy into the second place, and removes old copies there. null: no place is set. Throws ConfigError with
 * words for a person, which the office shows, too; the copies that are there stay as they are.
 */
export async function sendToSecondPlace(shop: PlaceShop, copy: MadeCopyAt): Promise<SentCopy | null> {
  try {
    const current = await currentPlace(shop);
    return current && (await sendTo(shop, current.settings, copy));
  } catch (error) {
    await shop.db
      .updateTable('backup_places')
      .set({ problem: problemOf(error) })
      .execute();
    throw error;
  }
}

/** As `sendToSecondPlace`, to a named place. */
export async function sendTo(shop: PlaceShop, settings: PlaceSettings, copy: MadeCopyAt): Promise<SentCopy> {
  const { db, config, now } = shop;
  const keys = await keysOf(shop);
  const { address } = settings;
  return withSendingLock(db, async () => {
    const row = await readPlaceRow(db);
    const isSet = row?.address === address;
    const sent = await sendCopy({
      ...copy,
      place: openPlaceAt(settings),
      keys,
      known: await knownObjects(db, address),
      remember: (sha256, object) => rememberObject(db, address, sha256, object),
      secretsKey: config.SECRETS_KEY,
      store: await firstTradingStore(db),
      lastNumber: isSet ? row.sent_number : null,
    });
    await forgetObjects(db, address, sent.objects);
    if (isSet) {
      const { number, copies, damaged } = sent;
      const problem =
        damaged.length === 0
          ? null
          : `Files of ${damaged.length === 1 ? 'copy' : 'copies'} ${damaged.join(', ')} are gone from ${address}. The newest copy is whole.`;
      await db
        .updateTable('backup_places')
        .set({ sent_at: now(), sent_number: number, copies, problem })
        .where('id', '=', row.id)
        .execute();
    }
    return sent;
  });
}

export function problemOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return `This did not work: ${error instanceof Error ? error.message : String(error)}`;
}

/** One copy is sent at a time, whichever program sends it. */
function withSendingLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const key = sql`hashtextextended('hatch backup place', 0)`;
  return db.connection().execute(async (one) => {
    const { rows } = await sql<{ is_mine: boolean }>`select pg_try_advisory_lock(${key}) as is_mine`.execute(one);
    if (!rows[0]?.is_mine) throw new ConfigError('Another copy is being sent: try again when it is done.');
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(one);
    }
  });
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

/** Forgets the objects that no copy of the place needs. */
async function forgetObjects(db: Db, place: string, needed: ReadonlySet<string>): Promise<void> {
  await db
    .deleteFrom('backup_objects')
    .where('place', '=', place)
    .where(sql<boolean>`name <> all (${[...needed]}::text[])`)
    .execute();
}

/** Whether a folder is on the disk of the data folder. */
export async function isOnSameDisk(dataDir: string, folder: string): Promise<boolean> {
  const [own, other] = await Promise.all([stat(dataDir), stat(folder)].map((found) => found.catch(() => null)));
  return own?.dev !== undefined && own.dev === other?.dev;
}

export async function presentPlace(shop: PlaceShop): Promise<BackupPlace> {
  const keys = await readKeysRow(shop.db);
  return {
    key: keys && {
      mark: keyMarkWords(keys.recipient),
      made_at: keys.made_at.toISOString(),
      sheet_confirmed_at: keys.sheet_confirmed_at?.toISOString() ?? null,
    },
    place: await presentPlaceAlone(shop),
  };
}

/** The second place; null: none is set. A place that BACKUP_TO sets has no row before the first copy is sent there. */
async function presentPlaceAlone({ db, config }: PlaceShop): Promise<BackupPlace['place']> {
  const row = await readPlaceRow(db);
  const { backupPlace: set } = config;
  if (set === null) return row && !row.is_from_settings ? presentRow(row, config.dataDir) : null;
  if (row?.is_from_settings && row.address === set.address) return presentRow(row, config.dataDir);
  const { address, s3 } = set;
  const access = {
    endpoint: s3?.endpoint ?? null,
    region: s3?.region ?? null,
    access_key_id: s3?.accessKeyId ?? null,
  };
  const never = { sent_at: null, copies: 0, problem: null };
  return presentRow({ address, ...access, is_from_settings: true, ...never }, config.dataDir);
}

type ShownRow = Pick<
  PlaceRow,
  'address' | 'endpoint' | 'region' | 'access_key_id' | 'is_from_settings' | 'sent_at' | 'copies' | 'problem'
>;

async function presentRow(row: ShownRow, dataDir: string): Promise<NonNullable<BackupPlace['place']>> {
  const { address, endpoint, region, access_key_id, is_from_settings, sent_at, copies, problem } = row;
  const is_same_disk = !isBucket(address) && (await isOnSameDisk(dataDir, address));
  const access = { endpoint, region, access_key_id };
  return {
    to: address,
    ...access,
    is_from_settings,
    is_same_disk,
    sent_at: sent_at?.toISOString() ?? null,
    copies,
    problem,
  };
}

/** Makes a folder that somebody just named; later it must be there, in case its disk is not connected. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`The folder ${folder} cannot be made: ${folderReason(error)}. ${hintOf(error, folder)}`, {
      cause: error,
    });
  }
}
