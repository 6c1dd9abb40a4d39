import type { Db } from '#database/schema.ts';
import { type KeySet, type KeySetCache, openKeySecrets } from '#payment/server/keys/key-sets.ts';
import { ProviderKeysRefused } from '#payment/server/provider.ts';
import { openStripe } from '#payment/server/stripe/client.ts';

/** Key sets that do not change; without any, the shop has no keys. A set also needs its row. */
export function fixedKeySets(sets: readonly KeySet[] = [], dataDir = '/nowhere'): KeySetCache {
  return {
    current: () => sets.find(({ isCurrent }) => isCurrent) ?? null,
    cards() {
      const has_card_keys = sets.some(({ isCurrent }) => isCurrent);
      return { card_provider: has_card_keys ? 'stripe' : null, has_card_keys };
    },
    usable: () => sets,
    get(id) {
      const found = sets.find((set) => set.id === id);
      if (!found) throw new ProviderKeysRefused(`there is no key set ${id}`);
      return found;
    },
    reload: async () => {},
    secrets: openKeySecrets({ dataDir }),
    openStripe: (secretKey) => openStripe(secretKey, null),
  };
}

/** A key set's row, as of an account that was connected in the past. */
export async function addKeySet(db: Db, id: string, provider: KeySet['provider'] = 'stripe'): Promise<void> {
  const at = new Date('2026-11-01T12:00:00Z');
  await db
    .insertInto('payment_key_sets')
    .values({
      id,
      provider,
      source: 'typed',
      mode: 'test',
      account: null,
      account_name: null,
      key_hint: '4242',
      key_hash: Buffer.alloc(32),
      endpoint_id: null,
      endpoint_url: null,
      sealed: null,
      problem: null,
      trial: null,
      created_at: at,
      replaced_at: at,
    })
    .execute();
}
