import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a server that can die like a real one: nothing arrives any more, and neither side is told. */
export interface Line {
  port: number;
  /** From now on every byte is dropped, in both directions, and nothing is closed. */
  die: () => void;
  /** New connections work again. Connections that lost bytes stay dead. */
  recover: () => void;
  close: () => Promise<void>;
}

export async function openLine(port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let isDead = false;
  let generation = 0;
  const server = createServer((near) => {
    const born = generation;
    const swallows = (): boolean => isDead || born !== generation;
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (swallows() || to.write(bytes)));
      from.on('end', () => void (swallows() || to.end()));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!swallows()) to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    die() {
      isDead = true;
    },
    recover() {
      isDead = false;
      generation += 1;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
