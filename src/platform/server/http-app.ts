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

/** Answers a request before the framework sees it, from bytes made earlier; false leaves it to the framework. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HttpAppOptions {
  log: FastifyBaseLogger;
  fastPath: FastPath;
  cors: Cors;
  /** Every endpoint there is, so that a wrong method can be told from a wrong address. */
  endpoints: readonly EndpointKey[];
  /** Called when the database refused something for want of room. */
  onDiskFull?: () => void;
  /** How slowly requests may come. */
  limits?: RequestLimits;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** A JSON body as it came, byte for byte: what a payment provider has signed. */
    rawBody: string;
  }
}

const bodyLimit = 1024 * 1024;
const fileTypes = ['jpeg', 'png', 'webp', 'avif', 'gif'].map((name) => `image/${name}`);
fileTypes.push('application/vnd.android.package-archive', 'application/octet-stream');

/** Fastify with the error shapes, the limits and the logs that every domain shares. */
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
    // What the router itself refuses never comes to the error handler.
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
  // Files come as they are; only the calls that take one let it through.
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
    // The route's pattern, never the address: a path can carry an order's secret.
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
 * The router refuses what it cannot decode before anything of ours sees it. A browser that follows such a link gets what
 * the pages say of an address that is none; so its letters are taken as they stand.
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

/** Answers what is no HTTP, has headers beyond all measure, or does not come to its end, in the common form as well. */
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
  // Whoever sends on and on is not waited for.
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
      // A body has a limit of its own.
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
/** Nobody can tell whether a change was made: whoever asks again with the same key or session hears. */
function unavailable(): AppError {
  return new AppError('unavailable', m.platform_unavailable(), { headers: { 'retry-after': '2' } });
}

/** PostgreSQL's "data exceptions": a value that no column can hold, such as a time of the year 300000. */
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
