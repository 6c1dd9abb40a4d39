import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { sendPrebuilt } from '#platform/http/answer.ts';
import { prebuild } from '#platform/server/prebuild.ts';

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: unknown; example?: unknown }> };
  responses: Record<string, { $ref: string } | Response>;
}

interface Response {
  description: string;
  content?: Record<string, { schema: unknown; example?: unknown; examples?: unknown }>;
}

/** Serves the API's description: for programs at `/v1/openapi.json`, for people at `/api`. */
export function serveApiDescription(app: FastifyInstance, document: Record<string, unknown>): void {
  const caching = 'public, max-age=300';
  const json = prebuild(JSON.stringify(document), 'application/json; charset=utf-8', caching);
  const html = prebuild(renderPage(document as unknown as ApiDocument), 'text/html; charset=utf-8', caching);
  app.get('/v1/openapi.json', async (request, reply) => sendPrebuilt(await json, request, reply));
  app.get('/api', async (request, reply) => sendPrebuilt(await html, request, reply));
}

interface ApiDocument {
  info: { title: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, Response> };
}

function renderPage(document: ApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const sections = document.tags.map(({ name }) => {
    const own = calls.filter(({ operation }) => operation.tags.includes(name));
    return `<section aria-labelledby="${name}"><h2 id="${name}">${escape(name)}</h2>${own.map((call) => renderCall(call, document.components.responses)).join('')}</section>`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<article id="schema-${name}"><h3>${name}</h3><pre>${renderSchema(schema)}</pre></article>`,
  );
  const links = document.tags.map(({ name }) => `<a href="#${name}">${escape(name)}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><title>${escape(document.info.title)}</title><style>${style}</style></head><body><main>
<h1>${escape(document.info.title)}</h1><p>${escape(document.info.description)}</p>
<p><a href="/v1/openapi.json">openapi.json</a></p><nav aria-label="${escape(m.platform_api_groups())}">${links} <a href="#schemas">${escape(m.platform_api_schemas())}</a></nav>
${sections.join('\n')}<section aria-labelledby="schemas"><h2 id="schemas">${escape(m.platform_api_schemas())}</h2>${schemas.join('')}</section></main></body></html>`;
}

function renderCall(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  shared: Record<string, Response>,
): string {
  const parameters = operation.parameters.map(
    ({ name, in: where, required, schema }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${where}${required ? '' : `, ${m.platform_api_optional()}`}</td><td><code>${escape(JSON.stringify(schema))}</code></td></tr>`,
  );
  const body = operation.requestBody?.content['application/json'];
  const answers = Object.entries(operation.responses).map(([status, given]) => {
    const answer = '$ref' in given ? shared[given.$ref.split('/').at(-1) ?? ''] : given;
    const json = status.startsWith('2') ? answer?.content?.['application/json'] : undefined;
    return `<li><strong>${status}</strong> ${escape(answer?.description ?? '')}${json ? details(m.platform_api_answer(), json) : ''}</li>`;
  });
  return `<article><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escape(path)}</code></h3>
<p>${escape(operation.summary)} <em>${escape(operation.description)}</em></p>
${parameters.length > 0 ? `<table><tbody>${parameters.join('')}</tbody></table>` : ''}${body ? details(m.platform_api_body(), body) : ''}<ul>${answers.join('')}</ul></article>`;
}

function details(label: string, { schema, example }: { schema: unknown; example?: unknown }): string {
  const shown = example === undefined ? '' : `<pre>${escape(JSON.stringify(example, null, 2))}</pre>`;
  return `<details><summary>${escape(label)}</summary>${shown}<pre>${renderSchema(schema)}</pre></details>`;
}

/** A schema's text, its references as links to where they are explained. */
function renderSchema(schema: unknown): string {
  return escape(JSON.stringify(schema, null, 2)).replaceAll(
    /&quot;\$ref&quot;: &quot;#\/components\/schemas\/(\w+)&quot;/g,
    '<a href="#schema-$1">$1</a>',
  );
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;background:Canvas;color:CanvasText}
main{max-width:60rem;margin:auto;padding:1.5rem}nav{display:flex;gap:1rem;flex-wrap:wrap;margin:1rem 0}h2{margin-top:2.5rem;text-transform:capitalize}
article{border-top:1px solid #8884;padding:1rem 0}h3{margin:0;font-size:1rem;overflow-wrap:anywhere}table{border-spacing:.75rem .2rem;font-size:.9rem}
.method{display:inline-block;min-width:4rem;font-weight:700}pre{overflow:auto;max-height:24rem;padding:1rem;background:#8881;border-radius:.5rem;font-size:.8rem}
td code{overflow-wrap:anywhere}`;
