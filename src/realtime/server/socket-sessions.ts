import {
  channelKindOf,
  type ChannelTable,
  isValidChannelName,
  allowsClientEvents,
  userChannelName,
} from '#realtime/channels.ts';
import type { Cluster } from '#realtime/server/cluster.ts';
import type { ClientSocket, RealtimeLimits } from '#realtime/server/connection.ts';
import type { Hub } from '#realtime/server/hub.ts';
import type { Presence } from '#realtime/server/presence.ts';
import {
  CLIENT_EVENT_RATE_ERROR,
  type ClientFrame,
  CLOSE_CODES,
  encodeData,
  encodeFrame,
  type PresenceMember,
  parseFrame,
  parseMember,
  parseSignedInUser,
  PONG_FRAME,
  readEventData,
  UserSignInData,
  SubscriptionData,
  UnsubscriptionData,
} from '#realtime/server/protocol.ts';
import { type AppCredentials, isChannelSigned, isUserSigned } from '#realtime/server/signature.ts';

export interface SocketSessions {
  open(connection: ClientSocket): void;
  receive(connection: ClientSocket, text: string, now: number): void;
  closed(connection: ClientSocket): void;
}

export function createSocketSessions(
  app: AppCredentials,
  hub: Hub,
  presence: Presence,
  cluster: Cluster,
  limits: RealtimeLimits,
  table: ChannelTable,
): SocketSessions {
  const { subscribe, unsubscribe } = makeSubscriptions(app, hub, presence, cluster, limits, table);

  function signIn(connection: ClientSocket, data: unknown): void {
    const wanted = readEventData(UserSignInData, data);
    const user = wanted && parseSignedInUser(wanted.user_data);
    if (!wanted || !user || !isUserSigned(app, wanted.auth, connection.id, wanted.user_data)) {
      connection.sendError('The sign-in is not authorised.', CLOSE_CODES.unauthorized);
      connection.socket.close(CLOSE_CODES.unauthorized, 'The sign-in is not authorised.');
      return;
    }
    if (connection.user) return connection.sendError('The connection is signed in already.');
    connection.user = user;
    const answer = JSON.stringify({ user_data: wanted.user_data });
    connection.send(encodeFrame('pusher:signin_success', null, answer));
  }

  function relayClientEvent(connection: ClientSocket, { event, channel = '', data }: ClientFrame, now: number): void {
    if (!allowsClientEvents(table, channel)) return connection.sendError('Client events are not for this channel.');
    const userId = connection.channels.get(channel);
    if (userId === undefined) return connection.sendError(`No subscription to channel ${channel}`);
    if (!connection.clientEvents.take(now)) {
      return connection.sendError('Client event rejected: too many in a second.', CLIENT_EVENT_RATE_ERROR);
    }
    const text = encodeData(data);
    if (Buffer.byteLength(text) > limits.maxEventBytes) return connection.sendError('The client event is too large.');

    const sender = channelKindOf(channel) === 'presence' ? (userId ?? undefined) : undefined;
    const frame = encodeFrame(event, channel, text, sender);
    hub.deliver(channel, frame, connection.id);
    void cluster.sendFrame(channel, frame, connection.id);
  }

  return {
    open(connection) {
      hub.add(connection);
      const greeting = { socket_id: connection.id, activity_timeout: limits.activityTimeoutSeconds };
      connection.send(encodeFrame('pusher:connection_established', null, JSON.stringify(greeting)));
    },
    receive(connection, text, now) {
      connection.hear(now);
      if (!connection.frames.take(now)) {
        connection.socket.close(CLOSE_CODES.overCapacity, 'Too many messages.');
        return;
      }
      const frame = parseFrame(text);
      if (!frame) return connection.sendError('The message is not an event in JSON.');
      if (frame.event.startsWith('client-')) return relayClientEvent(connection, frame, now);
      switch (frame.event) {
        case 'pusher:ping':
          return connection.send(PONG_FRAME);
        case 'pusher:pong':
          return;
        case 'pusher:subscribe':
          return subscribe(connection, frame.data);
        case 'pusher:unsubscribe': {
          const channel = readEventData(UnsubscriptionData, frame.data)?.channel;
          return channel === undefined ? undefined : unsubscribe(connection, channel);
        }
        case 'pusher:signin':
          return signIn(connection, frame.data);
        default:
          connection.sendError('Clients may send pusher: and client- events only.');
      }
    },
    closed(connection) {
      for (const channel of connection.channels.keys()) unsubscribe(connection, channel);
      hub.remove(connection);
    },
  };
}

