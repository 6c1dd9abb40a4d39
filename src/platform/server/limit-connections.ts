import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Clients, networkOf } from '#platform/server/client-address.ts';

export interface ConnectionLimits {
  /** Of the server; the next one is closed at once. */
  all: number;
  /** Of one network, except of proxies that are trusted: those carry everybody. */
  perNetwork: number;
}

/** `all` leaves room beside every realtime socket; `perNetwork` for a shop behind a proxy that nobody has named. */
export const connectionLimits: ConnectionLimits = { all: 12_000, perNetwork: 2_500 };

/** Connections without a request cost memory too, and only their head's time limit ends them. */
export function limitConnections(server: Server, clients: Clients, { all, perNetwork }: ConnectionLimits): void {
  server.maxConnections = all;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (clients.isTrusted(peer)) return;
    const network = networkOf(peer);
    const count = open.get(network) ?? 0;
    if (count >= perNetwork) return void socket.destroy();
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
