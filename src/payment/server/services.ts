import type { BaseServices } from '#database/services.ts';
import type { OrderOwed, OrderParts, OrderPayments, OrderPrints } from '#ordering/server/services.ts';
import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Sandbox } from '#payment/server/sandbox/sandbox.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
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

/** What the payments do for other domains, for the routes of providers, and by themselves. */
export interface Payments extends OrderPayments {
  /** Takes a provider's message. Throws `not_found` for an unknown provider, `forbidden` without its signature. */
  receiveWebhook(provider: string, rawBody: string, header: (name: string) => string | undefined): Promise<void>;
  /** One round of the sweep; answers how many payments it looked after. */
  sweep(): Promise<number>;
  /** The sweep, whenever the time to look has come for a payment or a refund. */
  due: DueWork<boolean>;
  /** Begins to work on what is owed. */
  start(): Promise<void>;
  sandbox: Sandbox;
}
