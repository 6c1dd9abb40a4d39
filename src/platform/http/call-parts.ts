import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { parse } from '#platform/http/parse.ts';

/** A missing body counts as an empty object; a `null` that was sent does not. */
export function bodyOf({ body: schema, signed }: Endpoint, body: unknown): unknown {
  return schema && !signed ? parse(schema, body === undefined ? {} : body) : undefined;
}

export const noFile = Buffer.alloc(0);

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
