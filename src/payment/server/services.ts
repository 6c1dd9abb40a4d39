import type { BaseServices } from '#database/services.ts';
import type { OrderOwed, OrderParts, OrderPrints } from '#ordering/server/services.ts';
import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Payments } from '#payment/server/payments.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface PaymentServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'mail' | 'now'> {
  config: {
    APP_URL?: string | undefined;
    ALERT_WEBHOOK_URL?: string | undefined;
    PAYMENT_SANDBOX: boolean;
    PORT: number;
    publicUrl: string;
  };
  adminEmails: AlertServices['adminEmails'];
  menus: ShopCache;
  outbox: Outbox;
  owed: OrderOwed;
  prints: OrderPrints;
}

/** The same for handlers, which ask the payments themselves too. */
export interface PaymentHandlerServices extends PaymentServices {
  orderParts: OrderParts;
  payments: Payments;
}
