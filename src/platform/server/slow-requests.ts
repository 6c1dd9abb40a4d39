import { repeat } from '#platform/server/sweep.ts';
import type { Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface RequestLimits {
  /** Milliseconds in which a request's head must have arrived. */
  head: number;
  /** The same for its body. */
  whole: number;
  /** Each so many bytes add a second, in calls that may take time. */
  fileBytesPerSecond: number;
  /** Milliseconds between two checks. */
  checkEvery: number;
  /** Milliseconds in which something of an answer must have been read. */
  unread: number;
}

export const requestLimits: RequestLimits = {
  head: 10_000,
  whole: 15_000,
  fileBytesPerSecond: 16 * 1024,
  checkEvery: 1_000,
  unread: 30_000,
};

/** Milliseconds for which the rest of a body is taken in after it was refused, so that its sender gets to read why. */
const linger = 2_000;

const allowed = new WeakSet<IncomingMessage>();

/** The caller was admitted to a call whose body is large: it may take as long as it needs, if it comes steadily. */
export function mayTakeTime(request: IncomingMessage): void {
  allowed.add(request);
}

/**
 * Ends requests that arrive too slowly, even if steadily: each holds a connection and memory. The server receives a
 * `clientError` with Node's code, `ERR_HTTP_REQUEST_TIMEOUT`. (Node's `requestTimeout` is the same for all requests,
 * and a large picture from a phone takes longer.) Returns the function to call with each request.
 */
export function limitSlowRequests(
  server: Server,
  { whole, fileBytesPerSecond, checkEvery }: RequestLimits,
): (request: IncomingMessage, response: ServerResponse) => void {
  const coming = new Map<
    IncomingMessage,
    { response: ServerResponse; socket: Socket; since: number; bytesBefore: number; answeredAt?: number }
  >();
  const stop = repeat(checkEvery, () => {
    const now = performance.now();
    for (const [request, one] of coming) {
      const { response, socket, since, bytesBefore } = one;
      if (request.complete || socket.destroyed) {
        coming.delete(request);
        continue;
      }
      if (response.writableFinished) {
        one.answeredAt ??= now;
        if (now - one.answeredAt > linger) socket.destroy();
        continue;
      }
      const earned = allowed.has(request) ? ((socket.bytesRead - bytesBefore) / fileBytesPerSecond) * 1000 : 0;
      if (now - since <= whole + earned) continue;
      coming.delete(request);
      // Half of an answer has been sent already, so no other answer can be sent.
      if (response.headersSent) socket.destroy();
      else server.emit('clientError', Object.assign(new Error('Request timeout'), { code: slow }), socket);
    }
  });
  server.on('close', stop);
  return (request, response) => {
    if (request.complete || !hasBody(request)) return;
    // A request that was destroyed has no socket any more.
    const { socket } = request;
    coming.set(request, { response, socket, since: performance.now(), bytesBefore: socket.bytesRead });
  };
}

export const slow = 'ERR_HTTP_REQUEST_TIMEOUT';

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
