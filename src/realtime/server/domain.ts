import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calls } from '#database/domain.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Parts } from '#platform/server/parts.ts';
import { realtime } from '#realtime/contract.ts';
import { realtimeHandlers } from '#realtime/server/handlers.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { AccessNow } from '#realtime/server/access.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

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

/** Milliseconds: with the look itself, sockets are cut within two seconds. */
const every = 1000;

/**
 * Cuts sockets whose access has ended, on each instance by itself: `disconnectUser` is sooner, but a message may be lost, time is
 * announced by nobody, and a signature may be older than the end. Reads nothing while nobody signed in is connected.
 */
function startEndingAccess(services: {
  access: AccessNow;
  log: FastifyBaseLogger;
  realtime: Pick<Realtime, 'closeEnded'>;
}): Sweep {
  const { access, log, realtime } = services;
  return startSweep({ name: 'ended access', every, log }, () => realtime.closeEnded(access));
}

/** Ten events, each of which may have ten kilobytes. */
const bodyLimit = 256 * 1024;

/** Pusher's own server API at `/apps/{id}/…`, so that its official libraries publish and query here. */
function serveRealtimeApi(app: FastifyInstance, realtime: Realtime): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1);
    const query = request.query as Record<string, unknown>;
    const { status, body } = await realtime.handleServerApi({
      method: request.method,
      path,
      query,
      rawBody: request.rawBody,
    });
    return reply.status(status).send(body);
  };
  app.route({ method: ['GET', 'POST'], url: '/apps/*', bodyLimit, handler: answer });
}
