import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiExamples } from '#api-examples.ts';
import { contract } from '#contract.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { keysOf } from '#platform/keys-of.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

type Content = Record<string, { example?: unknown; examples?: Record<string, unknown> }>;
interface Parameter {
  name: string;
  in: string;
  schema: { format?: string };
  example?: unknown;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}

let app: TestApp;
let document: {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, Parameter>;
    schemas: object;
    responses: Record<string, { content: Content }>;
  };
};
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.request('GET', '/v1/openapi.json')).body;
});
afterAll(() => app.close());

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

test('the public linter finds nothing to complain or warn of but paths that the specification made ambiguous', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    telemetry: 'off',
    // The specification's own: /v1/orders/session/{sessionId} beside /v1/orders/{id}/accept.
    rules: { 'no-ambiguous-paths': 'off' },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
});

const beside = ['GET /health', 'GET /live', 'GET /v1/openapi.json'];

test('every call of the contract is described, and what answers beside it', () => {
  const described = operations().map(([key]) => key);
  expect(described.toSorted()).toEqual([...Object.keys(contract), ...beside].toSorted());
});

const sharedParameter = (parameter: Parameter & { $ref?: string }): Parameter =>
  document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;

test('every parameter has an example, and every id its format', () => {
  const parameters = operations().flatMap(([key, operation]) =>
    (operation.parameters ?? []).map((parameter) => ({ key, ...sharedParameter(parameter) })),
  );
  expect(parameters.length).toBeGreaterThan(100);
  expect(parameters.filter(({ example }) => example === undefined || example === null)).toEqual([]);
  const ids = parameters.filter((one) => one.in === 'path' && one.name === 'id' && !one.key.includes('/v1/stores/'));
  expect(ids.filter(({ schema }) => schema.format !== 'uuid')).toEqual([]);
});

test('every refusal comes with an example of its body', () => {
  const bare = operations().flatMap(([key, { responses }]) =>
    Object.entries(responses)
      .filter(([status]) => status >= '400')
      .filter(([, { $ref, content }]) => {
        if (content?.['application/json']?.example) return false;
        const shown = document.components.responses[$ref?.split('/').at(-1) ?? ''];
        return Object.keys(shown?.content['application/json']?.examples ?? {}).length === 0;
      })
      .map(([status]) => `${key} ${status}`),
  );
  expect(bare).toEqual([]);
});

// A schema with a refinement, or words that nobody could guess, wants a line in src/api-examples.ts.
test.each(keysOf(contract))('the examples of %s are what it takes and answers', (key) => {
  const { body, response }: Endpoint = contract[key as keyof typeof contract];
  const operation = new Map(operations()).get(key);
  const { example: sent } = operation?.requestBody?.content['application/json'] ?? {};
  const refused =
    body && body.safeParse(sent).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(refused, `fix it with exampleWords.fields or apiExamples['${key}']: ${JSON.stringify(sent)}`).toBeUndefined();
  if (!response) return;
  const done = Object.entries(operation?.responses ?? {}).find(([status]) => status < '300')?.[1];
  const answer = Object.values(done?.content ?? {})[0]?.example;
  const parsed = response.safeParse(answer);
  const wrong = parsed.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(wrong, `fix it with exampleWords.fields or apiExamples['${key}']: ${JSON.stringify(answer)}`).toBeUndefined();
  expect(parsed.data).toEqual(answer);
});

test('every example that is written by hand is of a call that exists', () => {
  expect(Object.keys(contract)).toEqual(expect.arrayContaining(Object.keys(apiExamples)));
});

test('things that many calls share are written once', () => {
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Order', 'Store', 'Item', 'Error']));
  // Characters for each call, with its examples.
  expect(JSON.stringify(document).length / operations().length).toBeLessThan(3_000);
});

test('the description is kept by whoever has it', async () => {
  const first = await app.request('GET', '/v1/openapi.json');
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  const again = await app.request('GET', '/v1/openapi.json', {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test('the page for people names one script, which is kept for ever and comes compressed', async () => {
  const page = await app.request('GET', '/api');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
  const scripts = [...String(page.body).matchAll(/<script src="([^"]+)"/g)].map(([, src = '']) => src);
  expect(scripts).toEqual([expect.stringMatching(/^\/api\/viewer-[\w-]{10}\.js$/)]);
  const script = await app.request('GET', scripts[0] ?? '', { headers: { 'accept-encoding': 'br' } });
  expect(script.headers.get('content-encoding')).toBe('br');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await app.request('GET', '/api/viewer-of-before.js')).status).toBe(404);
});

test('without JavaScript the page for people says where the description is', async () => {
  const { body } = await app.request('GET', '/api');
  expect(body).toContain('<h1>Hatch API</h1>');
  expect(body).toContain('needs JavaScript');
  expect([...String(body).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['/v1/openapi.json']);
});
