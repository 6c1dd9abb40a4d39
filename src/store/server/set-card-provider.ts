import { changeStore, type ChangingCall, type StoreChanges } from '#store/server/change-store.ts';

/**
 * Gives every store the provider whose keys the shop has now, or none. With `isChanged` each store counts as changed even if it
 * has that provider already, so that open pages ask again.
 */
export async function setCardProvider(
  services: StoreChanges,
  call: ChangingCall,
  provider: 'stripe' | null,
  isChanged: boolean,
): Promise<void> {
  const stores = await call.db
    .selectFrom('stores')
    .select(['id', 'card_provider'])
    .where('deleted_at', 'is', null)
    // Always in one order: two changes at the same time wait for each other instead of stopping each other.
    .orderBy('id')
    .execute();
  for (const { id, card_provider } of stores) {
    if (!isChanged && card_provider === provider) continue;
    await changeStore(services, call, id, 'store', (tx) =>
      tx.updateTable('stores').set({ card_provider: provider }).where('id', '=', id).execute(),
    );
  }
}
