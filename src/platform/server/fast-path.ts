import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { type Encoding, encodingFor } from '#platform/http/encoding.ts';
import type { FastPath as Answer } from '#platform/server/http-app.ts';

export interface FastPath {
  answer: Answer;
  /** Sends `answer` to every GET request for exactly this address, as far as its `audience` includes the caller. */
  remember(url: string, answer: KeptAnswer): void;
}

export interface KeptAnswer {
  bytes: PrebuiltBytes;
  /** Those that depend on neither encoding nor bytes. */
  headers: Record<string, string>;
  isCurrent(): boolean;
  audience: Audience;
}

/** Who gets the same answer at an address. All answers remembered for one address must have the same `of`. */
export interface Audience {
  /** A text for the group of callers with these headers; null for those that only the framework may answer. */
  of(headers: IncomingHttpHeaders): string | null;
  /** The group that gets this answer. */
  name: string;
}

/** Everyone without a token. */
export const everyone: Audience = {
  of: ({ authorization }) => (authorization === undefined ? '' : null),
  name: '',
};

/** An answer with its headers, made once for each encoding. */
interface Entry {
  answer: KeptAnswer;
  notModified: Record<string, string>;
  sent: Partial<Record<Encoding, { body: Buffer; headers: Record<string, string | number> }>>;
}

interface Address {
  audienceOf: Audience['of'];
  entries: LRUCache<string, Entry>;
}

const mostAddresses = 500;
const mostAudiences = 50;

/** Answers that are the same for many callers are sent before routing, hooks, logging, parsing or serialising. */
export function createFastPath(): FastPath {
  const addresses = new LRUCache<string, Address>({ max: mostAddresses });
  return {
    answer: (request, response) => answerFrom(addresses, request, response),
    remember(url, answer) {
      const { bytes, headers, audience } = answer;
      const known = addresses.get(url) ?? { audienceOf: audience.of, entries: new LRUCache({ max: mostAudiences }) };
      const notModified = {
        ...headers,
        etag: bytes.etag,
        'cache-control': bytes.cacheControl,
        'x-content-type-options': 'nosniff',
      };
      known.entries.set(audience.name, { answer, notModified, sent: {} });
      addresses.set(url, known);
    },
  };
}

function answerFrom(addresses: LRUCache<string, Address>, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET') return false;
  const address = addresses.get(request.url ?? '');
  if (!address) return false;
  const { headers } = request;
  const audience = address.audienceOf(headers);
  const entry = audience === null ? undefined : address.entries.get(audience);
  if (audience === null || !entry) return false;
  if (!entry.answer.isCurrent()) {
    address.entries.delete(audience);
    return false;
  }
  if (headers['if-none-match'] === entry.answer.bytes.etag) {
    response.writeHead(304, entry.notModified);
    response.end();
    return true;
  }
  const { body, headers: sent } = inEncoding(entry, encodingFor(headers['accept-encoding']));
  response.writeHead(200, sent);
  response.end(body);
  return true;
}

function inEncoding(entry: Entry, encoding: Encoding): { body: Buffer; headers: Record<string, string | number> } {
  const { bytes } = entry.answer;
  const body = bytes[encoding];
  const known = entry.sent[encoding];
  // Bytes that were compressed again have another length.
  if (known?.body === body) return known;
  const headers = {
    ...entry.notModified,
    'content-type': bytes.type,
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  };
  return (entry.sent[encoding] = { body, headers });
}
