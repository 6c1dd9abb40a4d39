import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { RealtimeEvent } from '#realtime/events.ts';
import { menuUpdated, storeDeleted, storeUpdated } from '#shop/events.ts';
import type { EventMaker } from '#realtime/server/outbox.ts';
import { lastStoreRow, presentStore, publicStore } from '#store/server/store-views.ts';

/** The events of a changed store, with its public fields, and of a changed menu, with its version, to every page that shows it. */
export function shopEvents(menus: ShopCache, config: { PAYMENT_SANDBOX: boolean }): EventMaker {
  return (tx, entries) =>
    Promise.all(
      entries.map(async ({ topic, scopeId: storeId }): Promise<RealtimeEvent[]> => {
        const known = await menus.store(tx, storeId);
        if (known)
          return [topic === 'store' ? storeUpdated(publicStore(known.store)) : menuUpdated(storeId, known.version)];
        const row = await lastStoreRow(tx, storeId);
        return row ? [storeDeleted(publicStore(presentStore(row, config)))] : [];
      }),
    );
}
