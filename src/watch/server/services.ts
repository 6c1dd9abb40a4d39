import type { BaseServices } from '#database/services.ts';
import type { HasMailSender } from '#mail/server/services.ts';
import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { RealtimeServer } from '#realtime/server/realtime.ts';

export interface WatchServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'>, HasMailSender {
  config: { ALERT_WEBHOOK_URL?: string | undefined; dataDir: string; publicUrl: string };
  admins: AlertServices['admins'];
  menus: ShopCache;
  outbox: Outbox;
  realtime: RealtimeServer;
}
