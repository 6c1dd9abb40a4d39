import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Encoding, chooseEncoding, type EncodedBodies } from '#platform/http/answer.ts';
import type { CachedAnswerSender } from '#platform/server/http-app.ts';
import { securityHeaders } from '#platform/server/refusals.ts';

export interface FastPath {
  answer: CachedAnswerSender;
  /** Registers a cached answer for GET requests of exactly this URL that `answer.isFor` accepts. */
  remember(url: string, answer: CachedAnswer): void;
  /** Drops stale answers, because each keeps an old snapshot of the shop's data in memory. */
  forgetOld(): void;
}

export interface CachedAnswer {
  bytes: EncodedBodies;
  /** The headers that depend on neither the encoding nor the body. */
  headers: Record<string, string>;
  isFor(headers: IncomingHttpHeaders): boolean;
  isCurrent(): boolean;
}

interface Entry {
  answer: CachedAnswer;
  notModified: Record<string, string>;
  sent: Partial<Record<Encoding, { body: Buffer; headers: Record<string, string | number> }>>;
}

const maxAddresses = 500;
const maxAnswers = 10;

/** Sends cached responses that many callers share, without routing, hooks, logging, parsing and serialising. */
export function createFastPath(): FastPath {
  const known = new LRUCache<string, Entry[]>({ max: maxAddresses });
  return {
    answer: (request, response) => answerFrom(known, request, response),
    remember(url, answer) {
      const notModified = {
        ...securityHeaders(url),
        ...answer.headers,
        etag: answer.bytes.etag,
        'cache-control': answer.bytes.cacheControl,
      };
      const current = (known.get(url) ?? []).filter(isCurrent);
      known.set(url, [{ answer, notModified, sent: {} }, ...current].slice(0, maxAnswers));
    },
    forgetOld() {
      for (const [url, entries] of known.entries()) {
        if (!entries.every(isCurrent)) known.set(url, entries.filter(isCurrent));
      }
    },
  };
}

const isCurrent = ({ answer }: Entry): boolean => answer.isCurrent();

function answerFrom(known: LRUCache<string, Entry[]>, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET') return false;
  const entries = known.get(request.url ?? '');
  if (!entries) return false;
  const { headers } = request;
  const entry = entries.find(({ answer }) => answer.isFor(headers));
  if (!entry) return false;
  if (!entry.answer.isCurrent()) {
    entries.splice(entries.indexOf(entry), 1);
    return false;
  }
  if (headers['if-none-match'] === entry.answer.bytes.etag) {
    response.writeHead(304, entry.notModified);
    response.end();
    return true;
  }
  const { body, headers: sent } = inEncoding(entry, chooseEncoding(headers['accept-encoding']));
  response.writeHead(200, sent);
  response.end(body);
  return true;
}

function inEncoding(entry: Entry, encoding: Encoding): { body: Buffer; headers: Record<string, string | number> } {
  const { bytes } = entry.answer;
  const body = bytes[encoding];
  const made = entry.sent[encoding];
  // The headers are rebuilt if the body changed, because a recompressed body has another length.
  if (made?.body === body) return made;
  const headers = {
    ...entry.notModified,
    'content-type': bytes.type,
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  };
  return (entry.sent[encoding] = { body, headers });
}
