import type { SecondPlace } from '#backup/server/places/place.ts';
import { fetchAndRestore, type RestoreOptions, type RestoreResult } from '#backup/server/restore-copy.ts';
import { fetchCopy, unlockSecondPlace } from '#backup/server/sealing/open-place.ts';

export interface SealedRestoreResult extends RestoreResult {
  /** The SECRETS_KEY that the backup needs; null: none. */
  secrets_key: string | null;
}

/**
 * Restores a complete data folder from an encrypted backup, or nothing. During the restore the data folder also
 * contains the decrypted backup. Throws ConfigError.
 */
export async function restoreSealedCopy(
  order: Omit<RestoreOptions, 'from'>,
  place: SecondPlace,
  askPassphrase: () => Promise<string>,
): Promise<SealedRestoreResult> {
  const opened = await unlockSecondPlace(place, askPassphrase);
  const { fetched, ...restored } = await fetchAndRestore(order, async (into) => {
    const { secretsKey, hasErasures } = await fetchCopy(opened, order.until, into);
    return { secretsKey: secretsKey ?? order.secretsKey, secrets_key: secretsKey, hasErasures };
  });
  const { hasErasures, secrets_key } = fetched;
  return { ...restored, has_erasures: hasErasures && restored.has_erasures, secrets_key };
}
