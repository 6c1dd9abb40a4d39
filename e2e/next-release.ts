import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop as its customers reach it, while a new release is deployed. */
export interface Releases {
  url: string;
  /** From now on the service worker is a different one, as after a deployment. */
  deploy(): void;
  /** Files of the build that the new release does not have; null if it has all. */
  gone: RegExp | null;
  /** Files whose first request from now on is answered 502, as by a proxy that has just restarted. */
  late: RegExp | null;
  /** Whether nothing answers, as if the server is down; the browser still counts as connected. */
  isDown: boolean;
  stop(): Promise<void>;
}

/** Starts a reverse proxy before a running shop, which forwards everything. */
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
