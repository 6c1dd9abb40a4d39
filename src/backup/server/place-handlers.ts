import { relative } from 'node:path';
import { m } from '#messages';
import type { backupPlaceEndpoints } from '#backup/place-contract.ts';
import { testSecondPlace } from '#backup/server/sealing/send-copy.ts';
import {
  isBucketAddress,
  openSecondPlace,
  type PlaceSettings,
  normalisePlaceAddress,
} from '#backup/server/places/place-settings.ts';
import { isPassphraseCorrect, makeKeysInChildProcess } from '#backup/server/sealing/sealing-process.ts';
import {
  deleteSecondPlaceAndKeys,
  isOnSameDisk,
  loadSealingKeys,
  createPlaceFolder,
  type SecondPlaceServices,
  presentSecondPlace,
  readKeysRow,
  readPlaceRow,
  storeSealingKeys,
  replaceSecondPlace,
  wipeBackupSecrets,
} from '#backup/server/second-place.ts';
import { readShopId } from '#backup/server/copy-source.ts';
import { passwordWeakness } from '#accounts/server/hash-password.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, ConfigError, type FieldErrors, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { isTrafficPrivate } from '#platform/server/addresses.ts';

type SetPlace = HandlerInput<typeof backupPlaceEndpoints, 'POST /v1/backup-place', Db, Tx>['body'];

export function secondPlaceHandlers(shop: SecondPlaceServices): Handlers<typeof backupPlaceEndpoints, Db, Tx> {
  const { db, config } = shop;
  const present = async () => ({ data: await presentSecondPlace(shop) });
  return {
    'GET /v1/backup-place': present,

    'POST /v1/backup-place': async ({ body, now, audit }) => {
      refuseSettings(config);
      const settings = await validatePlace(config, body);
      await requireWorkingPlace(shop, settings);
      const before = await readPlaceRow(db);
      await inTransaction(db, async (tx) => {
        await replaceSecondPlace(tx, config, settings, { at: now });
        await audit(tx);
      });
      await wipeBackupSecrets(config, [before]);
      return present();
    },

    'DELETE /v1/backup-place': async ({ audit }) => {
      refuseSettings(config);
      const before = await readPlaceRow(db);
      await inTransaction(db, async (tx) => {
        await tx.deleteFrom('backup_places').execute();
        await audit(tx);
      });
      await wipeBackupSecrets(config, [before]);
      return present();
    },

    'POST /v1/backup-place/passphrase': async ({ body: { passphrase, starts_again }, now, audit }) => {
      const weakness = passwordWeakness(passphrase, []);
      if (weakness !== null) throw invalidFieldError('passphrase', weakness);
      const before = await readKeysRow(db);
      if (!starts_again && before !== null) throw new AppError('conflict', m.backup_place_has_key());
      const made = await makeKeysInChildProcess(passphrase);
      const place = before && (await readPlaceRow(db));
      await inTransaction(db, async (tx) => {
        if (before !== null) await deleteSecondPlaceAndKeys(tx, before.id);
        if (!(await storeSealingKeys(tx, config, made, now))) throw new AppError('conflict', m.backup_place_has_key());
        await audit(tx);
      });
      await wipeBackupSecrets(config, [before, place]);
      return present();
    },

    'POST /v1/backup-place/sheet': async ({ body: { passphrase }, now, audit }) => {
      const keys = await readKeysRow(db);
      if (keys === null) throw new AppError('conflict', m.backup_place_needs_passphrase());
      if (!(await isPassphraseCorrect(keys.sealed_key, passphrase)))
        throw invalidFieldError('passphrase', m.backup_place_wrong_passphrase());
      await inTransaction(db, async (tx) => {
        await tx.updateTable('backup_keys').set({ sheet_confirmed_at: now }).where('id', '=', keys.id).execute();
        await audit(tx);
      });
      return present();
    },
  };
}

function refuseSettings({ backupPlace: set }: SecondPlaceServices['config']): void {
  if (set !== null) throw new AppError('conflict', m.backup_place_by_settings());
}

/** Throws 422 if the backup location cannot be used. */
async function validatePlace(config: SecondPlaceServices['config'], body: SetPlace): Promise<PlaceSettings> {
  const address = normalisePlaceAddress(body.to);
  if (address === null) throw invalidFieldError('to', m.backup_place_bad_address());
  if (isBucketAddress(address)) return { address, s3: validateBucket(config, body) };
  const inData = relative(config.dataDir, address);
  if (inData === '' || !inData.startsWith('..')) throw invalidFieldError('to', m.backup_place_in_data());
  await asFieldError('to', createPlaceFolder(address));
  if (!body.allows_same_disk && (await isOnSameDisk(config.dataDir, address)))
    throw invalidFieldError('allows_same_disk', m.backup_place_same_disk());
  return { address, s3: null };
}

function validateBucket({ bucket }: SecondPlaceServices['config'], body: SetPlace): NonNullable<PlaceSettings['s3']> {
  const { endpoint, region, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = body;
  const fields = { endpoint, region, access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  const errors: FieldErrors = {};
  for (const [name, value] of Object.entries(fields)) if (value === null) errors[name] = [m.platform_field_needed()];
  if (Object.keys(errors).length > 0) throw new AppError('invalid', m.platform_field_needed(), { errors });
  const url = URL.parse(endpoint ?? '');
  if (url === null || !isTrafficPrivate(url)) throw invalidFieldError('endpoint', m.backup_place_bad_endpoint());
  // Backups must not use the uploads' access key, because a thief of that key could then delete them.
  if (accessKeyId === bucket?.accessKeyId) throw invalidFieldError('access_key_id', m.backup_place_uploads_key());
  return {
    endpoint: endpoint ?? '',
    region: region ?? '',
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  };
}

/** Writes a file to the backup location and reads it back. Throws 422 if that fails. */
async function requireWorkingPlace(shop: SecondPlaceServices, settings: PlaceSettings): Promise<void> {
  if ((await readKeysRow(shop.db)) === null && shop.config.BACKUP_PASSPHRASE === undefined)
    throw new AppError('conflict', m.backup_place_needs_passphrase());
  const order = {
    place: openSecondPlace(settings),
    keys: await loadSealingKeys(shop),
    shopId: await readShopId(shop.db),
  };
  await asFieldError('to', testSecondPlace(order));
}

/** Converts a ConfigError into the 422 error of this field. */
async function asFieldError<T>(field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ConfigError ? invalidFieldError(field, error.message) : error;
  }
}
