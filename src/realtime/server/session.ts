import { channelKind, type ChannelTable, takesClientEvents } from '#realtime/channels.ts';
import type { Cluster } from '#realtime/server/cluster.ts';
import type { Connection } from '#realtime/server/connection.ts';
import type { Hub } from '#realtime/server/hub.ts';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import type { Presence } from '#realtime/server/presence.ts';
import {
  CLIENT_EVENT_RATE,
  CLOSE,
  encodeData,
  encodeFrame,
  parseFrame,
  parseUser,
  PONG_FRAME,
  readEventData,
  SignIn,
  Subscription,
  Unsubscription,
  type ClientFrame,
} from '#realtime/server/protocol.ts';
import { isUserSigned, type AppCredentials } from '#realtime/server/signature.ts';
import { admit } from '#realtime/server/subscription.ts';

/** Handles the frames of one client. */
export interface Sessions {
  open(connection: Connection): void;
  receive(connection: Connection, text: string, now: number): void;
  closed(connection: Connection): void;
}

export function createSessions(
  app: AppCredentials,
  hub: Hub,
  presence: Presence,
  cluster: Cluster,
  limits: RealtimeLimits,
  table: ChannelTable,
): Sessions {
  const { subscribe, unsubscribe } = makeSubscriptions(app, hub, presence, cluster, limits, table);

  function signIn(connection: Connection, data: unknown): void {
    const wanted = readEventData(SignIn, data);
    const user = wanted && parseUser(wanted.user_data);
    if (!wanted || !user || !isUserSigned(app, wanted.auth, connection.id, wanted.user_data)) {
      connection.sendError('The sign-in is not authorised.', CLOSE.unauthorized);
      connection.socket.close(CLOSE.unauthorized, 'The sign-in is not authorised.');
      return;
    }
    if (connection.user) return connection.sendError('The connection is signed in already.');
    connection.user = user;
    const answer = JSON.stringify({ user_data: wanted.user_data });
    connection.send(encodeFrame('pusher:signin_success', null, answer));
  }

  function relayClientEvent(connection: Connection, { event, channel = '', data }: ClientFrame, now: number): void {
    if (!takesClientEvents(table, channel)) return connection.sendError('Client events are not for this channel.');
    const userId = connection.channels.get(channel);
    if (userId === undefined) return connection.sendError(`No subscription to channel ${channel}`);
    if (!connection.clientEvents.take(now)) {
      return connection.sendError('Client event rejected: too many in a second.', CLIENT_EVENT_RATE);
    }
    const text = encodeData(data);
    if (Buffer.byteLength(text) > limits.maxEventBytes) return connection.sendError('The client event is too large.');

    const sender = channelKind(channel) === 'presence' ? (userId ?? undefined) : undefined;
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
        connection.socket.close(CLOSE.overCapacity, 'Too many messages.');
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
          const channel = readEventData(Unsubscription, frame.data)?.channel;
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
  function subscribe(connection: Connection, data: unknown): void {
    const wanted = readEventData(Subscription, data);
    if (!wanted) return connection.sendError('A subscription needs a channel.');
    const { channel } = wanted;
    if (connection.channels.has(channel)) return connection.sendError(`Existing subscription to channel ${channel}`);

    const verdict = admit({ app, hub, presence, limits, table }, connection, wanted);
    if ('refusal' in verdict) {
      connection.send(encodeFrame('pusher:subscription_error', channel, JSON.stringify(verdict.refusal)));
      return;
    }
    const { userId, info, signedInBy } = verdict;
    // Announced to the others before the newcomer listens, so that nobody receives their own arrival.
    if (channelKind(channel) === 'presence' && userId !== null) {
      if (presence.join(channel, userId, connection.id, info)) cluster.announceJoin([channel, userId, info]);
    }
    hub.listen(connection, channel, userId);
    if (signedInBy !== undefined) connection.signedInBy.set(channel, signedInBy);
    if (channelKind(channel) !== 'public') connection.isOnTrial = false;
    connection.send(encodeFrame('pusher_internal:subscription_succeeded', channel, describeSuccess(channel)));
  }

  function describeSuccess(channel: string): string {
    if (channelKind(channel) !== 'presence') return '{}';
    const members = presence.members(channel);
    const described = { ids: [...members.keys()], hash: Object.fromEntries(members), count: members.size };
    return JSON.stringify({ presence: described });
  }

  function unsubscribe(connection: Connection, channel: string): void {
    const userId = connection.channels.get(channel);
    if (userId === undefined) return;
    hub.unlisten(connection, channel);
    if (channelKind(channel) !== 'presence' || userId === null) return;
    if (presence.leave(channel, userId, connection.id)) cluster.announceLeave(channel, userId);
  }

  return { subscribe, unsubscribe };
}
