import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop as its customers reach it, while a new release of it comes out. */
export interface Releases {
  url: string;
  /** From now on the worker is another, as after a deploy. */
  deploy(): void;
  /** Files of the build that the new release does not have, or null for all being there. */
  gone: RegExp | null;
  /** Files whose first request from now on is answered 502, as by a proxy that is only just back. */
  late: RegExp | null;
  /** Whether nobody answers, as when the server is down: the browser takes itself for connected all the while. */
  isDown: boolean;
  stop(): Promise<void>;
}

/** Stands before a running shop, as a reverse proxy does, and passes everything on. */
export async function openReleases(shopUrl: string): Promise<Releases> {
  const { hostname, port } = new URL(shopUrl);
  let release = 1;
  const asked = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (releases.isDown) return void outgoing.destroy();
    if (releases.late?.test(path) && !asked.has(path)) {
      asked.add(path);
      return void outgoing.writeHead(502).end();
    }
    if (releases.gone?.test(path)) return void outgoing.writeHead(404).end();
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const passed = request({ hostname, port, path, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, withoutLength(answer.headers));
      answer.on('data', (chunk: Buffer) => outgoing.write(chunk));
      answer.on('end', () => outgoing.end(path === '/service-worker.js' ? `\n// release ${release}` : undefined));
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const releases: Releases = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    deploy: () => void (release += 1),
    gone: null,
    late: null,
    isDown: false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return releases;
}

function withoutLength(headers: Record<string, string | string[] | undefined>) {
  const { 'content-length': _length, etag: _etag, connection: _connection, ...rest } = headers;
  return rest;
}
