import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db } from '#database/schema.ts';
import type { MenuCache } from '#menu/server/menu-cache.ts';
import type { Turns } from '#platform/server/turns.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { FastifyBaseLogger } from 'fastify';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface MenuServices {
  config: { STORE_NAME?: string | undefined };
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  /** Taken by whoever changes a store or its menu, before the database is asked. */
  menuTurns: Turns;
  menus: MenuCache;
  /** The clock; tests move it. */
  now: () => Date;
  outbox: Outbox;
}
