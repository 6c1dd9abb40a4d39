import type { Connection } from '#realtime/server/connection.ts';
import type { Hub } from '#realtime/server/hub.ts';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import { repeat } from '#platform/server/sweep.ts';
import { CLOSE, PING_FRAME } from '#realtime/server/protocol.ts';

/** The most milliseconds between two checks of the listeners of watched channels. */
const lookAtWatchedEvery = 1000;

/**
 * Pings silent sockets and closes those that stay silent (4201), drops those that do not read, and takes back the places for
 * staff from others; listeners of watched channels sooner than others, and `leave` is
 * called for them immediately, however long its socket takes to close. One timer for all: a timer for each of thousands of
 * sockets costs more. Returns the function that stops it.
 */
export function startHeartbeat(hub: Hub, limits: RealtimeLimits, leave: (connection: Connection) => void): () => void {
  const stopSockets = repeat(limits.sweepEvery, () => {
    const now = performance.now();
    for (const connection of hub.connections.values()) {
      if (connection.unreadFor(now) >= limits.unreadTimeout) {
        connection.drop();
      } else if (connection.isOnTrial && now - connection.openedAt >= limits.staffWithin) {
        connection.socket.close(CLOSE.overCapacity, 'Over capacity');
      } else if (connection.pingedAt > 0) {
        if (now - connection.pingedAt < limits.pongTimeout) continue;
        connection.socket.close(CLOSE.noPong, 'Pong reply not received');
      } else if (now - connection.heardAt >= limits.pingAfter) {
        connection.pingedAt = now;
        connection.send(PING_FRAME);
        pingFrame(connection);
      }
    }
  });
  const stopWatched = repeat(Math.min(lookAtWatchedEvery, limits.watchedPingEvery), () => {
    const now = performance.now();
    for (const one of hub.watched) {
      if (now - one.heardAt >= limits.watchedTimeout) {
        leave(one);
        one.socket.close(CLOSE.noPong, 'Not heard');
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

function pingFrame({ socket }: Connection): void {
  if (socket.readyState === socket.OPEN) socket.ping();
}
