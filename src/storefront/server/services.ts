import type { SignInProviders } from '#accounts/server/social/providers.ts';
import type { RestoredShop } from '#database/restores.ts';
import type { Db } from '#database/schema.ts';
import type { OrderSqlParts } from '#ordering/server/services.ts';
import type { PrinterCache } from '#printing/server/printer-cache.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';

export interface PageConfig {
  publicUrl: string;
  APP_URL?: string | undefined;
  API_URL?: string | undefined;
  STORE_NAME?: string | undefined;
  MAP_TILES_URL?: string | undefined;
  MAP_ATTRIBUTION?: string | undefined;
  SMTP_URL?: string | undefined;
  ADDRESS_LOOKUP_URL?: string | undefined;
}

export interface PageServices {
  config: PageConfig & {
    API_URL?: string | undefined;
    APP_URL?: string | undefined;
    MAP_TILES_URL?: string | undefined;
    publicUrl: string;
  };
  db: Db;
  /** Returns the SVG of a picture that is part of the program, by its key; null: unknown key. */
  drawPicture(key: string): string | null;
  files: FileStore;
  menus: ShopCache;
  orderParts: OrderSqlParts;
  now: () => Date;
  printers: Pick<PrinterCache, 'all'>;
  restored: Pick<RestoredShop, 'epoch'>;
  signInProviders: Pick<SignInProviders, 'choices'>;
}
