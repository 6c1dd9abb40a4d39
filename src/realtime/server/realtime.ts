import type { Server } from 'node:http';
import { loadInstallationValue } from '#database/installation-values.ts';
import type { Db } from '#database/schema.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import { type ChannelAccess, closeSocketsWithEndedAccess } from '#realtime/server/channel-access.ts';
import {
  createPusherHttpApi,
  type PusherHttpApiAnswer,
  type PusherHttpApiCall,
} from '#realtime/server/pusher-http-api.ts';
import { createCluster } from '#realtime/server/cluster.ts';
import { closeSocketsGradually, createSocketAcceptor } from '#realtime/server/accept-sockets.ts';
import { createHub, type Hub } from '#realtime/server/hub.ts';
import { type ClientSocket, DEFAULT_REALTIME_LIMITS, type RealtimeLimits } from '#realtime/server/connection.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { createPresence } from '#realtime/server/presence.ts';
import { CLOSE_CODES, encodeData, encodeFrame, PING_FRAME } from '#realtime/server/protocol.ts';
import { createSocketSessions } from '#realtime/server/socket-sessions.ts';
import { signChannel, signUser } from '#realtime/server/signature.ts';
import { type ChannelTable, isValidChannelName } from '#realtime/channels.ts';
import type { RealtimeEvent } from '#realtime/events.ts';
import { repeatEvery } from '#platform/server/sweep.ts';

export interface RealtimeOptions {
  appId: string;
  key: string;
  secret: string;
  /** The bus between instances. The creator of the bus closes it. */
  bus: MessageBus;
  channels: ChannelTable;
  /**
   * The origins of other hosts whose pages may connect (`https://shop.example`); `*` allows all. The server's own host
   * is always allowed.
   */
  allowedOrigins?: readonly string[];
  limits?: Partial<RealtimeLimits>;
  log: RealtimeLog;
  clients: ClientAddressReader;
}

/** Reads the id and keys of the Pusher application. A new release keeps the public key, because browsers store it. */
export async function openPusherKeys(
  config: {
    PUSHER_APP_ID?: string | undefined;
    PUSHER_APP_KEY?: string | undefined;
    PUSHER_APP_SECRET?: string | undefined;
  },
  db: Db,
  keys: InstallationKeys,
): Promise<Pick<RealtimeOptions, 'appId' | 'key' | 'secret'>> {
  return {
    appId: config.PUSHER_APP_ID ?? 'hatch',
    key: config.PUSHER_APP_KEY ?? (await loadInstallationValue(db, 'pusher key')).slice(0, 20),
    secret: config.PUSHER_APP_SECRET ?? keys.secret('hatch realtime'),
  };
}

export interface RealtimeStats {
  connections: number;
  closing: number;
  channels: number;
  /** The number of users in presence channels, on all instances; a user in two channels counts twice. */
  members: number;
  /** The number of other instances. */
  peers: number;
  /** Whether the bus reaches the other instances now. */
  isBusConnected: boolean;
  /** The number of sockets closed since the start because their clients did not read. */
  dropped: number;
}

export interface RealtimeServer {
  readonly key: string;
  /** Handles upgrades of `/app/{key}`; other paths are left to the server's other listeners. */
  attach(server: Server): void;
  /**
   * Sends each event to all listeners on every instance, except the socket `exceptSocketId`. Resolves when the bus has
   * the events, or has failed to take them. After a failure only local listeners get the events; clients of other
   * instances refetch later.
   */
  publish(events: readonly RealtimeEvent[], exceptSocketId?: string): Promise<void>;
  /**
   * The `auth` of a channel. Throws RangeError for an invalid socket id or name. The caller must check the access.
   * `channelData` is JSON `{user_id, user_info?, signed_in_by?}`. Presence and staff channels need it, unless the
   * socket has signed in by `pusher:signin`.
   */
  sign(socketId: string, channel: string, channelData?: string): string;
  /** The `auth` for `pusher:signin`. `userData` is JSON with the user's `id`. */
  signUser(socketId: string, userData: string): string;
  handleServerApi(call: PusherHttpApiCall): Promise<PusherHttpApiAnswer>;
  /**
   * Closes the user's sockets on every instance; rejects if the other instances cannot be reached. `reauthorise`:
   * clients reconnect and authorise again. `terminate`: clients do not reconnect.
   */
  disconnectUser(userId: string, how: 'reauthorise' | 'terminate'): Promise<void>;
  /**
   * Closes local sockets whose access has ended; clients may reconnect and authorise again. Rejects if access cannot be
   * read.
   */
  closeEnded(access: ChannelAccess): Promise<void>;
  stats(): RealtimeStats;
  /** The number of users in a presence channel, as far as this instance knows. */
  countMembers(channel: string): number;
  /** Closes every socket with 4200, spread over `limits.closeSpread` milliseconds. Resolves when all are closed. */
  close(): Promise<void>;
}

