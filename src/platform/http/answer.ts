import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { LRUCache } from 'lru-cache';

/** An answer whose status differs from the endpoint's usual status. */
export class AnswerWithStatus<T> {
  readonly status: number;
  readonly value: T | null;
  constructor(status: number, value: T | null) {
    this.status = status;
    this.value = value;
  }
}

/** A response body in every encoding. It is built once and sent to many callers, until its data changes. */
export interface EncodedBodies {
  type: string;
  etag: string;
  cacheControl: string;
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

export class PrebuiltAnswer {
  readonly bytes: EncodedBodies;
  constructor(bytes: EncodedBodies) {
    this.bytes = bytes;
  }
}

/** A response that is a file and is never cached. Each chunk is created after the previous chunk was sent. */
export class DownloadAnswer {
  readonly name: string;
  readonly type: string;
  readonly text: string | AsyncIterable<string>;
  constructor(name: string, type: string, text: string | AsyncGenerator<string, void, void>) {
    this.name = name;
    this.type = type;
    this.text = typeof text === 'string' ? text : inThisContext(text);
  }
}

/** Creates each chunk in the handler's async context, which has the language and the `callerSignal` of the call. */
function inThisContext(pieces: AsyncGenerator<string, void, void>): AsyncIterable<string> {
  const here = AsyncLocalStorage.snapshot();
  return {
    [Symbol.asyncIterator]: () => ({ next: () => here(() => pieces.next()), return: () => pieces.return() }),
  };
}

export function sendAnswer(endpoint: Endpoint, answer: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  if (answer instanceof PrebuiltAnswer) return sendPrebuiltBody(answer.bytes, request, reply);
  if (answer instanceof DownloadAnswer) {
    reply.headers({ 'content-disposition': `attachment; filename="${answer.name}"`, 'cache-control': 'no-store' });
    return reply.type(answer.type).send(typeof answer.text === 'string' ? answer.text : Readable.from(answer.text));
  }
  const isSpecial = answer instanceof AnswerWithStatus;
  const value: unknown = isSpecial ? answer.value : answer;
  const status = isSpecial ? answer.status : (endpoint.status ?? (endpoint.response === null ? 204 : 200));
  reply.status(status);
  if (status === 204 || endpoint.response === null) return reply.send();
  // The answer is parsed by its schema, so that an undeclared field never leaves the server.
  const body = endpoint.response.parse(value);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** The request headers, apart from `Authorization`, on which a prebuilt response of the API depends. */
export const prebuiltVaryHeader = 'accept-encoding, origin';

export function sendPrebuiltBody(
  bytes: EncodedBodies,
  request: FastifyRequest,
  reply: FastifyReply,
  vary = prebuiltVaryHeader,
): unknown {
  reply.headers({ etag: bytes.etag, 'cache-control': bytes.cacheControl, vary });
  if (request.headers['if-none-match'] === bytes.etag) return reply.status(304).send();
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(bytes.type).send(bytes[encoding]);
}

export type Encoding = 'identity' | 'br' | 'gzip';

/** Caches the encoding for each `Accept-Encoding` header, because browsers send few different ones. */
const known = new LRUCache<string, Encoding>({ max: 100 });

/** The best encoding that an `Accept-Encoding` header (RFC 9110, 12.5.3) accepts. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  const before = known.get(accepted);
  if (before) return before;
  const encoding = smallestOf(accepted);
  known.set(accepted, encoding);
  return encoding;
}

function smallestOf(accepted: string): Encoding {
  if (takes(accepted, 'br')) return 'br';
  return takes(accepted, 'gzip') ? 'gzip' : 'identity';
}

function takes(accepted: string, name: string): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', weight = ''] = part.toLowerCase().split(';');
    return coding.trim() === name && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}
