import type { IncomingMessage, ServerResponse } from 'node:http';

const androidApp = 'https://appassets.androidplatform.net';
const open = /^\/(v1\/|broadcasting\/auth|live$)/;
const headers = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'x-app-install',
  'x-requested-with',
  'x-socket-id',
];

/**
 * The origins whose pages may call the API: the Android app's, the shop's public address, and those in
 * `ALLOWED_ORIGINS`.
 */
export function allowedOrigins({
  APP_URL,
  ALLOWED_ORIGINS,
}: {
  APP_URL?: string | undefined;
  ALLOWED_ORIGINS: string[];
}): string[] {
  return [...new Set([androidApp, ...(APP_URL ? [new URL(APP_URL).origin] : []), ...ALLOWED_ORIGINS])];
}

/** Whether pages of other origins may call this path. Its responses then have `vary: origin`. */
export function allowsCors(url: string): boolean {
  return open.test(url);
}

/** Writes the CORS headers. Returns true if the request was a preflight, which is then answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Creates the function that writes CORS headers. The function runs before the framework and the fast path, so that
 * every response has the headers. Credentials are not allowed, because calls are authenticated by tokens and not by
 * cookies. `moreHeaders`: headers of the contract that pages may send.
 */
export function createCors(origins: readonly string[], moreHeaders: readonly string[]): Cors {
  const preflight = {
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers': [...headers, ...moreHeaders].join(', ').toLowerCase(),
    'access-control-max-age': '600',
  };
  return (request, response) => {
    const { origin } = request.headers;
    // The framework writes its own headers more slowly if another header was set before it ran. So only requests that
    // need CORS get headers here.
    if (origin === undefined || !origins.includes(origin) || !allowsCors(request.url ?? '')) return false;
    // `vary` is set here, because the framework's error responses run no hook.
    response.setHeader('vary', 'origin');
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'date, retry-after, x-hatch-epoch, x-request-id');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false;
    response.writeHead(204, preflight).end();
    return true;
  };
}
