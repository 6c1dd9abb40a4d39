import { channelKind, type ChannelTable, isValidChannelName, userChannel } from '#realtime/channels.ts';
import type { Connection } from '#realtime/server/connection.ts';
import type { Hub } from '#realtime/server/hub.ts';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import type { Presence } from '#realtime/server/presence.ts';
import { parseMember, type Member, type Subscription } from '#realtime/server/protocol.ts';
import { isChannelSigned, type AppCredentials } from '#realtime/server/signature.ts';

/** The data of `pusher:subscription_error`: the shape that `pusher-js` itself gives to a failed authorisation. */
export interface Refusal {
  type: 'AuthError' | 'InvalidChannel' | 'LimitReached';
  error: string;
  status: number;
}

/** Whether the socket may listen. The authorisation names the user: required in a presence channel, optional elsewhere. */
export type Verdict = { refusal: Refusal } | { userId: string | null; info: unknown; signedInBy?: string | undefined };

export interface Admission {
  app: AppCredentials;
  hub: Pick<Hub, 'foreignCount' | 'hasListeners'>;
  presence: Presence;
  limits: RealtimeLimits;
  table: ChannelTable;
}

export function admit(
  { app, hub, presence, limits, table }: Admission,
  connection: Connection,
  { channel, auth, channel_data: channelData }: Subscription,
): Verdict {
  if (!isValidChannelName(channel)) return refuse('InvalidChannel', 'The channel name is not valid.', 400);
  if (connection.channels.size >= limits.maxChannelsPerConnection) {
    return refuse('LimitReached', 'The connection listens to too many channels.', 403);
  }
  const kind = channelKind(channel);
  if (kind === 'public') return table.isPublic(channel) ? anyone : admitForeign(hub, connection, channel, limits);
  if (kind === 'user') {
    const isOwn = connection.user !== null && channel === userChannel(connection.user.id);
    return isOwn ? anyone : refuse('AuthError', 'The channel is of another user.', 401);
  }
  if (!isChannelSigned(app, auth ?? '', connection.id, channel, channelData ?? undefined)) {
    return refuse('AuthError', 'The connection is not authorised for this channel.', 401);
  }
  const member = readMember(connection, channelData ?? null);
  // Otherwise nothing would end it.
  if (table.find(channel)?.rule.listeners === 'staff' && member?.signed_in_by === undefined) {
    return refuse('AuthError', 'A channel of staff needs channel_data with signed_in_by.', 401);
  }
  if (kind !== 'presence') {
    if (channelData != null && !member) return refuse('AuthError', 'The channel_data is not valid.', 401);
    return { userId: member?.user_id ?? null, info: null, signedInBy: member?.signed_in_by };
  }
  return admitMember(channel, member, presence, limits);
}

const anyone: Verdict = { userId: null, info: null };

/** A public channel that nobody registered costs memory as long as somebody listens, and anyone may make up names. */
function admitForeign(
  hub: Pick<Hub, 'foreignCount' | 'hasListeners'>,
  connection: Connection,
  channel: string,
  limits: RealtimeLimits,
): Verdict {
  const isFull = hub.foreignCount() >= limits.maxForeignChannels && !hub.hasListeners(channel);
  if (!isFull && connection.foreignChannels < limits.maxForeignChannelsPerConnection) return anyone;
  return refuse('LimitReached', 'There are too many channels of this kind.', 403);
}

function admitMember(channel: string, member: Member | null, presence: Presence, limits: RealtimeLimits): Verdict {
  if (!member) return refuse('AuthError', 'A presence channel needs channel_data with a user_id.', 401);
  const info = member.user_info ?? null;
  if (Buffer.byteLength(JSON.stringify(info)) > limits.maxUserInfoBytes) {
    return refuse('LimitReached', 'The user_info is too large.', 403);
  }
  const members = presence.members(channel);
  if (!members.has(member.user_id) && members.size >= limits.maxPresenceMembers) {
    return refuse('LimitReached', 'The channel has too many members.', 403);
  }
  return { userId: member.user_id, info, signedInBy: member.signed_in_by };
}

/** A signed-in user needs no `channel_data`: the sign-in has identified the user. */
function readMember(connection: Connection, channelData: string | null): Member | null {
  if (channelData !== null) return parseMember(channelData);
  const { user } = connection;
  return user && { user_id: user.id, user_info: user.user_info, signed_in_by: user.signed_in_by };
}

function refuse(type: Refusal['type'], error: string, status: number): Verdict {
  return { refusal: { type, error, status } };
}
