import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '#backup/server/places/place.ts';
import {
  fetchedFolder,
  refuseUsedFolder,
  type Restored,
  restoreCopy,
  type RestoreOrder,
} from '#backup/server/restore-copy.ts';
import { fetchCopy, openPlace } from '#backup/server/sealing/open-place.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { ConfigError } from '#platform/errors.ts';

export interface RestoredSealed extends Restored {
  /** The shop's SECRETS_KEY, which only sealed copies have; null: it had none. */
  secrets_key: string | null;
}

/**
 * Makes a shop's data folder from a sealed copy, as `restoreCopy` does from a folder of copies. Its files lie decrypted
 * in the data folder meanwhile. Throws ConfigError with words for a person.
 */
export async function restoreSealed(
  order: Omit<RestoreOrder, 'from'>,
  place: Place,
  askPassphrase: () => Promise<string>,
): Promise<RestoredSealed> {
  const opened = await openPlace(place, askPassphrase);
  await mkdir(order.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(order.dataDir);
  await refuseUsedFolder(dataDir);
  const from = join(dataDir, fetchedFolder);
  const remove = () => rm(from, { recursive: true, force: true });
  await remove();
  try {
    const { secretsKey } = await fetchCopy(opened, order.until, from);
    const known = secretsKey ?? order.secretsKey;
    const restored = await restoreCopy({ ...order, dataDir, from, until: null, secretsKey: known });
    // A second place has no list of erasures.
    return { ...restored, has_erasures: false, secrets_key: secretsKey };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOSPC' || systemErrorCode(error) === 'EDQUOT')
      throw new ConfigError(`The disk of ${dataDir} is full: nothing was restored.`, { cause: error });
    throw error;
  } finally {
    await remove();
  }
}
