import type { z } from 'zod';
import { errorStatus, type ErrorCode } from '#platform/errors.ts';
import type { Access, Endpoint, EndpointKey, Endpoints } from '#platform/http/endpoint.ts';
import { errorExamples, errorSchema } from '#platform/http/openapi-errors.ts';
import { openSchemaBook, type SchemaBook } from '#platform/http/openapi-schemas.ts';
import { splitKey } from '#platform/http/serve.ts';

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
  license: { name: string; identifier: string };
}

/** What a call may look like: a body as it is sent, and the answer to it. */
export type ApiExamples = Partial<Record<EndpointKey, { body?: unknown; answer?: unknown }>>;

export interface ApiWords {
  /** Schemas to refer to by name. */
  schemas: Record<string, z.ZodType>;
  examples: ApiExamples;
  /** What each group of calls is about. */
  groups: Record<string, string>;
}

/** The contract as an OpenAPI 3.1 document: every call, its parameters, bodies, answers and refusals. */
export function describeApi(
  contract: Endpoints,
  groups: Record<string, Endpoints>,
  info: ApiInfo,
  { schemas, examples, groups: about }: ApiWords,
): Record<string, unknown> {
  const book = openSchemaBook(schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [tag, endpoints] of Object.entries(groups)) {
    for (const key of Object.keys(endpoints) as EndpointKey[]) {
      const endpoint = contract[key];
      if (!endpoint) continue;
      const [method, path] = splitKey(key);
      (paths[path] ??= {})[method.toLowerCase()] = describeCall(key, endpoint, tag, book, examples[key]);
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.keys(groups).map((name) => ({ name, description: about[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers.' },
        orderSession: { type: 'apiKey', in: 'header', name: 'X-Order-Session', description: "One order's own secret." },
      },
      schemas: { ...book.components, Error: errorSchema },
    },
  };
}

const accessWords: Record<Access, string> = {
  guest: 'Open to everyone.',
  customer: 'For anyone signed in.',
  store_admin: "For the store's staff.",
  admin: 'For admins.',
};

function describeCall(
  key: EndpointKey,
  endpoint: Endpoint,
  tag: string,
  { schemaOf }: SchemaBook,
  example: ApiExamples[EndpointKey] = {},
): Record<string, unknown> {
  const [method, path] = splitKey(key);
  const status = endpoint.status ?? (endpoint.response === null ? 204 : 200);
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/{}.-]+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    tags: [tag],
    summary: endpoint.summary,
    description: accessWords[endpoint.access],
    security: endpoint.access === 'guest' ? [{}, { token: [] }, { orderSession: [] }] : [{ token: [] }],
    parameters: [...pathParameters(path), ...queryParameters(endpoint.query, schemaOf)],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input'), ...exampleOf(example.body) } },
      },
    }),
    ...(endpoint.upload && {
      requestBody: {
        required: true,
        content: Object.fromEntries(endpoint.upload.types.map((type) => [type, { schema: file }])),
      },
    }),
    responses: {
      [status]:
        endpoint.response === null
          ? { description: 'Done.' }
          : {
              description: 'Done.',
              content: {
                [endpoint.download ?? 'application/json']: {
                  schema: schemaOf(endpoint.response, 'output'),
                  ...exampleOf(example.answer),
                },
              },
            },
      ...describeErrors(endpoint, path),
    },
  };
}

const file = { type: 'string', format: 'binary' };
const exampleOf = (value: unknown) => (value === undefined ? {} : { example: value });

function describeErrors(endpoint: Endpoint, path: string): Record<string, unknown> {
  const codes = new Set<ErrorCode>(endpoint.errors ?? []);
  if (endpoint.access !== 'guest') for (const code of ['unauthenticated', 'forbidden'] as const) codes.add(code);
  if (path.includes('{')) codes.add('not_found');
  if (endpoint.body || endpoint.query) codes.add('invalid');
  if (endpoint.body) for (const code of ['malformed_request', 'payload_too_large'] as const) codes.add(code);
  if (endpoint.upload) {
    for (const code of ['invalid', 'payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  }
  codes.add('too_many_requests');
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      status,
      {
        description: own.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: errorExamples(own) },
        },
      },
    ]),
  );
}

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined, schemaOf: SchemaBook['schemaOf']) {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}
