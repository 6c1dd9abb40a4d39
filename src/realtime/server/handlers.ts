import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Call, Handlers } from '#platform/http/serve.ts';
import { signedInBy } from '#platform/http/viewer.ts';
import type { ChannelTable } from '#realtime/channels.ts';
import type { realtime } from '#realtime/contract.ts';
import { type AccessNow, mayListen, memberOf } from '#realtime/server/access.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** Access to channels, by the rules of the domains. */
export function realtimeHandlers({
  access,
  channels,
  realtime: server,
}: {
  access: AccessNow;
  channels: ChannelTable;
  realtime: Realtime;
}): Handlers<typeof realtime, Db, Tx> {
  type AuthCall = Call<'POST /v1/broadcasting/auth', (typeof realtime)['POST /v1/broadcasting/auth'], Db>;
  type UserCall = Call<'POST /pusher/user-auth', (typeof realtime)['POST /pusher/user-auth'], Db>;
  const authoriseUser = ({ body, viewer }: Pick<UserCall, 'body' | 'viewer'>) => {
    if (viewer.id === null) throw new AppError('unauthenticated', 'Unauthenticated.');
    const userInfo = { name: viewer.name };
    const userData = JSON.stringify({ id: viewer.id, user_info: userInfo, signed_in_by: signedInBy(viewer) });
    return { auth: server.signUser(body.socket_id, userData), user_data: userData };
  };
  const authorise = async ({ body, viewer }: Pick<AuthCall, 'body' | 'viewer'>) => {
    if (body.channel_name === undefined) return authoriseUser({ body, viewer });
    const channel = channels.find(body.channel_name);
    if (!channel) throw new AppError('forbidden', m.platform_forbidden());
    if (channel.rule.listeners === 'anyone') return { auth: server.sign(body.socket_id, body.channel_name) };
    if (!(await mayListen(access, viewer, channel))) throw new AppError('forbidden', m.platform_forbidden());
    const member = memberOf(viewer);
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
