import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { BaseServices } from '#database/services.ts';
import type { HasMailSender } from '#mail/server/services.ts';
import type { KeySetCache } from '#payment/server/keys/key-sets.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';

export interface KeyServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'now'>, HasMailSender {
  admins: AlertServices['admins'];
  config: {
    APP_URL?: string | undefined;
    ALERT_WEBHOOK_URL?: string | undefined;
    STRIPE_API_BASE?: string | undefined;
    STRIPE_SECRET_KEY?: string | undefined;
    STRIPE_WEBHOOK_SECRET: readonly string[];
    publicUrl: string;
  };
  keySets: KeySetCache;
  menus: ShopCache;
  outbox: Outbox;
  /** The origin at which this server can call itself, once it listens. */
  ownOrigin(): string;
}
