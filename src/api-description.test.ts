import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiExamples } from '#api-examples.ts';
import { contract } from '#contract.ts';
import type { Endpoint, EndpointKey } from '#platform/http/endpoint.ts';
import { splitKey } from '#platform/http/serve.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, { example?: unknown; examples?: unknown }> }>;
}

let app: TestApp;
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: object } };
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.request('GET', '/v1/openapi.json')).body;
});
afterAll(() => app.close());

test('the public linter finds nothing in the description to complain or warn of', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    telemetry: 'off',
    // The specification's own: /v1/orders/session/{sessionId} beside /v1/orders/{id}/accept.
    rules: { 'no-ambiguous-paths': 'off' },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
});

test('every call of the contract is described', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(Object.keys(contract).toSorted());
});

test('every refusal comes with an example of its body', () => {
  const bare = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status >= '400' && !content?.['application/json']?.examples)
        .map(([status]) => `${method} ${path} ${status}`),
    ),
  );
  expect(bare).toEqual([]);
});

test.each(Object.keys(apiExamples) as EndpointKey[])('the example of %s is what the call takes and answers', (key) => {
  const { body, response }: Endpoint = contract[key as keyof typeof contract];
  const example = apiExamples[key];
  const refused = example?.body === undefined ? undefined : body?.safeParse(example.body).error;
  expect(refused).toBeUndefined();
  const answer = example?.answer === undefined ? undefined : response?.parse(example.answer);
  expect(answer).toEqual(example?.answer);
  const [method, path] = splitKey(key);
  expect(document.paths[path]?.[method.toLowerCase()]).toBeDefined();
});

test('things that many calls share are written once', () => {
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Order', 'Store', 'Item', 'Error']));
  expect(JSON.stringify(document).length).toBeLessThan(400_000);
});

test('the description is kept by whoever has it', async () => {
  const first = await app.request('GET', '/v1/openapi.json');
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  const again = await app.request('GET', '/v1/openapi.json', {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test('the page for people shows what a call takes, with every name explained', async () => {
  const { status, body } = await app.request('GET', '/api');
  expect(status).toBe(200);
  expect(body).toContain('href="#schema-Order"');
  const linked = new Set([...String(body).matchAll(/href="#(schema-\w+)"/g)].map(([, name]) => name));
  for (const name of linked) expect(body).toContain(`id="${name}"`);
});
