import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { m } from '#messages';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { AppError, type ErrorTable } from '#platform/errors.ts';
import type { EndpointKey } from '#platform/http/endpoint.ts';
import { allowedMethodsOf, methodNotAllowedError } from '#platform/http/call-path.ts';
import { defaultLanguage } from '#platform/language.ts';
import { runInLanguage, languageOfCall, languageOfPage } from '#platform/server/request-language.ts';
import { type ClientAddressReader, callerNetwork } from '#platform/server/client-address.ts';
import { type Cors, allowsCors } from '#platform/server/cors.ts';
import { addBodyParsers, maxGuestBodyBytes } from '#platform/server/read-body.ts';
import {
  createRefusalSender,
  isEncryptedRequest,
  isPrivateByDefault,
  refuseUnreadableRequest,
  securityHeaders,
  strictTransportSecurity,
} from '#platform/server/refusals.ts';
import { limitSlowRequests, slowRequestLimits, type SlowRequestLimits } from '#platform/server/slow-requests.ts';
import { runInTrace, traceOf, formatTraceParent } from '#platform/server/trace.ts';
import type { Socket } from 'node:net';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseEncoding } from '#platform/http/answer.ts';
import { hasSecretField } from '#platform/secret-fields.ts';

/** Answers a request from the cache before the framework runs; false: the framework must answer. */
export type CachedAnswerSender = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HttpAppOptions {
  log: FastifyBaseLogger;
  fastPath: CachedAnswerSender;
  cors: Cors;
  endpoints: readonly EndpointKey[];
  errors: ErrorTable;
  /**
   * Used when a full disk fails a change: `words` returns the message for the caller, and `note` records the full disk.
   */
  diskFull: { words: () => string; note: () => void };
  clients: ClientAddressReader;
  /**
   * The shop's epoch, which changes at each restore from a backup; null before the first restore. A page with another
   * epoch reloads.
   */
  epoch?: () => string | null;
  limits?: SlowRequestLimits;
  connections?: ConnectionLimits;
}

export function createHttpApp({
  log,
  fastPath,
  cors,
  endpoints,
  errors,
  diskFull,
  clients,
  epoch = () => null,
  limits = slowRequestLimits,
  connections = connectionLimits,
}: HttpAppOptions): FastifyInstance {
  const { toRefusal, refuse, refuseWithPage } = createRefusalSender(errors, diskFull.words);
  const app = fastify({
    loggerInstance: log,
    bodyLimit: maxGuestBodyBytes,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: requestLog,
    trustProxy: clients.isTrusted,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    rewriteUrl: readableUrl,
    // The router's own errors bypass the error handler.
    frameworkErrors: (error, _request, reply) => refuse(error, reply),
    clientErrorHandler: (error, socket) => refuseUnreadableRequest(error, socket),
    serverFactory: (handler) => serverWith(handler, { fastPath, cors, clients, epoch, limits, connections }),
  });
  addBodyParsers(app);
  const methodsOf = allowedMethodsOf(endpoints);
  const notFound = ({ method, url }: FastifyRequest) =>
    methodNotAllowedError(method, methodsOf(url)) ?? new AppError('not_found', m.platform_not_found());
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, url } = request;
    if (clients.recordUntrustedPeer(request.raw)) {
      request.log.warn({ peer: request.ip }, 'a peer that is not trusted names its clients; see TRUSTED_PROXIES');
    }
    const trace = traceOf(request.id, headers['traceparent']);
    reply.headers({ 'x-request-id': request.id, traceparent: formatTraceParent(trace) });
    reply.headers(securityHeaders(url));
    if (isPrivateByDefault(url)) reply.header('cache-control', 'no-store');
    if (allowsCors(url)) reply.header('vary', 'origin');
    const language = url.startsWith('/v1/') ? languageOfCall(headers) : languageOfPage(headers);
    // A request to an unknown path is refused here, before its body is read.
    const next = () => (request.is404 && request.method !== 'GET' ? done(notFound(request)) : done());
    runInTrace(trace, () => (language === defaultLanguage ? next() : runInLanguage(language, next)));
  });
  app.addHook('onSend', compressTexts);
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern is logged, because the path may contain a secret.
    const route = request.routeOptions.url ?? '(none)';
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      // The address is logged, because it identifies clients that a rate limit refuses.
      ...(reply.statusCode === 429 && { client: request.ip }),
    };
    if (reply.statusCode >= 500) request.log.error(line, 'answered');
    else request.log.info(line, 'answered');
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.code === 'internal') request.log.error({ err: error }, 'failed');
    else if (error instanceof DatabaseUnavailable) {
      request.log.warn({ err: error.cause }, 'the database gave no answer');
      if (error.isDiskFull) diskFull.note();
    }
    const { headers, url } = request;
    const wantsPage =
      refusal.code === 'unavailable' && !url.startsWith('/v1/') && headers.accept?.includes('text/html');
    if (wantsPage) refuseWithPage(refusal, reply);
    else refuse(refusal, reply);
  });
  app.setNotFoundHandler((request) => {
    throw notFound(request);
  });
  return app;
}

/**
 * The logger of a request. It adds the trace to each line itself, because the last lines are written outside of
 * `runInTrace`.
 */
function requestLog(
  parent: FastifyBaseLogger,
  bindings: Record<string, unknown>,
  _options: unknown,
  { headers }: Pick<IncomingMessage, 'headers'>,
): FastifyBaseLogger {
  const { traceId } = traceOf(String(bindings['reqId']), headers['traceparent']);
  return Object.assign(parent.child({ ...bindings, trace_id: traceId }), { isTraced: true });
}

