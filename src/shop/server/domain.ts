import { endpointRegistration } from '#database/endpoint-registration.ts';
import { allMenuEndpoints } from '#menu/contract.ts';
import { menuHandlers } from '#menu/server/handlers.ts';
import type { MenuServices } from '#menu/server/services.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { cacheGuestReads, publicMenusHandlers } from '#shop/server/cached-reads.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { storeEndpoints } from '#store/contract.ts';
import { storeHandlers } from '#store/server/handlers.ts';
import type { StoreServices } from '#store/server/services.ts';
import type { RealtimeEvent } from '#realtime/events.ts';
import { menuUpdatedEvent, storeDeletedEvent, storeUpdatedEvent } from '#shop/events.ts';
import type { EventMaker } from '#realtime/server/outbox.ts';
import { findStoreRowEvenDeleted, presentStore, publicStore } from '#store/server/store-views.ts';

interface Services extends Pick<MenuServices, 'config' | 'jobs' | 'orders' | 'outbox'> {
  fastPath: FastPath;
  menus: ShopCache;
}

/** The calls of the store domain are registered here, because the shop domain caches their answers. */
export const storeCallsDomain = {
  name: 'store',
  calls: [
    endpointRegistration(storeEndpoints, (services: StoreServices & { menus: ShopCache }) =>
      cacheGuestReads(services.menus, storeEndpoints, storeHandlers(services), [
        'GET /v1/stores/{id}',
        'GET /v1/stores/{id}/slots',
      ]),
    ),
  ],
  takesTurns: true,
};

export const shopDomain = {
  /** The calls of the menu domain are registered here under its name, because the shop domain caches their answers. */
  name: 'menu',
  calls: [
    endpointRegistration(allMenuEndpoints, (services: Services) => {
      const { fastPath, menus } = services;
      const handlers = { ...menuHandlers(services), ...publicMenusHandlers(menus, fastPath) };
      return cacheGuestReads(menus, allMenuEndpoints, handlers, ['GET /v1/menus/store/{storeId}']);
    }),
  ],
  takesTurns: true,
  events({ menus, config }: { menus: ShopCache; config: Parameters<typeof shopEvents>[1] }) {
    const shops = shopEvents(menus, config);
    return { store: shops, menu: shops };
  },
};

/**
 * Makes the events for all pages. For a changed store the event has the public fields, for a changed menu the menu's
 * version. A deleted store's event has `is_deleted`.
 */
function shopEvents(menus: ShopCache, config: { PAYMENT_SANDBOX: boolean }): EventMaker {
  return (tx, entries) =>
    Promise.all(
      entries.map(async ({ topic, scopeId: storeId }): Promise<RealtimeEvent[]> => {
        const known = await menus.store(tx, storeId);
        if (known)
          return [
            topic === 'store' ? storeUpdatedEvent(publicStore(known.store)) : menuUpdatedEvent(storeId, known.version),
          ];
        const row = await findStoreRowEvenDeleted(tx, storeId);
        return row ? [storeDeletedEvent(publicStore(presentStore(row, config)))] : [];
      }),
    );
}
