import type { Place } from '#backup/server/places/place.ts';
import { type Restored, restoreFetched, type RestoreOrder } from '#backup/server/restore-copy.ts';
import { fetchCopy, openPlace } from '#backup/server/sealing/open-place.ts';

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
  const { fetched, ...restored } = await restoreFetched(order, async (into) => {
    const { secretsKey, hasErasures } = await fetchCopy(opened, order.until, into);
    return { secretsKey: secretsKey ?? order.secretsKey, secrets_key: secretsKey, hasErasures };
  });
  const { hasErasures, secrets_key } = fetched;
  return { ...restored, has_erasures: hasErasures && restored.has_erasures, secrets_key };
}
