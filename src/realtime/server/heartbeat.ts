import type { Connection } from '#realtime/server/connection.ts';
import type { Hub } from '#realtime/server/hub.ts';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import { repeat } from '#platform/server/sweep.ts';
import { CLOSE, PING_FRAME } from '#realtime/server/protocol.ts';

/** The most milliseconds between two checks of the boards. */
const lookAtBoardsEvery = 1000;

/**
 * Pings silent sockets and closes those that stay silent (4201); order boards sooner than others, and `leave` is
 * called for a board immediately, however long its socket takes to close. One timer for all: a timer for each of thousands of
 * sockets costs more. Returns the function that stops it.
 */
export function startHeartbeat(hub: Hub, limits: RealtimeLimits, leave: (connection: Connection) => void): () => void {
  const stopSockets = repeat(limits.sweepEvery, () => {
    const now = performance.now();
    for (const connection of hub.connections.values()) {
      if (connection.pingedAt > 0) {
        if (now - connection.pingedAt < limits.pongTimeout) continue;
        connection.socket.close(CLOSE.noPong, 'Pong reply not received');
      } else if (now - connection.heardAt >= limits.pingAfter) {
        connection.pingedAt = now;
        connection.send(PING_FRAME);
        pingFrame(connection);
      }
    }
  });
  const stopBoards = repeat(Math.min(lookAtBoardsEvery, limits.boardPingEvery), () => {
    const now = performance.now();
    for (const board of hub.boards) {
      if (now - board.heardAt >= limits.boardTimeout) {
        leave(board);
        board.socket.close(CLOSE.noPong, 'Board not heard');
      } else if (now - board.boardPingedAt >= limits.boardPingEvery) {
        board.boardPingedAt = now;
        pingFrame(board);
      }
    }
  });
  return () => {
    stopSockets();
    stopBoards();
  };
}

function pingFrame({ socket }: Connection): void {
  if (socket.readyState === socket.OPEN) socket.ping();
}
