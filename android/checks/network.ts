import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { extname, join } from 'node:path';

// The two hosts that an app's pages know, on a port of this machine: their own files, and the shop.

export const origin = 'https://appassets.androidplatform.net';
/** Stands in the page's HTML in place of `{{shell-key}}`. */
export const pageKey = 'key-of-this-page';
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

export interface Network {
  /** Chromium's, so that both hosts are found here. */
  args: string[];
  /** Whether the shop answers. */
  setReachable(isReachable: boolean): void;
  end(): Promise<void>;
}

interface Options {
  /** The folder with the APK's `www`. */
  www: string;
  /** The shop's https address, and the real server that stands for it. */
  address: string;
  server: string;
  /** A PKCS #12 file, with the password of the debug key. */
  keystore: string;
}

export async function openNetwork({ www, address, server, keystore }: Options): Promise<Network> {
  const shop = new URL(address).host;
  const real = new URL(server);
  const sockets = new Set<Socket>();
  let isReachable = true;
  const options = { pfx: readFileSync(keystore), passphrase: 'android' };
  const network: Server = createServer(options, (asked, answer) => {
    const isShop = asked.headers.host === shop;
    if (isShop && !isReachable) return void asked.socket.destroy();
    const path = new URL(asked.url ?? '/', origin).pathname;
    // The app has the shop's pictures on its own origin (Pictures.java).
    if (isShop || /^\/(pictures|uploads|app-icon)\//.test(path)) return pass(asked, answer, real, () => isReachable);
    answerFile(answer, www, path);
  });
  network.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!isReachable) return void socket.destroy();
    const to = connect(Number(real.port), real.hostname, () => {
      const headers = Object.entries({ ...asked.headers, host: real.host }).map(([name, value]) => `${name}: ${value}`);
      to.write(`GET ${asked.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      to.write(head);
      socket.pipe(to).pipe(socket);
    });
    for (const [one, other] of [
      [to, socket],
      [socket, to],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  network.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
  const { port } = network.address() as { port: number };
  const here = `127.0.0.1:${port}`;
  return {
    args: [
      `--host-resolver-rules=MAP ${new URL(origin).host} ${here}, MAP ${shop} ${here}`,
      '--ignore-certificate-errors',
    ],
    setReachable(next) {
      isReachable = next;
      if (!next) for (const socket of sockets) socket.destroy();
    },
    end: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        network.close(() => resolve());
      }),
  };
}

/** As ShellClient.java: a path without a file's ending is the page's own. */
function answerFile(answer: ServerResponse, www: string, path: string): void {
  const isPage = !path.slice(path.lastIndexOf('/')).includes('.');
  const file = join(www, isPage ? 'index.html' : path);
  if (!existsSync(file)) return void answer.writeHead(404).end();
  const body = readFileSync(file);
  answer.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
  answer.setHeader('cache-control', 'no-cache');
  answer.end(isPage ? body.toString().replace('{{shell-key}}', pageKey) : body);
}

/** With the page's own headers: what the server allows other origins counts. */
function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  { hostname, port, host }: URL,
  isReachable: () => boolean,
) {
  if (!isReachable()) return void answer.writeHead(404).end();
  const headers = { ...asked.headers, host };
  const to = request({ hostname, port, path: asked.url, method: asked.method, headers }, (said) => {
    answer.writeHead(said.statusCode ?? 502, said.headers);
    said.pipe(answer);
  });
  to.on('error', () => answer.destroy());
  asked.pipe(to);
}
