import type { z } from 'zod';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { SchemaBook } from '#platform/http/openapi-schemas.ts';

const anId = '01a1fe5e-138f-751d-9f7f-7de7e3ad676c';

/** The parameter that most paths have stands once. */
export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Its id.',
  schema: { type: 'string', format: 'uuid' },
  example: anId,
};

export function pathParameters(path: string, { idOrName }: Endpoint) {
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

export function queryParameters(
  query: z.ZodType | undefined,
  schemaOf: SchemaBook['schemaOf'],
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
