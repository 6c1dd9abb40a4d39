import type { KeySet, KeySets } from '#payment/server/keys/key-sets.ts';
import { openSecretStore } from '#payment/server/keys/key-secrets.ts';
import { KeysRefused } from '#payment/server/provider.ts';
import { openStripe } from '#payment/server/stripe/client.ts';

/** Key sets that do not change; without any, the shop has no keys. A set also needs its row. */
export function fixedKeySets(sets: readonly KeySet[] = [], dataDir = '/nowhere'): KeySets {
  return {
    current: () => sets.find(({ isCurrent }) => isCurrent) ?? null,
    live: () => sets,
    get(id) {
      const found = sets.find((set) => set.id === id);
      if (!found) throw new KeysRefused(`there is no key set ${id}`);
      return found;
    },
    reload: async () => {},
    secrets: openSecretStore({ dataDir }),
    openStripe: (secretKey) => openStripe(secretKey, null),
    stop: async () => {},
  };
}
