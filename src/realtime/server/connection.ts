import { randomInt } from 'node:crypto';
import { WebSocket } from 'ws';
import { encodeError, type SignedInUser } from '#realtime/server/protocol.ts';
import { TokenBucket } from '#platform/server/call-limits.ts';

/** A client's socket and its subscriptions. Times are of the monotonic clock `performance.now()`. */
export class ClientSocket {
  readonly id = `${randomInt(1, 2 ** 31)}.${randomInt(1, 2 ** 31)}`;
  readonly socket: WebSocket;
  readonly address: string;
  /** The channels of the socket, each with its authorised user; null: the channel needs no user. */
  readonly channels = new Map<string, string | null>();
  /** The sign-in that authorised each channel; channels whose subscription names no sign-in are missing. */
  readonly signedInBy = new Map<string, string>();
  /** The number of unregistered public channels of the socket. */
  foreignChannels = 0;
  readonly frames: TokenBucket;
  readonly clientEvents: TokenBucket;
  user: SignedInUser | null = null;
  readonly openedAt: number;
  /** Whether the socket occupies one of the `placesForStaff` and is not authorised for a channel yet. */
  isOnTrial = false;
  heardAt: number;
  /** When the server sent the ping that the client must still answer; 0: there is no such ping. */
  pingedAt = 0;
  /** When the server last pinged the socket because it listens to a watched channel; 0: never. */
  watchedPingedAt = 0;
  readonly #maxBufferedBytes: number;
  readonly #onDropped: () => void;
  /** The number of frames that the network has not accepted yet. */
  #unread = 0;
  /**
   * The time from which `unreadFor` counts: when the network last accepted a frame, or when the first waiting frame was
   * sent.
   */
  #readAt = 0;

  constructor(socket: WebSocket, address: string, limits: RealtimeLimits, now: number, onDropped: () => void) {
    this.socket = socket;
    this.address = address;
    this.openedAt = now;
    this.heardAt = now;
    this.frames = new TokenBucket(limits.framesPerSecond, limits.frameBurst, now);
    this.clientEvents = new TokenBucket(limits.clientEventsPerSecond, limits.clientEventsPerSecond, now);
    this.#maxBufferedBytes = limits.maxBufferedBytes;
    this.#onDropped = onDropped;
  }

  /**
   * Sends a frame. A socket whose client does not read is closed, which bounds its buffer; the client refetches later.
   */
  send(frame: string | Buffer): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.socket.bufferedAmount > this.#maxBufferedBytes) return this.drop();
    if (this.#unread === 0) this.#readAt = performance.now();
    this.#unread += 1;
    this.socket.send(frame, { binary: false }, this.#onRead);
  }

  drop(): void {
    this.socket.terminate();
    this.#onDropped();
  }

  /**
   * The milliseconds since the network last accepted a frame, or since the first waiting frame was sent; 0 if no frame
   * waits.
   */
  unreadFor(now: number): number {
    return this.#unread === 0 ? 0 : now - this.#readAt;
  }

  readonly #onRead = (): void => {
    this.#unread -= 1;
    this.#readAt = performance.now();
  };

  sendError(message: string, code: number | null = null): void {
    this.send(encodeError(message, code));
  }

  /** Records activity of the client: a frame, a ping or a pong. */
  hear(now: number): void {
    this.heardAt = now;
    this.pingedAt = 0;
  }

  belongsTo(userId: string): boolean {
    if (this.user?.id === userId) return true;
    for (const member of this.channels.values()) if (member === userId) return true;
    return false;
  }
}

/** The limits of the realtime server. Sizes are in bytes and times in milliseconds, unless the name says otherwise. */
export interface RealtimeLimits {
  maxConnections: number;
  /**
   * How many of the `maxConnections` are reserved for staff. A socket in such a place is closed unless it joins a
   * non-public channel within `staffWithin`.
   */
  placesForStaff: number;
  staffWithin: number;
  maxConnectionsPerAddress: number;
  /**
   * The limit of connections from one address that many people may share, because its real clients are unknown
   * (`isBehindUnknownProxy`).
   */
  maxConnectionsPerStranger: number;
  maxChannelsPerConnection: number;
  /** The limits of unregistered public channels, which exist only while somebody listens. */
  maxForeignChannelsPerConnection: number;
  maxForeignChannels: number;
  maxPresenceMembers: number;
  maxUserInfoBytes: number;
  /** The limit of a frame from a client; a larger frame closes the socket with 1009. */
  maxFrameBytes: number;
  /** The limit of the `data` of one client event or one event of the server API. */
  maxEventBytes: number;
  /** The limit of a socket's buffer. Above the limit, or after `unreadTimeout`, the socket is dropped. */
  maxBufferedBytes: number;
  unreadTimeout: number;
  clientEventsPerSecond: number;
  framesPerSecond: number;
  frameBurst: number;
  /** The silence after which clients ping the server. Each client gets this value when it connects. */
  activityTimeoutSeconds: number;
  /** The silence after which a socket is pinged. */
  pingAfter: number;
  /** A socket is closed with 4201 if the client stays silent for this time after a ping. */
  pongTimeout: number;
  sweepEvery: number;
  /** The ping interval of watched channels. Browsers answer pings even while they throttle the page's timers. */
  watchedPingEvery: number;
  /** The silence after which a listener of a watched channel counts as lost, and is closed with 4201. */
  watchedTimeout: number;
  /**
   * The time over which the closing of all sockets is spread, so that their clients do not reconnect at the same
   * moment.
   */
  closeSpread: number;
  /** The timeout of a closing socket, after which it is terminated. */
  closeTimeout: number;
  beatEvery: number;
  /** The silence after which another instance counts as gone. */
  peerTimeout: number;
  /** How long to wait for the listener counts of other instances. */
  askTimeout: number;
}

export const DEFAULT_REALTIME_LIMITS: RealtimeLimits = {
  maxConnections: 10_000,
  placesForStaff: 500,
  staffWithin: 10_000,
  maxConnectionsPerAddress: 200,
  maxConnectionsPerStranger: 2000,
  maxChannelsPerConnection: 100,
  maxForeignChannelsPerConnection: 10,
  maxForeignChannels: 2000,
  maxPresenceMembers: 100,
  maxUserInfoBytes: 1024,
  maxFrameBytes: 32 * 1024,
  maxEventBytes: 10 * 1024,
  maxBufferedBytes: 1024 * 1024,
  unreadTimeout: 10_000,
  clientEventsPerSecond: 10,
  framesPerSecond: 50,
  frameBurst: 200,
  activityTimeoutSeconds: 120,
  pingAfter: 30_000,
  pongTimeout: 30_000,
  sweepEvery: 5000,
  watchedPingEvery: 5000,
  watchedTimeout: 20_000,
  closeSpread: 5000,
  closeTimeout: 2000,
  beatEvery: 5000,
  peerTimeout: 15_000,
  askTimeout: 500,
};
