import type { PersonOrders } from '#accounts/server/services.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { MailConfig } from '#database/mail/mail.ts';
import type { Realtime } from '#realtime/server/realtime.ts';
import type { FastifyBaseLogger } from 'fastify';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface PeopleServices {
  config: MailConfig;
  jobs: Jobs;
  log: FastifyBaseLogger;
  orders: PersonOrders;
  realtime: Realtime;
}
