import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply } from 'fastify';
import { m } from '#messages';
import { AppError, commonErrors, type ErrorCode, type ErrorTable } from '#platform/errors.ts';
import { keysOf } from '#platform/keys-of.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { slowRequestCode } from '#platform/server/slow-requests.ts';
import { currentLanguage } from '#platform/language.ts';
import type { ClientAddressReader, ClientRequest } from '#platform/server/client-address.ts';

export interface RefusalSender {
  toRefusal(error: unknown): AppError;
  refuse(error: unknown, reply: FastifyReply): void;
  refuseWithPage(refusal: AppError, reply: FastifyReply): void;
}

/** Creates the error responses. `errors`: the status of each code. `diskFullWords`: the message for a full disk. */
export function createRefusalSender(errors: ErrorTable, diskFullWords: () => string): RefusalSender {
  const toRefusal = (error: unknown) => refusalOf(error, diskFullWords);
  return {
    toRefusal,
    refuse(error, reply) {
      const refusal = toRefusal(error);
      void reply
        .status(errors[refusal.code].status)
        .headers({ ...refusalHeaders, ...refusal.detail.headers })
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(refusal.body));
    },
    refuseWithPage({ code, message, detail }, reply) {
      void reply
        .status(errors[code].status)
        .headers({ ...detail.headers, 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(unavailablePage(message, detail.headers?.['retry-after'] ?? '5'));
    },
  };
}

/** Answers a request that is invalid HTTP, or too slow, with the usual error body, and closes its connection. */
export function refuseUnreadableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [code, words] =
    error.code === slowRequestCode
      ? (['request_timeout', m.platform_request_timeout] as const)
      : (['malformed_request', m.platform_malformed_request] as const);
  const { status } = commonErrors[code];
  const text = JSON.stringify(new AppError(code, words()).body);
  const headers = {
    ...refusalHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${text}`);
  // The connection closes even if the client continues to send.
  socket.destroySoon();
}

const byFrameworkCode: Record<string, [ErrorCode, () => string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', m.platform_payload_too_large],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', m.platform_unsupported_media_type],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_request', m.platform_malformed_json],
  FST_ERR_BAD_URL: ['malformed_request', m.platform_malformed_address],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', m.platform_not_found],
};
/**
 * The error of an unavailable database. Whether a change was made is unknown; a retry with the same idempotency key
 * shows it.
 */
function unavailable(): AppError {
  return new AppError('unavailable', m.platform_unavailable(), { headers: { 'retry-after': '2' } });
}

/**
 * The SQL states of PostgreSQL's data exceptions: a value that no column can store, such as a time in the year 300000.
 */
const dataException = /^22[0-9A-Z]{3}$/;

function refusalOf(error: unknown, diskFullWords: () => string): AppError {
  if (error instanceof AppError) return error;
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = byFrameworkCode[code];
  if (known) return new AppError(known[0], known[1]());
  if (code === 'ENOSPC' || (error instanceof DatabaseUnavailable && error.isDiskFull)) {
    return new AppError('unavailable', diskFullWords(), { headers: { 'retry-after': '10' } });
  }
  if (error instanceof DatabaseUnavailable) return unavailable();
  if (dataException.test(code)) return new AppError('invalid', m.platform_value_out_of_range());
  if (statusCode >= 400 && statusCode < 500) {
    const match = keysOf(commonErrors).find((name) => commonErrors[name].status === statusCode);
    return new AppError(match ?? 'malformed_request', m.platform_malformed_json());
  }
  return new AppError('internal', m.platform_internal());
}

/**
 * The page for browsers while the shop cannot render its own pages. It reloads after `seconds`. `words` is not escaped,
 * so it must be plain text.
 */
function unavailablePage(words: string, seconds: string): string {
  const title = m.platform_trouble_title();
  return `<!doctype html><html lang="${currentLanguage()}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${seconds}"><title>${title}</title><link rel="icon" href="data:,">
<style>:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;
font:1.125rem/1.5 system-ui,sans-serif;text-align:center}h1{font-size:1.5rem;margin:0 0 .5rem}p{margin:0 0 1.5rem}
a{display:inline-block;padding:.75rem 1.5rem;border:1px solid;border-radius:.625rem;color:inherit}</style></head>
<body><main><h1>${title}</h1><p>${words}</p><a href="">${m.platform_retry()}</a></main></body></html>`;
}

/**
 * The `Permissions-Policy` of pages: features that pages may use but their frames may not, and features that no page
 * needs. Local network requests are not listed and stay allowed, because browsers disagree on the feature's name.
 */
const permissions = [
  ...['screen-wake-lock', 'publickey-credentials-get', 'publickey-credentials-create', 'camera'].map(
    (name) => `${name}=(self)`,
  ),
  ...['accelerometer', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'midi'].map(
    (name) => `${name}=()`,
  ),
  ...['hid', 'payment', 'serial', 'usb', 'xr-spatial-tracking'].map((name) => `${name}=()`),
].join(', ');

const everywhere = {
  'x-content-type-options': 'nosniff',
  /** Other sites see the origin from which a visitor comes, but never the page. */
  'referrer-policy': 'strict-origin-when-cross-origin',
};
/** The headers of responses that pages of other origins, such as the Android app's, may load. */
const open = { ...everywhere, 'cross-origin-resource-policy': 'cross-origin' };
const own = { ...everywhere, 'cross-origin-resource-policy': 'same-origin' };
const data = { ...open, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };
const picture = { ...open, 'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'" };
const page = { ...own, 'cross-origin-opener-policy': 'same-origin', 'permissions-policy': permissions };

const isCall = /^\/((v1|broadcasting|pusher|apps)\/|(health|live|metrics)([/?]|$))/;
/** The files of pages: built code, data, the manifest and the service worker. */
const isFileOfPage = /^\/(static\/assets\/[^/?]+|shop\/[^/?]+|manifest\.webmanifest|service-worker\.js)([?]|$)/;
const isFile = /^\/(assets|share|app-icon)\/|^\/(share\.jpg|favicon\.ico)/;

/** The security headers of responses at this path; a route may override them. */
export function securityHeaders(url: string): Readonly<Record<string, string>> {
  if (isCall.test(url)) return data;
  if (url.startsWith('/pictures/')) return picture;
  if (isFileOfPage.test(url)) return own;
  return url.startsWith('/uploads/') || isFile.test(url) ? open : page;
}

const refusalHeaders = { ...data, 'cache-control': 'no-store' };

/**
 * Whether responses at this path are private to their caller by default, as all API responses are; a route may override
 * it.
 */
export function isPrivateByDefault(url: string): boolean {
  return isCall.test(url);
}

/**
 * `Strict-Transport-Security` for a year, without subdomains, because the owner's other sites may have no certificate.
 */
export const strictTransportSecurity = 'max-age=31536000';

/** Whether the connection is encrypted, to this server or to a trusted proxy. */
export function isEncryptedRequest(
  clients: ClientAddressReader,
  { socket, headers }: ClientRequest & { socket: { encrypted?: boolean } },
): boolean {
  if (socket.encrypted) return true;
  return headers['x-forwarded-proto'] === 'https' && clients.isTrusted(socket.remoteAddress ?? '');
}
