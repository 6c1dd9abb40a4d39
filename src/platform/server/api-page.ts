import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { m } from '#messages';
import { type EncodedBodies, sendPrebuiltBody } from '#platform/http/answer.ts';
import type { ApiInfo } from '#platform/http/openapi.ts';
import { getOrCreateCached, prebuildAnswer } from '#platform/server/prebuilt-answers.ts';

/** The Content-Security-Policy of the API page: it loads nothing from other origins, and sends nothing to them. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

interface ViewerPage {
  html: EncodedBodies;
  /** The script's file name, with the hash of its content. */
  name: string;
  script: EncodedBodies;
}

/**
 * The time for which the server keeps the viewer, a script of seven megabytes, in memory (ms). Browsers cache the
 * script for ever.
 */
const keptFor = 30_000;

/** Serves the API description, created at the first request: `/v1/openapi.json` for programs, `/api` for people. */
export function serveApiDescription(
  app: FastifyInstance,
  describe: () => Record<string, unknown>,
  info: ApiInfo,
): void {
  const documents = new Map<string, Promise<EncodedBodies>>();
  const json = () =>
    getOrCreateCached(documents, 'json', async () =>
      prebuildAnswer(JSON.stringify(describe()), 'application/json; charset=utf-8', 'public, max-age=300'),
    );
  const made = new LRUCache<string, Promise<ViewerPage>>({
    max: 1,
    ttl: keptFor,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });
  let known: Omit<ViewerPage, 'script'> | undefined;
  const viewer = async () => {
    const { html, name, script } = await getOrCreateCached(made, 'page', () => makeViewerPage(info));
    known = { html, name };
    return { html, name, script };
  };
  app.get('/v1/openapi.json', async (request, reply) => sendPrebuiltBody(await json(), request, reply));
  app.get('/api', async (request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
    return sendPrebuiltBody((known ?? (await viewer())).html, request, reply);
  });
  app.get<{ Params: { name: string } }>('/api/:name', async (request, reply) => {
    if (known && request.params.name !== known.name) return reply.callNotFound();
    const { name, script } = await viewer();
    if (request.params.name !== name) return reply.callNotFound();
    return sendPrebuiltBody(script, request, reply);
  });
}

const built = new URL('../../../dist/api-viewer.js', import.meta.url);
const print = fileURLToPath(new URL('../../../scripts/write-api-viewer.ts', import.meta.url));

async function makeViewerPage(info: ApiInfo): Promise<ViewerPage> {
  const source = await readFile(built, 'utf8').catch(printViewer);
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 10);
  const name = `viewer-${hash}.js`;
  const [script, html] = await Promise.all([
    prebuildAnswer(source, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'),
    prebuildAnswer(renderPage(info, `/api/${name}`), 'text/html; charset=utf-8', 'no-cache'),
  ]);
  return { html, name, script };
}

/**
 * Builds the viewer's script if no build exists. This happens only in tests and development, where the viewer's package
 * is installed.
 */
async function printViewer(): Promise<string> {
  return (await promisify(execFile)(process.execPath, [print], { maxBuffer: 32 * 1024 * 1024 })).stdout;
}

/** Renders the API page for people. `#plain` is shown until the viewer replaces it, and stays if scripts are off. */
function renderPage(info: ApiInfo, script: string): string {
  const title = escape(info.title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><title>${title}</title><style>:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}
#plain{max-width:40rem;margin:auto;padding:1.5rem}</style></head><body><main id="plain"><h1>${title}</h1>
<p>${escape(info.description)}</p><p><a href="/v1/openapi.json">${escape(m.platform_api_document())}</a></p>
<p>${escape(m.platform_api_needs_script())}</p></main><div id="api"></div><script src="${script}"></script></body></html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
