import { repeat } from '#platform/server/sweep.ts';
import type { Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface RequestLimits {
  /** Milliseconds in which a request must have arrived completely. */
  whole: number;
  /** Each so many bytes of a file add a second. */
  fileBytesPerSecond: number;
  /** Milliseconds between two checks. */
  checkEvery: number;
}

export const requestLimits: RequestLimits = { whole: 30_000, fileBytesPerSecond: 16 * 1024, checkEvery: 5_000 };

/**
 * Ends requests that arrive too slowly, even if steadily: each holds a connection and memory. The server receives a
 * `clientError` with Node's own code, `ERR_HTTP_REQUEST_TIMEOUT`. (Node's `requestTimeout` is the same for all requests, and a
 * large picture from a phone takes longer.) Returns the function to call with each request.
 */
export function limitSlowRequests(
  server: Server,
  isFile: (request: IncomingMessage) => boolean,
  { whole, fileBytesPerSecond, checkEvery }: RequestLimits,
): (request: IncomingMessage, response: ServerResponse) => void {
  const coming = new Map<
    IncomingMessage,
    { response: ServerResponse; socket: Socket; since: number; bytesBefore: number }
  >();
  const stop = repeat(checkEvery, () => {
    const now = performance.now();
    for (const [request, { response, socket, since, bytesBefore }] of coming) {
      if (request.complete || socket.destroyed) {
        coming.delete(request);
        continue;
      }
      const earned = isFile(request) ? ((socket.bytesRead - bytesBefore) / fileBytesPerSecond) * 1000 : 0;
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
