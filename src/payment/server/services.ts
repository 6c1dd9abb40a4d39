import type { Jobs } from '#database/jobs/jobs.ts';
import type { Mail } from '#database/mail/mail.ts';
import type { Db } from '#database/schema.ts';
import type { OrderOwed, OrderPrints } from '#ordering/server/services.ts';
import type { MenuCache } from '#menu/server/menu-cache.ts';
import type { Payments } from '#payment/server/payments.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { FastifyBaseLogger } from 'fastify';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface PaymentServices {
  config: {
    APP_URL?: string | undefined;
    ALERT_WEBHOOK_URL?: string | undefined;
    PAYMENT_SANDBOX: boolean;
    PORT: number;
    publicUrl: string;
  };
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  mail: Mail;
  menus: MenuCache;
  /** The clock; tests move it. */
  now: () => Date;
  outbox: Outbox;
  owed: OrderOwed;
  prints: OrderPrints;
}

/** The same for handlers, which ask the payments themselves too. */
export interface PaymentHandlerServices extends PaymentServices {
  payments: Payments;
}
