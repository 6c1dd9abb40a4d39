import type { Db, Tx } from '#database/schema.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';
import { changeStore, type StoreChangeCall, type StoreChangeServices } from '#store/server/change-store.ts';

/** Returns the offers of each undeleted store; the oldest store comes first. */
export async function readOffers(db: Db): Promise<{ store_id: string; offers: StoredOffer[] }[]> {
  return db
    .selectFrom('stores')
    .select(['id as store_id', 'offers'])
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Replaces a store's offers under the store's lock, so that no order is priced while the offers change. */
export async function changeOffers(
  services: StoreChangeServices,
  call: StoreChangeCall,
  storeId: string,
  change: (offers: StoredOffer[]) => StoredOffer[],
): Promise<void> {
  await changeStore(services, call, storeId, 'store', async (tx: Tx) => {
    const { offers } = await tx
      .selectFrom('stores')
      .select('offers')
      .where('id', '=', storeId)
      .executeTakeFirstOrThrow();
    const changed = JSON.stringify(change(offers));
    await tx.updateTable('stores').set({ offers: changed }).where('id', '=', storeId).execute();
  });
}
