import type { BaseServices } from '#database/services.ts';
import type { Db } from '#database/schema.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { Turns } from '#platform/server/turns.ts';
import type { ShownStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface MenuServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'now'> {
  config: { STORE_NAME?: string | undefined };
  /** Who an account's id stands for now, which accounts know; null when it is gone. */
  findPerson(db: Db, id: string): Promise<Viewer | null>;
  /** Taken by whoever changes a store or its menu, before the database is asked. */
  menuTurns: Turns;
  menus: Pick<ShownStores, 'forget'>;
  orders: MenuOrders;
  outbox: Outbox;
}

/** What a menu asks of its orders, which know menus and are handed in. */
export interface MenuOrders {
  /** How many of a dish were ever ordered. */
  countSold(db: Db, storeId: string, itemId: string): Promise<number>;
}

/** What is answered from the shop as it is kept, above this domain. */
export type ShownMenusCall = 'GET /v1/menus' | 'GET /v1/menus/{id}' | 'GET /v1/menus/store/{storeId}';
