import type { CardKeys } from '#store/card-provider.ts';
import { changeStore, type ChangingCall, type StoreChanges } from '#store/server/change-store.ts';

/**
 * Tells every store what the shop's keys at a card provider mean now. With `isChanged` each store counts as changed even if it
 * knows already, so that open pages ask again.
 */
export async function setCardKeys(
  services: StoreChanges,
  call: ChangingCall,
  cards: CardKeys,
  isChanged: boolean,
): Promise<void> {
  const stores = await call.db
    .selectFrom('stores')
    .select(['id', 'card_provider', 'has_card_keys'])
    .where('deleted_at', 'is', null)
    // Always in one order: two changes at the same time wait for each other instead of stopping each other.
    .orderBy('id')
    .execute();
  for (const { id, card_provider, has_card_keys } of stores) {
    const isKnown = card_provider === cards.card_provider && has_card_keys === cards.has_card_keys;
    if (!isChanged && isKnown) continue;
    await changeStore(services, call, id, 'store', (tx) =>
      tx.updateTable('stores').set(cards).where('id', '=', id).execute(),
    );
  }
}