/**
 * Escapes every `%` in a URL that cannot be decoded. The router would refuse such a URL, but a browser should get the
 * page for unknown addresses.
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

function serverWith(
  handler: RequestListener,
  {
    fastPath,
    cors,
    clients,
    epoch,
    limits,
    connections,
  }: Pick<HttpAppOptions, 'fastPath' | 'cors' | 'clients'> & {
    epoch: () => string | null;
    limits: SlowRequestLimits;
    connections: ConnectionLimits;
  },
): Server {
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: limits.head,
      // Node's timeout of a whole request is off, because `limitSlowRequests` replaces it.
      requestTimeout: 0,
      connectionsCheckingInterval: limits.checkEvery,
      // Saves work: a request without a body gets a stream that has already ended and emits no events.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      if (!mayAsk(request, response)) return;
      if (hasTwoHosts(request)) return void refuseUnreadableRequest(new Error('two hosts'), request.socket);
      // The framework sets its own headers more slowly if another header is set before it runs. So this header is set
      // only for encrypted requests.
      if (isEncryptedRequest(clients, request))
        response.setHeader('strict-transport-security', strictTransportSecurity);
      const own = epoch();
      if (own !== null) response.setHeader('x-hatch-epoch', own);
      if (cors(request, response) || fastPath(request, response)) return;
      forgetTypeOfNothing(request);
      watch(request, response);
      handler(request, response);
    },
  );
  const watch = limitSlowRequests(server, limits);
  const mayAsk = limitSlowReaders(server, limits.unread);
  limitConnections(server, clients, connections);
  return server;
}

/**
 * Whether a request has two `Host` headers. A proxy might obey the header that this server ignores, and cache the
 * response for the wrong host (RFC 9112, 3.2).
 */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * Removes the content type of a request without a body, because the framework would wait for the body's stream, which
 * has already ended.
 */
function forgetTypeOfNothing({ headers }: IncomingMessage): void {
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    delete headers['content-type'];
  }
}

interface ConnectionLimits {
  /** The maximum number of the server's connections; further ones are closed. */
  all: number;
  /** The maximum number of a network's connections. Trusted proxies are exempt, because they carry every client. */
  perNetwork: number;
}

/**
 * `all` is low enough to leave file descriptors for realtime sockets. `perNetwork` is high, because all customers of a
 * shop may share the address of a proxy that is not trusted.
 */
const connectionLimits: ConnectionLimits = { all: 12_000, perNetwork: 2_500 };

/** Limits open connections, because an idle connection occupies memory until the timeout of its first request. */
function limitConnections(server: Server, clients: ClientAddressReader, { all, perNetwork }: ConnectionLimits): void {
  server.maxConnections = all;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (clients.isTrusted(peer)) return;
    const network = callerNetwork(peer);
    const count = open.get(network) ?? 0;
    if (count >= perNetwork) return void socket.destroy();
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** The maximum number of pending responses per connection. Browsers and proxies wait for each response. */
const maxAtOnce = 3;

/**
 * Closes connections whose client reads nothing for `unread` milliseconds, because the unread rest of a response
 * occupies memory, an open file or a database read. A slow but steady reader gets the whole response. The returned
 * function is called for each request. It closes a connection with too many pending responses, and returns false.
 */
function limitSlowReaders(
  server: Server,
  unread: number,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const asked = new WeakMap<Socket, { last: ServerResponse; atOnce: number }>();
  // Node restarts a connection's timeout with every byte.
  server.setTimeout(unread, (socket: Socket) => {
    const isAnswering = asked.get(socket)?.last.writableFinished === false;
    // A connection without a pending response has reached its keep-alive timeout, so it is closed.
    if (!isAnswering || socket.writableLength > 0) socket.destroy();
  });
  return (request, response) => {
    const { socket } = request;
    const before = asked.get(socket);
    const atOnce = before && !before.last.writableFinished ? before.atOnce + 1 : 1;
    asked.set(socket, { last: response, atOnce });
    if (atOnce <= maxAtOnce) return true;
    socket.destroy();
    return false;
  };
}

/** Texts up to this many bytes are not compressed, because they fit into the first packets of a connection. */
const least = 1024;
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
/**
 * The compression levels of a response to one caller. At these levels a response is a tenth larger than at the slowest
 * level, in a fraction of the time.
 */
const quick = { br: 4, gzip: 4 };

type Done = (error: Error | null, value?: unknown) => void;

/**
 * An `onSend` hook that compresses texts above a kilobyte on the thread pool, except texts with a secret. Binary
 * payloads stay unchanged.
 */
function compressTexts(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  if (typeof payload !== 'string' || Buffer.byteLength(payload) <= least || hasSecretField(payload)) {
    return done(null, payload);
  }
  addVary(reply, 'accept-encoding');
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === 'identity') return done(null, payload);
  const send = (error: Error | null, bytes: Buffer) => {
    // If compression fails, the text is sent uncompressed.
    if (error) return done(null, payload);
    reply.header('content-encoding', encoding);
    done(null, bytes);
  };
  const text = Buffer.from(payload);
  if (encoding === 'gzip') return gzip(text, { level: quick.gzip }, send);
  const params = { [BROTLI_PARAM_QUALITY]: quick.br, [BROTLI_PARAM_SIZE_HINT]: text.length };
  brotliCompress(text, { params }, send);
}

function addVary(reply: FastifyReply, name: string): void {
  const known = String(reply.getHeader('vary') ?? '');
  if (!known.includes(name)) reply.header('vary', known ? `${known}, ${name}` : name);
}
