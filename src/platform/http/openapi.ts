import type { z } from 'zod';
import type { ErrorCode, ErrorTable } from '#platform/errors.ts';
import {
  type Access,
  type Endpoint,
  type EndpointKey,
  type Endpoints,
  secretHeadersOf,
  splitEndpointKey,
} from '#platform/http/endpoint.ts';
import {
  exampleOfSchema,
  type ExampleValues,
  createSchemaConverter,
  type SchemaConverter,
} from '#platform/http/openapi-examples.ts';
import { keysOf } from '#platform/keys-of.ts';

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
  license: { name: string; identifier: string };
}

/** Examples of calls whose generated example would be meaningless. */
export type ApiExamples = Partial<Record<EndpointKey, { body?: unknown; answer?: unknown }>>;

export interface ApiDescriptionInputs {
  schemas: Record<string, z.ZodType>;
  examples: ApiExamples;
  exampleWords: ExampleValues;
  groups: Record<string, string>;
  access: Record<Access, string>;
  health: { well: string; unwell: string };
  errors: ErrorTable;
  /** The schemas of the error members beyond message and code. */
  errorMembers: Record<string, unknown>;
}

export function describeApi(
  contract: Endpoints,
  groups: Record<string, Endpoints>,
  info: ApiInfo,
  words: ApiDescriptionInputs,
): Record<string, unknown> {
  const { schemas, examples, exampleWords, errors } = words;
  const book = createSchemaConverter(schemas);
  const content = (schema: z.ZodType, side: 'input' | 'output', example: unknown, type = 'application/json') => {
    const described = book.schemaOf(schema, side);
    const made = example ?? exampleOfSchema(described, book.components, exampleWords);
    return { [type]: { schema: described, example: made } };
  };
  const responses: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [tag, endpoints] of Object.entries(groups)) {
    for (const key of keysOf(endpoints)) {
      const endpoint = contract[key];
      if (!endpoint) continue;
      const [method, path] = splitEndpointKey(key);
      (paths[path] ??= {})[method.toLowerCase()] = describeCall(key, endpoint, tag, {
        book,
        words,
        content,
        example: examples[key] ?? {},
        parameterExample: (name, schema) => {
          const alone = { type: 'object', properties: { [name]: schema }, required: [name] };
          return (exampleOfSchema(alone, book.components, exampleWords) as Record<string, unknown>)[name];
        },
      });
      Object.assign(responses, errorResponses(errorCodesOf(key, endpoint), errors).components);
    }
  }
  Object.assign(paths, servicePaths(Object.keys(groups)[0] ?? '', words));
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.keys(groups).map((name) => ({ name, description: words.groups[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers.' },
        ...Object.fromEntries(
          secretHeadersOf(contract).map(({ scheme, header, description }) => [
            scheme,
            { type: 'apiKey', in: 'header', name: header, description },
          ]),
        ),
      },
      parameters: { id: idParameter },
      schemas: { ...book.components, Error: errorSchema(errors, words.errorMembers) },
      responses,
    },
  };
}

interface CallWriter {
  book: SchemaConverter;
  words: ApiDescriptionInputs;
  content(schema: z.ZodType, side: 'input' | 'output', example: unknown, type?: string): Record<string, unknown>;
  example: { body?: unknown; answer?: unknown };
  parameterExample(name: string, schema: unknown): unknown;
}

function describeCall(
  key: EndpointKey,
  endpoint: Endpoint,
  tag: string,
  { book, words, content, example, parameterExample }: CallWriter,
): Record<string, unknown> {
  const [method, path] = splitEndpointKey(key);
  const [status = 200] = successStatusesOf(endpoint);
  const answer = endpoint.response && {
    content: content(endpoint.response, 'output', example.answer, endpoint.download),
  };
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/{}.-]+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    tags: [tag],
    summary: endpoint.summary,
    description: [words.access[endpoint.access], freshWords(endpoint)].filter(Boolean).join(' '),
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(path, endpoint),
      ...queryParameters(endpoint.query, book.schemaOf, parameterExample),
    ],
    ...(endpoint.body && {
      requestBody: { required: true, content: content(endpoint.body, 'input', example.body) },
    }),
    ...(endpoint.upload && {
      requestBody: {
        required: true,
        content: Object.fromEntries(endpoint.upload.types.map((type) => [type, { schema: file }])),
      },
    }),
    responses: {
      [status]: { description: 'Done.', ...answer },
      ...(endpoint.also && {
        [endpoint.also.status]: { description: endpoint.also.when, ...(endpoint.also.status !== 204 && answer) },
      }),
      ...errorResponses(errorCodesOf(key, endpoint), words.errors).links,
    },
  };
}

function freshWords({ freshSignIn, freshSignInFor }: Endpoint): string {
  if (freshSignIn) return 'Staff need a fresh sign-in.';
  return freshSignInFor === undefined ? '' : `Staff need a fresh sign-in for ${freshSignInFor}.`;
}

const file = { type: 'string', format: 'binary' };

