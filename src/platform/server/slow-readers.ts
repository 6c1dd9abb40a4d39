import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers that a connection may have asked for before it has taken the first. Browsers and proxies wait for each. */
const mostAtOnce = 3;

/**
 * Ends connections whose client reads nothing of its answer for `unread` milliseconds: the rest waits in memory, or
 * holds a file or a read of the database. A client that keeps reading, however slowly, gets all of it. Returns the
 * function to call with each request, which is false for one that its connection sent too early; that connection is
 * closed.
 */
export function limitSlowReaders(
  server: Server,
  unread: number,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const asked = new WeakMap<Socket, { last: ServerResponse; atOnce: number }>();
  // Node's timeout of a connection restarts with every byte in either direction.
  server.setTimeout(unread, (socket: Socket) => {
    const isAnswering = asked.get(socket)?.last.writableFinished === false;
    // Without an answer under way it is the keep-alive timeout.
    if (!isAnswering || socket.writableLength > 0) socket.destroy();
  });
  return (request, response) => {
    const { socket } = request;
    const before = asked.get(socket);
    const atOnce = before && !before.last.writableFinished ? before.atOnce + 1 : 1;
    asked.set(socket, { last: response, atOnce });
    if (atOnce <= mostAtOnce) return true;
    socket.destroy();
    return false;
  };
}
