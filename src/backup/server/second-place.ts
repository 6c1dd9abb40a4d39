import { randomUUIDv7 } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { BackupPlace } from '#backup/place-contract.ts';
import { formatKeyMark } from '#backup/sealed.ts';
import { folderErrorWords, folderErrorAdvice } from '#backup/server/places/folder-place.ts';
import { isBucketAddress, type PlaceSettings } from '#backup/server/places/place-settings.ts';
import type { SealingKeys } from '#backup/server/sealing/key-pair.ts';
import { makeKeysInChildProcess } from '#backup/server/sealing/sealing-process.ts';
import type { BackupKeysTable, BackupPlacesTable, Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { ConfigError } from '#platform/errors.ts';
import { openSecretStore } from '#platform/server/secrets/secret-store.ts';

export interface SecondPlaceServices {
  config: {
    dataDir: string;
    SECRETS_KEY?: string | undefined;
    BACKUP_PASSPHRASE?: string | undefined;
    backupPlace: PlaceSettings | null;
    /** The uploads' bucket; its access key is refused for backups. */
    bucket: { accessKeyId: string } | null;
  };
  db: Db;
  now(): Date;
}

export type SealingKeysRow = Selectable<BackupKeysTable>;
export type SecondPlaceRow = Selectable<BackupPlacesTable>;

/** Opens the store for the secret that signs listings, and for the secret key of the backups' bucket. */
export function openBackupSecrets(config: SecondPlaceServices['config']) {
  return openSecretStore(config, {
    folder: 'backup-keys',
    use: 'hatch backup keys',
    schema: z.strictObject({ secret: z.string() }),
  });
}

export async function readKeysRow(db: Db): Promise<SealingKeysRow | null> {
  return (await db.selectFrom('backup_keys').selectAll().executeTakeFirst()) ?? null;
}

export async function readPlaceRow(db: Db): Promise<SecondPlaceRow | null> {
  return (await db.selectFrom('backup_places').selectAll().executeTakeFirst()) ?? null;
}

/**
 * Reads the keys of encrypted backups, or creates them from BACKUP_PASSPHRASE. Throws ConfigError if there are neither
 * keys nor a passphrase, or if the signing secret is missing.
 */
export async function loadSealingKeys({ db, config, now }: SecondPlaceServices): Promise<SealingKeys> {
  let row = await readKeysRow(db);
  if (row === null && config.BACKUP_PASSPHRASE !== undefined) {
    const made = await makeKeysInChildProcess(config.BACKUP_PASSPHRASE);
    await inTransaction(db, (tx) => storeSealingKeys(tx, config, made, now()));
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

/** Stores the keys of encrypted backups, unless the shop has such keys already. Returns false in that case. */
export async function storeSealingKeys(
  tx: Tx,
  config: SecondPlaceServices['config'],
  made: SealingKeys,
  at: Date,
): Promise<boolean> {
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
  if (stored !== 1n) await openBackupSecrets(config).wipe(id);
  return stored === 1n;
}

/** Deletes the second backup location, and the keys with this id. If these keys are already gone, changes nothing. */
export async function deleteSecondPlaceAndKeys(tx: Tx, id: string): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('backup_keys').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await tx.deleteFrom('backup_places').execute();
  await tx.deleteFrom('backup_objects').execute();
}

export async function wipeBackupSecrets(
  config: SecondPlaceServices['config'],
  gone: readonly ({ id: string } | null)[],
): Promise<void> {
  for (const row of gone) if (row !== null) await openBackupSecrets(config).wipe(row.id);
}

/**
 * Replaces the second backup location. The owner must confirm the recovery sheet again, because the sheet names the
 * location.
 */
export async function replaceSecondPlace(
  tx: Tx,
  config: SecondPlaceServices['config'],
  { address, s3 }: PlaceSettings,
  { at, isFromSettings = false }: { at: Date; isFromSettings?: boolean },
): Promise<void> {
  const id = randomUUIDv7();
  await tx.deleteFrom('backup_places').execute();
  await tx.updateTable('backup_keys').set({ sheet_confirmed_at: null }).execute();
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

/** Whether backups can be sent: a second backup location is set, and there are keys or a passphrase. */
export async function hasSecondPlace(
  db: Db,
  { backupPlace, BACKUP_PASSPHRASE }: Pick<SecondPlaceServices['config'], 'backupPlace' | 'BACKUP_PASSPHRASE'>,
): Promise<boolean> {
  if (BACKUP_PASSPHRASE === undefined && (await readKeysRow(db)) === null) return false;
  return backupPlace !== null || (await readPlaceRow(db))?.is_from_settings === false;
}

/** Whether a second backup location is set, with or without keys. */
export async function isSecondPlaceSet(
  db: Db,
  { backupPlace }: Pick<SecondPlaceServices['config'], 'backupPlace'>,
): Promise<boolean> {
  return backupPlace !== null || (await readPlaceRow(db)) !== null;
}

/**
 * Reads the second backup location: the one in BACKUP_TO, or else the one that was set in the office; null: none is
 * set.
 */
export async function syncAndReadSecondPlace({
  db,
  config,
  now,
}: SecondPlaceServices): Promise<{ row: SecondPlaceRow; settings: PlaceSettings } | null> {
  const { backupPlace } = config;
  let row = await readPlaceRow(db);
  if (backupPlace && (row?.address !== backupPlace.address || !row.is_from_settings)) {
    await inTransaction(db, (tx) => replaceSecondPlace(tx, config, backupPlace, { at: now(), isFromSettings: true }));
    await wipeBackupSecrets(config, [row]);
    row = await readPlaceRow(db);
  }
  if (row === null) return null;
  if (backupPlace) return { row, settings: backupPlace };
  if (row.is_from_settings) {
    await db.deleteFrom('backup_places').where('id', '=', row.id).execute();
    return null;
  }
  if (!isBucketAddress(row.address)) return { row, settings: { address: row.address, s3: null } };
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

export function placeProblemWords(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return `This did not work: ${error instanceof Error ? error.message : String(error)}`;
}

export async function recordSecondPlaceProblem(db: Db, problem: string, at: Date): Promise<void> {
  await db.updateTable('backup_places').set({ problem, failed_at: at }).execute();
}

export async function isOnSameDisk(dataDir: string, folder: string): Promise<boolean> {
  const [own, other] = await Promise.all([stat(dataDir), stat(folder)].map((found) => found.catch(() => null)));
  return own?.dev !== undefined && own.dev === other?.dev;
}

export async function presentSecondPlace(shop: SecondPlaceServices): Promise<BackupPlace> {
  const keys = await readKeysRow(shop.db);
  return {
    key: keys && {
      mark: formatKeyMark(keys.recipient),
      made_at: keys.made_at.toISOString(),
      sheet_confirmed_at: keys.sheet_confirmed_at?.toISOString() ?? null,
    },
    place: await presentCurrentPlace(shop),
  };
}

/**
 * Presents the current location. After a change of BACKUP_TO, the database has no row of the new location until the
 * first check after the start. Until then the settings are presented.
 */
async function presentCurrentPlace({ db, config }: SecondPlaceServices): Promise<BackupPlace['place']> {
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
  SecondPlaceRow,
  'address' | 'endpoint' | 'region' | 'access_key_id' | 'is_from_settings' | 'sent_at' | 'copies' | 'problem'
>;

async function presentRow(row: ShownRow, dataDir: string): Promise<NonNullable<BackupPlace['place']>> {
  const { address, endpoint, region, access_key_id, is_from_settings, sent_at, copies, problem } = row;
  const is_same_disk = !isBucketAddress(address) && (await isOnSameDisk(dataDir, address));
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

/**
 * Creates a folder when a person names it. Later a missing folder is not created, because its disk may not be
 * connected.
 */
export async function createPlaceFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(
      `The folder ${folder} cannot be made: ${folderErrorWords(error)}. ${folderErrorAdvice(error, folder)}`,
      {
        cause: error,
      },
    );
  }
}