export function successStatusesOf({ status, response, also }: Endpoint): number[] {
  return [status ?? (response === null ? 204 : 200), ...(also ? [also.status] : [])];
}

/** All error codes of a call: its own, those that its access and inputs imply, and those of every call. */
export function errorCodesOf(key: EndpointKey, endpoint: Endpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(endpoint.errors ?? []);
  // Even a call that is open to everyone may refuse an unknown token.
  codes.add('unauthenticated');
  if (endpoint.access !== 'guest') codes.add('forbidden');
  if (endpoint.freshSignIn || endpoint.freshSignInFor !== undefined) codes.add('fresh_sign_in_required');
  if (key.includes('{')) codes.add('not_found');
  if (endpoint.body || endpoint.query) codes.add('invalid');
  codes.add('malformed_request');
  if (!key.startsWith('GET ')) {
    for (const code of ['payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  }
  if (endpoint.upload) codes.add('invalid');
  for (const code of ['too_many_requests', 'internal', 'unavailable'] as const) codes.add(code);
  return codes;
}

function securityOf({ access, secret }: Endpoint): Record<string, never[]>[] {
  if (access !== 'guest') return [{ token: [] }];
  return [{}, { token: [] }, ...(secret ? [{ [secret.scheme]: [] }] : [])];
}

const healthExample = (state: 'ok' | 'unavailable') => ({
  status: state,
  checks: { database: state, disk: 'ok', jobs: 'ok' },
});

/** The paths of routes outside the contract: the API description, `/health` and `/live`. */
function servicePaths(
  tag: string,
  { access, errors, health }: ApiDescriptionInputs,
): Record<string, Record<string, unknown>> {
  const read = (path: string, summary: string, example: unknown, unwell?: string, unwellExample?: unknown) => ({
    get: {
      operationId: `get${path.replaceAll(/[^a-z]+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
      tags: [tag],
      summary,
      description: access.guest,
      security: [{}],
      parameters: [],
      responses: {
        200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' }, example } } },
        ...errorResponses(new Set<ErrorCode>(['malformed_request']), errors).links,
        ...(unwell && {
          503: {
            description: unwell,
            content: { 'application/json': { schema: { type: 'object' }, example: unwellExample } },
          },
        }),
      },
    },
  });
  return {
    '/v1/openapi.json': read('/v1/openapi.json', 'This document.', { openapi: '3.1.0' }),
    '/health': read('/health', health.well, healthExample('ok'), health.unwell, healthExample('unavailable')),
    '/live': read('/live', 'Whether the process lives.', { status: 'ok' }),
  };
}

const anId = '01a1fe5e-138f-751d-9f7f-7de7e3ad676c';

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Its id.',
  schema: { type: 'string', format: 'uuid' },
  example: anId,
};

function pathParameters(path: string, { idOrName }: Endpoint) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    if (!idOrName && name === idParameter.name) return { $ref: '#/components/parameters/id' };
    const isId = !idOrName && /id$/i.test(name);
    return {
      name,
      in: 'path',
      required: true,
      description: idOrName?.description ?? (isId ? 'Its id.' : 'Its name.'),
      schema: { type: 'string', ...(isId && { format: 'uuid' }) },
      example: idOrName?.example ?? anId,
    };
  });
}

function queryParameters(
  query: z.ZodType | undefined,
  schemaOf: SchemaConverter['schemaOf'],
  exampleFor: (name: string, schema: unknown) => unknown,
) {
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
    example: name === 'include' ? 'related' : exampleFor(name, schema),
  }));
}

/** The schema of an error body; `members` are the fields that only some errors have. */
function errorSchema(errors: ErrorTable, members: Record<string, unknown>) {
  return {
    type: 'object',
    required: ['message', 'code'],
    properties: {
      message: { type: 'string', description: 'For people.' },
      code: { type: 'string', enum: keysOf(errors), description: 'For programs: it never changes meaning.' },
      errors: {
        type: 'object',
        description: 'Messages by the path of the field that caused them.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      ...members,
    },
  };
}

/**
 * Groups the error codes by status. Builds one shared response for each group, and a reference to it for each status.
 */
function errorResponses(
  codes: Iterable<ErrorCode>,
  errors: ErrorTable,
): {
  links: Record<string, { $ref: string }>;
  components: Record<string, unknown>;
} {
  const byStatus = [...Map.groupBy(codes, (code) => errors[code].status)];
  const named = byStatus.map(([status, own]) => ({ status, own: own.toSorted(), name: own.toSorted().join('-') }));
  return {
    links: Object.fromEntries(named.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])),
    components: Object.fromEntries(named.map(({ name, own }) => [name, describeRefusals(own, errors)])),
  };
}

function describeRefusals(codes: readonly ErrorCode[], errors: ErrorTable) {
  const examples = codes.map((code) => {
    const { message, example } = errors[code];
    return [code, { value: { message, code, ...example } }];
  });
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as Record<string, unknown>,
      },
    },
  };
}
