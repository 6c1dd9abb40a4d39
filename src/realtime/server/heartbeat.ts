import type { Hub } from '#realtime/server/hub.ts';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import { CLOSE, PING_FRAME } from '#realtime/server/protocol.ts';

/**
 * Pings sockets that have been silent and closes those that stay so (4201). One timer for all: a timer for each of
 * thousands of sockets costs more. Returns what stops it.
 */
export function startHeartbeat(hub: Hub, limits: RealtimeLimits): () => void {
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const connection of hub.connections.values()) {
      if (connection.pingedAt > 0) {
        if (now - connection.pingedAt < limits.pongTimeout) continue;
        connection.socket.close(CLOSE.noPong, 'Pong reply not received');
      } else if (now - connection.heardAt >= limits.pingAfter) {
        connection.pingedAt = now;
        connection.send(PING_FRAME);
        if (connection.socket.readyState === connection.socket.OPEN) connection.socket.ping();
      }
    }
  }, limits.sweepEvery);
  sweep.unref();
  return () => clearInterval(sweep);
}
