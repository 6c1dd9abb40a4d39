import { repeatEvery } from '#platform/server/sweep.ts';
import type { Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface SlowRequestLimits {
  /** The timeout of a request's head (ms). */
  head: number;
  /** The timeout of a whole request with its body (ms). */
  whole: number;
  /** In calls with `extendBodyDeadline`, this many received bytes extend the timeout `whole` by a second. */
  fileBytesPerSecond: number;
  /** The interval between two checks (ms). */
  checkEvery: number;
  /** The time in which a client must read part of a response (ms). */
  unread: number;
}

export const slowRequestLimits: SlowRequestLimits = {
  head: 10_000,
  whole: 15_000,
  fileBytesPerSecond: 16 * 1024,
  checkEvery: 1_000,
  unread: 30_000,
};

/** The time for which a refused body is still received, so that its sender reads the refusal (ms). */
const linger = 2_000;

const allowed = new WeakSet<IncomingMessage>();

/** Extends the deadline of an admitted call with a large body while the bytes arrive steadily. */
export function extendBodyDeadline(request: IncomingMessage): void {
  allowed.add(request);
}

/**
 * Ends requests that arrive too slowly, because each occupies a connection and memory. The server then emits
 * `clientError` with Node's code `ERR_HTTP_REQUEST_TIMEOUT`. Node's own `requestTimeout` is not used, because it cannot
 * allow more time for large uploads. Returns a function to call for each request.
 */
export function limitSlowRequests(
  server: Server,
  { whole, fileBytesPerSecond, checkEvery }: SlowRequestLimits,
): (request: IncomingMessage, response: ServerResponse) => void {
  const coming = new Map<
    IncomingMessage,
    { response: ServerResponse; socket: Socket; since: number; bytesBefore: number; answeredAt?: number }
  >();
  const stop = repeatEvery(checkEvery, () => {
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
      // Part of the response was sent, so a refusal can no longer be sent.
      if (response.headersSent) socket.destroy();
      else server.emit('clientError', Object.assign(new Error('Request timeout'), { code: slowRequestCode }), socket);
    }
  });
  server.on('close', stop);
  return (request, response) => {
    if (request.complete || !hasBody(request)) return;
    // `request.socket` is stored, because it is missing once the request is destroyed.
    const { socket } = request;
    coming.set(request, { response, socket, since: performance.now(), bytesBefore: socket.bytesRead });
  };
}

export const slowRequestCode = 'ERR_HTTP_REQUEST_TIMEOUT';

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
