import { execFile, execFileSync, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { createServer, request as askFor, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer as createViteServer, mergeConfig, type Plugin, type ViteDevServer } from 'vite';
import { readConfig } from '../src/config.ts';
import { findFreePort } from '../src/database/embedded/access.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts';
import type { Face } from '../src/pages.ts';
import type { Language } from '../src/platform/languages.ts';
import { faceConfig, sourceEntries } from '../vite.config.ts';
import { toSourcePage, type SourcePage } from './dev-pages.ts';

// `npm run dev` runs the shop for developers. Vite's dev servers, one per front end and language, show a changed page
// at once. A changed server restarts, while the database keeps running. All other requests are proxied to the real
// server on another port.

process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const config = readConfig(process.env, process.argv.slice(2));
execFileSync(process.execPath, ['scripts/build.ts', '--if-missing'], { stdio: 'inherit' });
const words = watchWords();
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
const embedded = config.DATABASE_URL
  ? null
  : await startEmbeddedPostgres({
      dataDir: config.dataDir,
      log: console,
      transport: 'tcp',
      takesCopy: config.takesCopy,
      signal: ending.signal,
    }).catch(refused);
const shopPort = await findFreePort();
const watching = ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGKILL'];
/** The server writes its compile cache while it runs, because it is killed and cannot write the cache at its end. */
const writeCompileCache = `data:text/javascript,import { flushCompileCache } from 'node:module';
setInterval(flushCompileCache, 5000).unref();`;
const shop = spawn(
  process.execPath,
  [...watching, '--import', writeCompileCache, 'src/server.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(shopPort),
      APP_URL: config.publicUrl,
      NODE_COMPILE_CACHE: 'node_modules/.cache/dev',
      ...(embedded && { DATABASE_URL: urlOf(embedded.connection) }),
    },
  },
);
const http = createServer((request, response) => void answer(request, response));
const sources = new Map<string, Promise<ViteDevServer>>();
http.on('upgrade', (request, socket, head) => {
  if (!isVites(request.url)) passSocket(request, socket as Socket, head);
});
http.listen(config.PORT);

let isStopping = false;
ending.signal.addEventListener('abort', () => void stop());
if (ending.signal.aborted) void stop();
shop.once('exit', () => void stop());

function refused(error: unknown): never {
  if (!ending.signal.aborted) throw error;
  process.exit(0);
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  words.close();
  shop.kill('SIGTERM');
  if (shop.exitCode === null && shop.signalCode === null) await new Promise((resolve) => shop.once('exit', resolve));
  await Promise.all([...sources.values()].map(async (vite) => (await vite).close()));
  await embedded?.stop();
  process.exit(0);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (isVites(request.url)) {
      const [, , name = ''] = (request.url ?? '').split('/');
      const [face, language] = name.split('-') as [Face, Language];
      (await sourcesOf(face, language)).middlewares(request, response);
    } else if (request.url === '/service-worker.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(noServiceWorker);
    } else {
      passOn(request, response);
    }
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}

/** A service worker that replaces the one of an earlier `npm start`, which would answer with outdated pages. */
const noServiceWorker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', () => registration.unregister());`;

function passOn(request: IncomingMessage, response: ServerResponse): void {
  const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  // The page must not be compressed, because this proxy reads it.
  const headers = isPage ? { ...request.headers, 'accept-encoding': 'identity' } : request.headers;
  const passed = askFor({ port: shopPort, method: request.method, path: request.url, headers }, (answered) => {
    const isHtml = isPage && (answered.headers['content-type'] ?? '').startsWith('text/html');
    if (isHtml) void sendPage(request, response, answered);
    else answered.pipe(response.writeHead(answered.statusCode ?? 502, answered.headers));
  });
  passed.on('error', () => {
    response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/html; charset=utf-8' });
    response.end('<meta http-equiv="refresh" content="1">The server is starting.');
  });
  request.pipe(passed);
}

async function sendPage(request: IncomingMessage, response: ServerResponse, answered: IncomingMessage): Promise<void> {
  const html = (await answered.toArray()).join('');
  const page = toSourcePage(html);
  // The content security policy is removed, because it forbids Vite's inline scripts and Vite's socket.
  const { 'content-security-policy': _policy, 'content-length': _length, ...headers } = answered.headers;
  response.writeHead(answered.statusCode ?? 502, page ? headers : answered.headers);
  response.end(page ? await fromSources(page) : html);
}

async function fromSources({ face, language, html }: SourcePage): Promise<string> {
  const vite = await sourcesOf(face, language);
  const entry = `<script type="module" src="/${sourceEntries[face]}"></script>`;
  // Only the entry is transformed, because in the whole page Vite would change URLs that belong to the server.
  const scripts = await vite.transformIndexHtml('/', entry);
  return html.replace('</head>', () => `${scripts}</head>`);
}

function sourcesOf(face: Face, language: Language): Promise<ViteDevServer> {
  const name = `${face}-${language}`;
  let server = sources.get(name);
  if (!server) {
    server = createViteServer(
      mergeConfig(faceConfig(face, language), {
        configFile: false,
        base: `/vite/${name}/`,
        appType: 'custom',
        mode: 'development',
        cacheDir: `node_modules/.cache/vite-${name}`,
        plugins: face === 'office' ? [] : [messagesIn(language)],
        server: { middlewareMode: true, hmr: { server: http, path: 'hmr' } },
      }),
    );
    sources.set(name, server);
  }
  return server;
}

/** Serves all messages as one module, because a browser would request a module for each message separately. */
function messagesIn(language: Language): Plugin {
  const id = '\0messages';
  const file = fileURLToPath(new URL(`../src/messages.gen/${language}/all.ts`, import.meta.url));
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith(`messages.gen/${language}/only.ts`) ? id : null),
    load: (asked) =>
      asked === id
        ? `export * as m from ${JSON.stringify(file)}; export const currentLanguage = () => '${language}';`
        : null,
  };
}

function isVites(url = ''): boolean {
  return url.startsWith('/vite/');
}

function passSocket(request: IncomingMessage, socket: Socket, head: Buffer): void {
  const passed = connect(shopPort, 'localhost', () => {
    const headers = request.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
    passed.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers}\r\n`);
    passed.write(head);
    socket.pipe(passed).pipe(socket);
  });
  for (const [one, other] of [
    [socket, passed],
    [passed, socket],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

/** Recompiles the messages when a catalogue changes. */
function watchWords() {
  let running = false;
  let isAgain = false;
  const compile = (): void => {
    if (running) {
      isAgain = true;
      return;
    }
    running = true;
    execFile(process.execPath, ['scripts/compile-messages.ts'], (_error, _output, complaints) => {
      process.stderr.write(complaints);
      running = false;
      if (isAgain) compile();
      isAgain = false;
    });
  };
  return watch('src', { recursive: true }, (_event, name) => {
    if (/messages\.[\w-]+\.json$/.test(name ?? '')) compile();
  });
}

function urlOf({ host, port, user, password, database }: EmbeddedPostgres['connection']): string {
  return `postgres://${user}:${password}@${host}:${port}/${database}`;
}