/** A Pusher server (protocol 7) for one application inside this process. */
export function createRealtimeServer(options: RealtimeOptions): RealtimeServer {
  const { appId, bus, channels, log } = options;
  const app = { key: options.key, secret: options.secret };
  const limits = { ...DEFAULT_REALTIME_LIMITS, ...options.limits };
  const hub = createHub(channels);
  const presence = createPresence((change, channel, userId, info) => {
    const member = change === 'added' ? { user_id: userId, user_info: info } : { user_id: userId };
    hub.deliver(channel, encodeFrame(`pusher_internal:member_${change}`, channel, JSON.stringify(member)));
  });
  const closeOwn = (userId: string, code: number) => {
    for (const it of hub.connections.values()) if (it.belongsTo(userId)) it.socket.close(code, 'Disconnected');
  };
  const cluster = createCluster(
    bus,
    `realtime:${appId}`,
    presence,
    {
      deliver: hub.deliver,
      countListeners: hub.countListeners,
      disconnectUser: closeOwn,
      afterGap: () =>
        void closeSocketsGradually(channels, [...hub.connections.values()], CLOSE_CODES.reconnect, limits.closeSpread),
    },
    limits,
    log,
  );
  const sessions = createSocketSessions(app, hub, presence, cluster, limits, channels);
  const acceptor = createSocketAcceptor({ ...options, limits, hub, sessions });
  const stopHeartbeat = startHeartbeat(hub, limits, sessions.closed);

  async function publish(events: readonly RealtimeEvent[], exceptSocketId?: string): Promise<void> {
    const frames = events.map(({ channel, event, data }) => {
      if (!isValidChannelName(channel)) throw new TypeError(`${channel} is not a channel name`);
      return { channel, frame: encodeFrame(event, channel, encodeData(data)) };
    });
    for (const { channel, frame } of frames) hub.deliver(channel, frame, exceptSocketId);
    await Promise.all(frames.map(({ channel, frame }) => cluster.sendFrame(channel, frame, exceptSocketId)));
  }

  async function disconnectUser(userId: string, how: 'reauthorise' | 'terminate'): Promise<void> {
    const code = how === 'terminate' ? CLOSE_CODES.unauthorized : CLOSE_CODES.reconnect;
    closeOwn(userId, code);
    await cluster.announceDisconnect(userId, code);
  }

  async function closeAll(): Promise<void> {
    stopHeartbeat();
    await acceptor.close();
    await cluster.leave();
  }

  let closed: Promise<void> | null = null;
  return {
    key: options.key,
    attach: acceptor.attach,
    publish,
    sign: (socketId, channel, channelData) => signChannel(app, socketId, channel, channelData),
    signUser: (socketId, userData) => signUser(app, socketId, userData),
    handleServerApi: createPusherHttpApi(appId, app, limits.maxEventBytes, {
      publish,
      countListeners: cluster.countListeners,
      listMembers: (channel) => [...presence.members(channel).keys()],
      terminateUser: (userId) => disconnectUser(userId, 'terminate'),
    }),
    disconnectUser,
    closeEnded: (access) => closeSocketsWithEndedAccess(access, channels, hub.connections.values()),
    countMembers: (channel) => presence.members(channel).size,
    stats: () => ({
      connections: hub.connections.size,
      closing: acceptor.socketCount() - hub.connections.size,
      channels: hub.channelCount(),
      members: presence.size(),
      peers: cluster.peerCount(),
      isBusConnected: cluster.isConnected(),
      dropped: acceptor.droppedCount(),
    }),
    close: () => (closed ??= closeAll()),
  };
}

/** The maximum interval between checks of the listeners of watched channels (ms). */
const lookAtWatchedEvery = 1000;

/**
 * Starts two timers, and returns the function that stops both. The first timer pings silent sockets. It ends sockets
 * that do not read, that answer no ping, or that occupy one of the `placesForStaff` too long without an authorised
 * channel. The second timer pings listeners of watched channels more often; it removes a lost listener at once.
 */
function startHeartbeat(hub: Hub, limits: RealtimeLimits, leave: (connection: ClientSocket) => void): () => void {
  const stopSockets = repeatEvery(limits.sweepEvery, () => {
    const now = performance.now();
    for (const connection of hub.connections.values()) {
      if (connection.unreadFor(now) >= limits.unreadTimeout) {
        connection.drop();
      } else if (connection.isOnTrial && now - connection.openedAt >= limits.staffWithin) {
        connection.socket.close(CLOSE_CODES.overCapacity, 'Over capacity');
      } else if (connection.pingedAt > 0) {
        if (now - connection.pingedAt < limits.pongTimeout) continue;
        connection.socket.close(CLOSE_CODES.noPong, 'Pong reply not received');
      } else if (now - connection.heardAt >= limits.pingAfter) {
        connection.pingedAt = now;
        connection.send(PING_FRAME);
        pingFrame(connection);
      }
    }
  });
  const stopWatched = repeatEvery(Math.min(lookAtWatchedEvery, limits.watchedPingEvery), () => {
    const now = performance.now();
    for (const one of hub.watched) {
      if (now - one.heardAt >= limits.watchedTimeout) {
        leave(one);
        one.socket.close(CLOSE_CODES.noPong, 'Not heard');
      } else if (now - one.watchedPingedAt >= limits.watchedPingEvery) {
        one.watchedPingedAt = now;
        pingFrame(one);
      }
    }
  });
  return () => {
    stopSockets();
    stopWatched();
  };
}

function pingFrame({ socket }: ClientSocket): void {
  if (socket.readyState === socket.OPEN) socket.ping();
}
