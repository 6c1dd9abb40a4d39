import { readTaken } from '#ordering/server/slot-places.ts';
import type { StoreOrders } from '#store/server/services.ts';

/** The store domain's questions about orders. */
export const storeOrders: StoreOrders = {
  readTaken: (db, store, now) => readTaken(db, store, now),
  async hasAny(db, storeId) {
    const found = await db
      .selectFrom('orders')
      .select('id')
      .where('store_id', '=', storeId)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  },
};
