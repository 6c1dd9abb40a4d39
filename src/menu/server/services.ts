import type { BaseServices } from '#database/services.ts';
import type { Turns } from '#platform/server/turns.ts';
import type { ShownStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface MenuServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'now'> {
  config: { STORE_NAME?: string | undefined };
  /** Taken by whoever changes a store or its menu, before the database is asked. */
  menuTurns: Turns;
  menus: Pick<ShownStores, 'forget'>;
  outbox: Outbox;
}

/** What is answered from the shop as it is kept, above this domain. */
export type ShownMenusCall = 'GET /v1/menus' | 'GET /v1/menus/{id}' | 'GET /v1/menus/store/{storeId}';
