import type { MenuCache } from '#menu/server/menu-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface StoreServices {
  config: { PAYMENT_SANDBOX: boolean };
  menus: MenuCache;
  outbox: Outbox;
}
