import { randomInt } from 'node:crypto';
import { WebSocket } from 'ws';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import { encodeError, type SignedInUser } from '#realtime/server/protocol.ts';
import { TokenBucket } from '#platform/server/call-limits.ts';

/** One client's socket and its subscriptions. Times are of the monotonic clock `performance.now()`. */
export class Connection {
  readonly id = `${randomInt(1, 2 ** 31)}.${randomInt(1, 2 ** 31)}`;
  readonly socket: WebSocket;
  readonly address: string;
  /** Its channels, each with the user named by the authorisation, if any. */
  readonly channels = new Map<string, string | null>();
  /** By channel, the sign-in of the user when it was authorised. */
  readonly signedInBy = new Map<string, string>();
  /** How many of its channels are public and not the product's. */
  foreignChannels = 0;
  readonly frames: TokenBucket;
  readonly clientEvents: TokenBucket;
  user: SignedInUser | null = null;
  readonly openedAt: number;
  /** Came when only the places for staff were left, and has not been authorised for a channel. */
  isOnTrial = false;
  heardAt: number;
  /** 0 while no ping is unanswered. */
  pingedAt = 0;
  /** When it was last pinged as a listener of a watched channel. */
  watchedPingedAt = 0;
  readonly #maxBufferedBytes: number;
  readonly #onDropped: () => void;
  /** Frames that are not handed to the network yet, and when the last one was. */
  #unread = 0;
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

  /** A socket that does not read is closed, so that its buffer stays bounded; the client refetches when it reconnects. */
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

  /** How long frames have waited without the client reading any; 0 when none waits. */
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

  /** Any activity counts: a frame, a ping or a pong. */
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
