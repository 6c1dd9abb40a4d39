import type { BaseServices } from '#database/services.ts';
import type { RestoredShop } from '#database/restores.ts';
import type { EncodeJob } from '#printing/server/encode-job.ts';
import type { PrinterCache } from '#printing/server/printer-cache.ts';
import type { PrintLeases, Transports } from '#printing/server/transport.ts';
import type { OrderSqlParts } from '#ordering/server/services.ts';
import type { PictureSources } from '#uploads/server/read-picture.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

export interface PrintingServices extends Pick<BaseServices, 'clock' | 'db' | 'log' | 'now'>, PictureSources {
  config: { APP_URL?: string | undefined; publicUrl: string };
  encode: EncodeJob;
  leases: PrintLeases;
  menus: ShopCache;
  orderParts: OrderSqlParts;
  outbox: Outbox;
  printers: PrinterCache;
  transports: Transports;
  /** Whether the shop waits for its owner after a restore from a backup. Nothing is printed while the shop waits. */
  restored: Pick<RestoredShop, 'isHeld'>;
}
