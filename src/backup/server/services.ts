import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { FoundDatabase } from '#database/find-database.ts';
import type { DiskMonitor } from '#database/health.ts';
import type { RestoredShop } from '#database/restores.ts';
import type { BaseServices } from '#database/services.ts';
import type { Payments } from '#payment/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { PlaceShop } from '#backup/server/second-place.ts';
import type { Sweep } from '#platform/server/sweep.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { StoreChangeServices } from '#store/server/change-store.ts';

/** The copies that the shop makes by itself in its data folder, each proven before it counts as good. */
export interface NightlyBackups {
  /** Looks now and then whether a copy is due, and whether the owner must be told that they are late. */
  start(): Sweep;
  /** Looks now. One instance makes the copy. */
  look(): Promise<void>;
  /** Looks soon: somebody has asked for a copy. */
  wake(): void;
}

/** The services of this domain's handlers; each names the part that it needs. */
export interface BackupServices extends StoreChangeServices {
  backups: NightlyBackups;
  config: BackupConfig;
  menus: ShopCache;
  outbox: Outbox;
  payments: Pick<Payments, 'giveUnknownBack'>;
  restored: RestoredShop;
}

/** The services of the nightly backups. */
export interface NightlyServices
  extends Pick<BaseServices, 'clock' | 'db' | 'log' | 'now'>, Pick<AlertServices, 'admins' | 'jobs' | 'mail'> {
  config: BackupConfig & { ALERT_WEBHOOK_URL?: string | undefined; publicUrl: string };
  /** Of PostgreSQL itself: sessions of their own. */
  database: FoundDatabase['connection'];
  disk: Pick<DiskMonitor, 'room'>;
  menus: Pick<ShopCache, 'store'>;
  restored: Pick<RestoredShop, 'isHeld'>;
  versions: { hatch: string };
}

export type BackupConfig = PlaceShop['config'];
