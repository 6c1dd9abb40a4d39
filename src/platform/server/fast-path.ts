import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { type Encoding, encodingFor } from '#platform/http/encoding.ts';
import type { FastPath as Answer } from '#platform/server/http-app.ts';

export interface FastPath {
  answer: Answer;
  /** Serves `url` from these bytes to callers without a token, as long as `isCurrent` answers true. */
  remember(url: string, bytes: PrebuiltBytes, isCurrent: () => boolean): void;
}

interface Entry {
  bytes: PrebuiltBytes;
  isCurrent: () => boolean;
  /** Response headers by encoding, made once. */
  headers: Record<Encoding, Record<string, string | number>>;
}

const most = 500;

/** Answers that are the same bytes for everyone are sent before routing, parsing or serialising. */
export function createFastPath(): FastPath {
  const entries = new LRUCache<string, Entry>({ max: most });
  return {
    answer: (request, response) => answerFrom(entries, request, response),
    remember(url, bytes, isCurrent) {
      entries.set(url, { bytes, isCurrent, headers: headersOf(bytes) });
    },
  };
}

function answerFrom(entries: LRUCache<string, Entry>, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' || request.headers.authorization !== undefined) return false;
  const url = request.url ?? '';
  const entry = entries.get(url);
  if (!entry) return false;
  if (!entry.isCurrent()) {
    entries.delete(url);
    return false;
  }
  if (request.headers['if-none-match'] === entry.bytes.etag) {
    response.writeHead(304, { etag: entry.bytes.etag, 'cache-control': entry.bytes.cacheControl });
    response.end();
    return true;
  }
  const encoding = encodingFor(request.headers['accept-encoding']);
  response.writeHead(200, entry.headers[encoding]);
  response.end(entry.bytes[encoding]);
  return true;
}

function headersOf(bytes: PrebuiltBytes): Entry['headers'] {
  const of = (encoding: Encoding) => ({
    'content-type': bytes.type,
    'content-length': bytes[encoding].length,
    etag: bytes.etag,
    'cache-control': bytes.cacheControl,
    vary: 'accept-encoding, origin',
    'x-content-type-options': 'nosniff',
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  });
  return { identity: of('identity'), br: of('br'), gzip: of('gzip') };
}
