import { setTimeout as wait } from 'node:timers/promises';
import type { ChannelTable } from '#realtime/channels.ts';
import type { Connection } from '#realtime/server/connection.ts';

const STEP_MS = 50;

/**
 * Closes the sockets a few at a time over `spread` milliseconds, in random order: if all clients reconnected at once,
 * they would overload the next server. Listeners of channels that close first come first.
 */
export async function closeSpread(
  table: ChannelTable,
  connections: Connection[],
  code: number,
  spread: number,
): Promise<void> {
  const isFirst = ({ channels }: Connection) =>
    [...channels.keys()].some((channel) => table.find(channel)?.rule.closesFirst);
  const steps = Math.max(1, Math.floor(spread / STEP_MS));
  const perStep = Math.ceil(connections.length / steps);
  const shuffled = connections
    .map((connection) => ({ connection, rank: isFirst(connection) ? -1 : Math.random() }))
    .sort((a, b) => a.rank - b.rank);
  for (let from = 0; from < shuffled.length; from += perStep) {
    if (from > 0) await wait(STEP_MS);
    for (const { connection } of shuffled.slice(from, from + perStep)) connection.socket.close(code, 'Reconnect');
  }
}
