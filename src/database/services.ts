import type { FastifyBaseLogger } from 'fastify';
import type { ClockWatch } from '#database/clock-watch.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Mail } from '#database/mail/mail.ts';
import type { Db } from '#database/schema.ts';

/** What every domain may work with; each says in its own `server/services.ts` what it takes besides. */
export interface BaseServices {
  /** Whether the clock can be believed. */
  clock: Pick<ClockWatch, 'isTrusted' | 'confirm'>;
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  mail: Mail;
  /** The clock; tests move it. */
  now: () => Date;
}
