import type { FastifyBaseLogger } from 'fastify';
import type { ClockWatch } from '#database/clock-watch.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db } from '#database/schema.ts';

export interface BaseServices {
  clock: Pick<ClockWatch, 'isTrusted' | 'confirm'>;
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  now: () => Date;
}
