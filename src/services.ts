import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import type { Db } from '#database/schema.ts';
import type { Printers } from '#kitchen/server/printer.ts';
import type { MenuCache } from '#menu/server/menu-cache.ts';
import type { ClockWatch } from '#database/clock-watch.ts';
import type { FileStore } from '#platform/server/file-store.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Mail } from '#database/mail/mail.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { Payments } from '#payment/server/payments.ts';
import type { Turns } from '#platform/server/turns.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** What the domains' handlers work with. Made once at start, in src/app.ts. */
export interface Services {
  config: Config;
  db: Db;
  log: FastifyBaseLogger;
  /** The clock; tests move it. */
  now: () => Date;
  /** Whether that clock can be believed. */
  clock: Pick<ClockWatch, 'isTrusted' | 'confirm'>;
  /** Uploaded pictures and files. */
  files: FileStore;
  menus: MenuCache;
  /** Taken by whoever changes a store or its menu, before the database is asked. */
  menuTurns: Turns;
  jobs: Jobs;
  mail: Mail;
  outbox: Outbox;
  payments: Payments;
  /** What receipts are printed on. */
  printers: Printers;
  realtime: Realtime;
}
