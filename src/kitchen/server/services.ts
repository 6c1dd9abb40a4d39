import type { ClockWatch } from '#database/clock-watch.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db } from '#database/schema.ts';
import type { Printers } from '#kitchen/server/printer.ts';
import type { MenuCache } from '#menu/server/menu-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface KitchenServices {
  /** Whether the clock can be believed. */
  clock: Pick<ClockWatch, 'isTrusted' | 'confirm'>;
  db: Db;
  jobs: Jobs;
  menus: MenuCache;
  /** The clock; tests move it. */
  now: () => Date;
  outbox: Outbox;
  /** What receipts are printed on. */
  printers: Printers;
}
