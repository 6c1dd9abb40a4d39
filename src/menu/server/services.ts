import type { BaseServices } from '#database/services.ts';
import type { Db } from '#database/schema.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { Turns } from '#platform/server/turns.ts';
import type { CachedStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** The services of this domain's handlers and workers; each names the part that it needs. */
export interface MenuServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'now'> {
  config: { STORE_NAME?: string | undefined };
  /** The account of an id, from the accounts domain; null when it is gone. */
  findPerson(db: Db, id: string): Promise<Viewer | null>;
  /** Before any change of a store or menu, ahead of the database. */
  menuTurns: Turns;
  menus: Pick<CachedStores, 'forget'>;
  orders: MenuOrders;
  outbox: Outbox;
}

/** The menu's questions about orders, which depend on menus and are passed in. */
export interface MenuOrders {
  /** How often a dish was ordered. */
  countSold(db: Db, storeId: string, itemId: string): Promise<number>;
}

/** Answers from the shop's cache, which is above this domain. */
export type ShownMenusCall = 'GET /v1/menus' | 'GET /v1/menus/{id}' | 'GET /v1/menus/store/{storeId}';
