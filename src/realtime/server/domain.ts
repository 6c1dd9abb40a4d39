import type { FastifyInstance } from 'fastify';
import { calls } from '#database/domain.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Parts } from '#platform/server/parts.ts';
import { realtime } from '#realtime/contract.ts';
import { startEndingAccess } from '#realtime/server/end-access.ts';
import { realtimeHandlers } from '#realtime/server/handlers.ts';
import { serveRealtimeApi } from '#realtime/server/server-api-routes.ts';

type HandlerServices = Parameters<typeof realtimeHandlers>[0];

export const realtimeDomain = {
  name: 'realtime',
  calls: [calls(realtime, realtimeHandlers)],
  routes: (http: FastifyInstance, services: HandlerServices) => serveRealtimeApi(http, services.realtime),
  start(services: Parameters<typeof startEndingAccess>[0], parts: Parts) {
    parts.add('ended access', startEndingAccess(services));
  },
  work: ({ outbox }: { outbox: { leftBehind: DueWork } }) => [outbox.leftBehind],
};
