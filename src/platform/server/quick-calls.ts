import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { securityHeaders } from '#platform/server/security-headers.ts';

/** A call that devices repeat all day, and whose usual answer is in memory: `fast-path.ts` has the answers that many share. */
export interface QuickCall {
  /** Whether a request is this call, by its head alone. */
  isFor(request: IncomingMessage): boolean;
  /** Bytes of a body; a request with more is left to the framework. */
  mostBytes: number;
  /** null, or an error, leaves the request to the framework as if it had not been read. */
  answer(request: IncomingMessage, body: string): QuickAnswer | null;
}

export interface QuickAnswer {
  headers: Record<string, string>;
  text: string;
}

export interface QuickCalls {
  serve(call: QuickCall): void;
  /** Takes a request of one of the calls; it may come to `framework` later. false: it is of none. */
  take(request: IncomingMessage, response: ServerResponse, framework: RequestListener): boolean;
}

/** Answers small calls before routing, hooks, parsing and serialising, which cost several times what the answer does. */
export function createQuickCalls(): QuickCalls {
  const calls: QuickCall[] = [];
  return {
    serve: (call) => void calls.push(call),
    take(request, response, framework) {
      const call = calls.find((one) => one.isFor(request));
      const bytes = Number(request.headers['content-length'] ?? 0);
      if (!call || !(bytes > 0 && bytes <= call.mostBytes)) return false;
      whenRead(request, bytes, (body) => {
        const answer = answerOf(call, request, body);
        if (!answer) {
          request.unshift(body);
          framework(request, response);
          return;
        }
        const { headers, text } = answer;
        const own = { ...headers, 'content-length': Buffer.byteLength(text) };
        response.writeHead(200, { ...securityHeaders(request.url ?? ''), ...own });
        response.end(text);
      });
      return true;
    },
  };
}

/** Calls back with the body, while the request has not ended: what is read can still be put back. */
function whenRead(request: IncomingMessage, bytes: number, work: (body: Buffer) => void): void {
  const parts: Buffer[] = [];
  let size = 0;
  const read = () => {
    for (let part = next(request); part !== null; part = next(request)) {
      parts.push(part);
      size += part.length;
    }
    if (size < bytes) return;
    request.off('readable', read);
    work(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size));
  };
  request.on('readable', read);
}

/** No encoding is set. */
function next(request: IncomingMessage): Buffer | null {
  return request.read() as Buffer | null;
}

function answerOf(call: QuickCall, request: IncomingMessage, body: Buffer): QuickAnswer | null {
  try {
    return call.answer(request, body.toString());
  } catch {
    return null;
  }
}
