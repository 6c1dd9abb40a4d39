import type { BaseServices } from '#database/services.ts';
import type { Printers } from '#printing/server/printer.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import type { PictureSources } from '#uploads/server/read-picture.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers use; each names the part that it needs. */
export interface PrintingServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'now'>, PictureSources {
  menus: ShopCache;
  orderParts: OrderParts;
  outbox: Outbox;
  /** The printers for receipts. */
  printers: Printers;
}
