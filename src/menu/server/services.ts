import type { BaseServices } from '#database/services.ts';
import type { Db } from '#database/schema.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { SerialQueue } from '#platform/server/call-queues.ts';
import type { StoreCache } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

export interface MenuServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'> {
  config: { STORE_NAME?: string | undefined };
  /** The user with this id, from the accounts domain; null when the account is gone. */
  findPerson(db: Db, id: string): Promise<Viewer | null>;
  /** The queue in which changes of stores and menus wait before they use the database. */
  menuTurns: SerialQueue;
  menus: Pick<StoreCache, 'forget'>;
  orders: OrderReadsForMenu;
  outbox: Outbox;
}

/**
 * Reads about orders that the menu needs. They are passed in, because the ordering domain depends on the menu domain.
 */
export interface OrderReadsForMenu {
  countSold(db: Db, storeId: string, itemId: string): Promise<number>;
}

/**
 * The calls of the menu that the shop's cache answers. They are named here, because the cache's domain depends on the
 * menu's.
 */
export type CachedMenuCall = 'GET /v1/menus' | 'GET /v1/menus/{id}' | 'GET /v1/menus/store/{storeId}';
