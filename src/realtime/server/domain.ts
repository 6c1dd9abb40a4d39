import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { realtimeEndpoints } from '#realtime/contract.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { type ChannelAccess, mayViewerListen, channelDataOf } from '#realtime/server/channel-access.ts';
import type { RealtimeServer } from '#realtime/server/realtime.ts';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Call, Handlers } from '#platform/http/serve.ts';
import { signInKeyOf } from '#platform/http/viewer.ts';
import type { ChannelTable } from '#realtime/channels.ts';

function realtimeHandlers({
  access,
  channels,
  realtime: server,
}: {
  access: ChannelAccess;
  channels: ChannelTable;
  realtime: RealtimeServer;
}): Handlers<typeof realtimeEndpoints, Db, Tx> {
  type AuthCall = Call<'POST /v1/broadcasting/auth', (typeof realtimeEndpoints)['POST /v1/broadcasting/auth'], Db>;
  type UserCall = Call<'POST /pusher/user-auth', (typeof realtimeEndpoints)['POST /pusher/user-auth'], Db>;
  const authoriseUser = ({ body, viewer }: Pick<UserCall, 'body' | 'viewer'>) => {
    if (viewer.id === null) throw new AppError('unauthenticated', 'Unauthenticated.');
    const userInfo = { name: viewer.name };
    const userData = JSON.stringify({ id: viewer.id, user_info: userInfo, signed_in_by: signInKeyOf(viewer) });
    return { auth: server.signUser(body.socket_id, userData), user_data: userData };
  };
  const authorise = async ({ body, viewer }: Pick<AuthCall, 'body' | 'viewer'>) => {
    if (body.channel_name === undefined) return authoriseUser({ body, viewer });
    const channel = channels.find(body.channel_name);
    if (!channel) throw new AppError('forbidden', m.platform_forbidden());
    if (channel.rule.listeners === 'anyone') return { auth: server.sign(body.socket_id, body.channel_name) };
    if (!(await mayViewerListen(access, viewer, channel))) throw new AppError('forbidden', m.platform_forbidden());
    const member = channelDataOf(viewer);
    return { auth: server.sign(body.socket_id, body.channel_name, member), channel_data: member };
  };
  return {
    'POST /v1/broadcasting/auth': authorise,
    'POST /broadcasting/auth': authorise,
    'POST /v1/broadcasting/user-auth': authoriseUser,
    'POST /broadcasting/user-auth': authoriseUser,
    'POST /pusher/user-auth': authoriseUser,
  };
}

type HandlerServices = Parameters<typeof realtimeHandlers>[0];

export const realtimeDomain = {
  name: 'realtime',
  calls: [endpointRegistration(realtimeEndpoints, realtimeHandlers)],
  routes: (http: FastifyInstance, services: HandlerServices) => serveRealtimeApi(http, services.realtime),
  start(services: Parameters<typeof startEndingAccess>[0], parts: ServerParts) {
    parts.add('ended access', startEndingAccess(services));
  },
  work: ({ outbox }: { outbox: { leftBehind: DueWork } }) => [outbox.leftBehind],
};

/**
 * The interval of access checks (ms). A socket is closed within two seconds after its access ends, even if the check
 * itself takes a second.
 */
const every = 1000;

/**
 * Closes this instance's sockets whose access has ended. This check is needed besides `disconnectUser`, whose message
 * may be lost, and which covers neither expired sign-ins nor reused signatures. The check reads nothing while no
 * signed-in user is connected.
 */
function startEndingAccess(services: {
  access: ChannelAccess;
  log: FastifyBaseLogger;
  realtime: Pick<RealtimeServer, 'closeEnded'>;
}): Sweep {
  const { access, log, realtime } = services;
  return startSweep({ name: 'ended access', every, log }, () => realtime.closeEnded(access));
}

/** The limit of a request body, enough for ten events of ten kilobytes. */
const bodyLimit = 256 * 1024;

/** Pusher's server API at `/apps/{id}/…`, for its official libraries. */
function serveRealtimeApi(app: FastifyInstance, realtime: RealtimeServer): void {
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
