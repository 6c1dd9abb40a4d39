import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { FoundDatabase } from '#database/find-database.ts';
import type { DiskMonitor } from '#database/health.ts';
import type { RestoredShop } from '#database/restores.ts';
import type { BaseServices } from '#database/services.ts';
import type { Payments } from '#payment/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { SecondPlaceServices } from '#backup/server/second-place.ts';
import type { Sweep } from '#platform/server/sweep.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { StoreChangeServices } from '#store/server/change-store.ts';

export interface NightlyBackups {
  start(): Sweep;
  /**
   * Checks now whether a backup is due, and makes it. If several instances check, only one of them makes the backup.
   */
  check(): Promise<void>;
  /** Starts a requested backup, and returns at once. */
  wake(): void;
}

export interface BackupServices extends StoreChangeServices {
  backups: NightlyBackups;
  config: BackupConfig;
  menus: ShopCache;
  outbox: Outbox;
  payments: Pick<Payments, 'refundUnknownPayment'>;
  restored: RestoredShop;
}

export interface NightlyServices
  extends Pick<BaseServices, 'clock' | 'db' | 'log' | 'now'>, Pick<AlertServices, 'admins' | 'jobs' | 'mail'> {
  config: BackupConfig & { ALERT_WEBHOOK_URL?: string | undefined; publicUrl: string };
  /** The connection uses no pooler, because the lock on the backups needs a database session of its own. */
  database: FoundDatabase['connection'];
  disk: Pick<DiskMonitor, 'room'>;
  menus: Pick<ShopCache, 'store'>;
  restored: Pick<RestoredShop, 'isHeld'>;
  versions: { hatch: string };
}

export type BackupConfig = SecondPlaceServices['config'];
