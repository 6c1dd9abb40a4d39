import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import { m } from '#messages';
import { DatabaseAway } from '#platform/server/database-away.ts';
import { AppError, errorStatus, type ErrorCode } from '#platform/errors.ts';
import type { EndpointKey } from '#platform/http/endpoint.ts';
import { allowedMethodsOf } from '#platform/http/allowed-methods.ts';
import { refuseMethod } from '#platform/http/call-address.ts';
import { keysOf } from '#platform/keys-of.ts';
import { defaultLanguage } from '#platform/language.ts';
import { inLanguage, languageOfCall, languageOfPage } from '#platform/server/in-language.ts';
import { compressTexts } from '#platform/server/compress.ts';
import { type Cors, isOpen } from '#platform/server/cors.ts';
import { limitSlowRequests, requestLimits, slow, type RequestLimits } from '#platform/server/slow-requests.ts';
import { unavailablePage } from '#platform/server/unavailable-page.ts';

/** Answers a request from prepared bytes before the framework sees it; false leaves it to the framework. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HttpAppOptions {
  log: FastifyBaseLogger;
  fastPath: FastPath;
  cors: Cors;
  /** All endpoints, to tell a wrong method from a wrong address. */
  endpoints: readonly EndpointKey[];
  /** Called when the database refused a change because its disk is full. */
  onDiskFull?: () => void;
  /** The slowest rate at which a request may arrive. */
  limits?: RequestLimits;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** A JSON body as received, byte for byte: a payment provider signs these bytes. */
    rawBody: string;
  }
}

const bodyLimit = 1024 * 1024;
const fileTypes = ['jpeg', 'png', 'webp', 'avif', 'gif'].map((name) => `image/${name}`);
fileTypes.push('application/vnd.android.package-archive', 'application/octet-stream');

/** Fastify with the errors, the limits and the logs that all domains share. */
export function createHttpApp({
  log,
  fastPath,
  cors,
  endpoints,
  limits = requestLimits,
  onDiskFull = () => {},
}: HttpAppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    bodyLimit,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: 'loopback',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    rewriteUrl: readableUrl,
    // Errors of the router itself do not reach the error handler.
    frameworkErrors: (error, _request, reply) => refuse(error, reply),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
    serverFactory: (handler) => serverWith(handler, { fastPath, cors, limits }),
  });
  app.removeAllContentTypeParsers();
  app.decorateRequest('rawBody', '');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.rawBody = body.toString();
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new AppError('malformed_request', m.platform_malformed_json()));
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body.toString())));
  });
  // Files are not parsed; only the calls that take a file accept one.
  app.addContentTypeParser(fileTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, url } = request;
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (isOpen(url)) reply.header('vary', 'origin');
    const language = url.startsWith('/v1/') ? languageOfCall(headers) : languageOfPage(headers);
    // Most calls are in the default language, and need no context of their own.
    if (language === defaultLanguage) done();
    else inLanguage(language, done);
  });
  app.addHook('onSend', compressTexts);
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, never the address: a path can contain an order's secret.
    const route = request.routeOptions.url ?? '(none)';
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (reply.statusCode >= 500) request.log.error(line, 'answered');
    else request.log.info(line, 'answered');
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.code === 'internal') request.log.error({ err: error }, 'failed');
    else if (error instanceof DatabaseAway) {
      request.log.warn({ err: error.cause }, 'the database gave no answer');
      if (error.isDiskFull) onDiskFull();
    }
    const { headers, url } = request;
    const wantsPage =
      refusal.code === 'unavailable' && !url.startsWith('/v1/') && headers.accept?.includes('text/html');
    if (!wantsPage) return refuse(refusal, reply);
    const page = unavailablePage(refusal.message, refusal.detail.headers?.['retry-after'] ?? '5');
    void reply
      .status(refusal.status)
      .headers({ ...refusal.detail.headers, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page);
  });
  const methodsOf = allowedMethodsOf(endpoints);
  app.setNotFoundHandler((request) => {
    throw refuseMethod(request.method, methodsOf(request.url)) ?? new AppError('not_found', m.platform_not_found());
  });
  return app;
}

function refuse(error: unknown, reply: FastifyReply): void {
  const refusal = toRefusal(error);
  void reply
    .status(refusal.status)
    .headers(refusal.detail.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusal.body));
}

/**
 * The router refuses addresses that it cannot decode before our code sees them. A browser that follows such a link should
 * get the page for unknown addresses, so the raw characters of the address are used.
 */
function readableUrl({ method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string {
  const wantsPage = method === 'GET' && headers.accept?.includes('text/html') && !url.startsWith('/v1/');
  if (!wantsPage || !url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** Answers requests that are not HTTP, have too many headers, or do not end, in the common form as well. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal =
    error.code === slow
      ? new AppError('request_timeout', m.platform_request_timeout())
      : new AppError('malformed_request', m.platform_malformed_request());
  const { status } = refusal;
  const text = JSON.stringify(refusal.body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
  // A client that keeps sending is not waited for.
  socket.destroySoon();
}

function serverWith(
  handler: RequestListener,
  { fastPath, cors, limits }: Pick<HttpAppOptions, 'fastPath' | 'cors'> & { limits: RequestLimits },
): Server {
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: limits.whole,
      // A body has its own limit.
      requestTimeout: 0,
      connectionsCheckingInterval: limits.checkEvery,
    },
    (request, response) => {
      if (cors(request, response) || fastPath(request, response)) return;
      watch(request, response);
      handler(request, response);
    },
  );
  const watch = limitSlowRequests(server, isFile, limits);
  return server;
}

function isFile({ headers }: IncomingMessage): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return fileTypes.includes(type.trim());
}

const byFrameworkCode: Record<string, [ErrorCode, () => string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', m.platform_payload_too_large],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', m.platform_unsupported_media_type],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_request', m.platform_malformed_json],
  FST_ERR_BAD_URL: ['malformed_request', m.platform_malformed_address],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', m.platform_not_found],
};
/** Nobody knows whether the change was made: a retry with the same key or session finds out. */
function unavailable(): AppError {
  return new AppError('unavailable', m.platform_unavailable(), { headers: { 'retry-after': '2' } });
}

/** PostgreSQL's "data exceptions": a value that no column can store, such as a time of the year 300000. */
const dataException = /^22[0-9A-Z]{3}$/;

function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = byFrameworkCode[code];
  if (known) return new AppError(known[0], known[1]());
  if (code === 'ENOSPC' || (error instanceof DatabaseAway && error.isDiskFull)) {
    return new AppError('unavailable', m.platform_disk_full(), { headers: { 'retry-after': '10' } });
  }
  if (error instanceof DatabaseAway) return unavailable();
  if (dataException.test(code)) return new AppError('invalid', m.platform_value_out_of_range());
  if (statusCode >= 400 && statusCode < 500) {
    const match = keysOf(errorStatus).find((name) => errorStatus[name] === statusCode);
    return new AppError(match ?? 'malformed_request', m.platform_malformed_json());
  }
  return new AppError('internal', m.platform_internal());
}
