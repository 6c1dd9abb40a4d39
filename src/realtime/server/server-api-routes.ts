import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Realtime } from '#realtime/server/realtime.ts';

/** Ten events, each of which may have ten kilobytes. */
const bodyLimit = 256 * 1024;

/** Pusher's own server API at `/apps/{id}/…`, so that its official libraries publish and query here. */
export function serveRealtimeApi(app: FastifyInstance, realtime: Realtime): void {
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