function makeSubscriptions(
  app: AppCredentials,
  hub: Hub,
  presence: Presence,
  cluster: Cluster,
  limits: RealtimeLimits,
  table: ChannelTable,
) {
  function subscribe(connection: ClientSocket, data: unknown): void {
    const wanted = readEventData(SubscriptionData, data);
    if (!wanted) return connection.sendError('A subscription needs a channel.');
    const { channel } = wanted;
    if (connection.channels.has(channel)) return connection.sendError(`Existing subscription to channel ${channel}`);

    const verdict = admit({ app, hub, presence, limits, table }, connection, wanted);
    if ('refusal' in verdict) {
      connection.send(encodeFrame('pusher:subscription_error', channel, JSON.stringify(verdict.refusal)));
      return;
    }
    const { userId, info, signedInBy } = verdict;
    // The newcomer is announced before the socket listens, so that the socket does not receive the newcomer's own
    // arrival.
    if (channelKindOf(channel) === 'presence' && userId !== null) {
      if (presence.join(channel, userId, connection.id, info)) cluster.announceJoin([channel, userId, info]);
    }
    hub.listen(connection, channel, userId);
    if (signedInBy !== undefined) connection.signedInBy.set(channel, signedInBy);
    if (channelKindOf(channel) !== 'public') connection.isOnTrial = false;
    connection.send(encodeFrame('pusher_internal:subscription_succeeded', channel, describeSuccess(channel)));
  }

  function describeSuccess(channel: string): string {
    if (channelKindOf(channel) !== 'presence') return '{}';
    const members = presence.members(channel);
    const described = { ids: [...members.keys()], hash: Object.fromEntries(members), count: members.size };
    return JSON.stringify({ presence: described });
  }

  function unsubscribe(connection: ClientSocket, channel: string): void {
    const userId = connection.channels.get(channel);
    if (userId === undefined) return;
    hub.unlisten(connection, channel);
    if (channelKindOf(channel) !== 'presence' || userId === null) return;
    if (presence.leave(channel, userId, connection.id)) cluster.announceLeave(channel, userId);
  }

  return { subscribe, unsubscribe };
}

/** The data of `pusher:subscription_error`, in the shape that `pusher-js` uses for a failed authorisation. */
interface Refusal {
  type: 'AuthError' | 'InvalidChannel' | 'LimitReached';
  error: string;
  status: number;
}

/** The decision about a subscription: a refusal, or the authorised user. Presence and staff channels require a user. */
type Verdict = { refusal: Refusal } | { userId: string | null; info: unknown; signedInBy?: string | undefined };

interface Admission {
  app: AppCredentials;
  hub: Pick<Hub, 'foreignCount' | 'hasListeners'>;
  presence: Presence;
  limits: RealtimeLimits;
  table: ChannelTable;
}

function admit(admission: Admission, connection: ClientSocket, subscription: SubscriptionData): Verdict {
  const { hub, limits, table } = admission;
  const { channel } = subscription;
  if (!isValidChannelName(channel)) return refuse('InvalidChannel', 'The channel name is not valid.', 400);
  if (connection.channels.size >= limits.maxChannelsPerConnection) {
    return refuse('LimitReached', 'The connection listens to too many channels.', 403);
  }
  const kind = channelKindOf(channel);
  if (kind === 'public') return table.isPublic(channel) ? anyone : admitForeign(hub, connection, channel, limits);
  if (kind === 'user') {
    const isOwn = connection.user !== null && channel === userChannelName(connection.user.id);
    return isOwn ? anyone : refuse('AuthError', 'The channel is of another user.', 401);
  }
  return admitSigned(admission, connection, subscription);
}

/**
 * Admits a socket to a private or presence channel if the subscription is signed with the secret of the application.
 */
function admitSigned(
  { app, presence, limits, table }: Admission,
  connection: ClientSocket,
  { channel, auth, channel_data: channelData }: SubscriptionData,
): Verdict {
  if (!isChannelSigned(app, auth ?? '', connection.id, channel, channelData ?? undefined)) {
    return refuse('AuthError', 'The connection is not authorised for this channel.', 401);
  }
  const member = readMember(connection, channelData ?? null);
  // Without `signed_in_by` nothing would close the socket when the person's access ends.
  if (table.find(channel)?.rule.listeners === 'staff' && member?.signed_in_by === undefined) {
    return refuse('AuthError', 'A channel of staff needs channel_data with signed_in_by.', 401);
  }
  if (channelKindOf(channel) === 'presence') return admitMember(channel, member, presence, limits);
  if (channelData != null && !member) return refuse('AuthError', 'The channel_data is not valid.', 401);
  return { userId: member?.user_id ?? null, info: null, signedInBy: member?.signed_in_by };
}

const anyone: Verdict = { userId: null, info: null };

/**
 * Admits a socket to an unregistered public channel within limits, because such channels cost memory, and anyone can
 * invent names.
 */
function admitForeign(
  hub: Pick<Hub, 'foreignCount' | 'hasListeners'>,
  connection: ClientSocket,
  channel: string,
  limits: RealtimeLimits,
): Verdict {
  const isFull = hub.foreignCount() >= limits.maxForeignChannels && !hub.hasListeners(channel);
  if (!isFull && connection.foreignChannels < limits.maxForeignChannelsPerConnection) return anyone;
  return refuse('LimitReached', 'There are too many channels of this kind.', 403);
}

function admitMember(
  channel: string,
  member: PresenceMember | null,
  presence: Presence,
  limits: RealtimeLimits,
): Verdict {
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

/**
 * The user of a subscription; null: unknown, or the data is invalid. A socket that has signed in by `pusher:signin`
 * needs no `channel_data`.
 */
function readMember(connection: ClientSocket, channelData: string | null): PresenceMember | null {
  if (channelData !== null) return parseMember(channelData);
  const { user } = connection;
  return user && { user_id: user.id, user_info: user.user_info, signed_in_by: user.signed_in_by };
}

function refuse(type: Refusal['type'], error: string, status: number): Verdict {
  return { refusal: { type, error, status } };
}
