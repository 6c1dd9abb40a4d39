import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  type EndpointKey,
  type Endpoints,
  type Method,
  type PathParams,
  type QueryOf,
  readsHistoricalData,
  splitEndpointKey,
} from '#platform/http/endpoint.ts';
import { AppError } from '#platform/errors.ts';
import { admitCall } from '#platform/http/admit.ts';
import {
  type RegisterAfterCommit,
  type AuditedCall,
  type AfterCommitEffect,
  buildAuditedCall,
  type ReadAndRefusalAudit,
  type RefusalOutcome,
  auditOutcomeByError,
  runAfterCommitEffects,
} from '#platform/http/audited-call.ts';
import {
  allowedMethodsOf,
  type FindIdByName,
  resolvePathParams,
  refuseImpossibleIds,
} from '#platform/http/call-path.ts';
import { type AnswerWithStatus, type DownloadAnswer, type PrebuiltAnswer, sendAnswer } from '#platform/http/answer.ts';
import {
  unsupportedFileTypeError,
  isUnknownContentTypeError,
  maxBodyBytes,
  refuseWrongParsedBody,
  refuseWrongContentType,
  maxStaffBodyBytes,
} from '#platform/server/read-body.ts';
import { parseInput } from '#platform/http/parse.ts';
import { guest, isStaff, type Viewer } from '#platform/http/viewer.ts';
import { type RateLimitedCaller, createCallLimiter } from '#platform/server/call-limits.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import { hasBody, extendBodyDeadline } from '#platform/server/slow-requests.ts';
import { isIP, isIPv6 } from 'node:net';
import { isLocalOrPrivateAddress } from '#platform/server/addresses.ts';

/** The validated input of a handler. The caller is authenticated, and their role allows the call. */
export interface Call<K extends EndpointKey, E extends Endpoint, Connection, Tx = Connection> {
  params: PathParams<K>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  viewer: Viewer;
  /** A change's open transaction, or the plain database for reads and endpoints with `ownTransaction`. */
  db: Connection;
  now: Date;
  requestId: string;
  /** The caller's IP address, or the address of a proxy that hides its clients. */
  address: string;
  /** Whether many clients may share `address` (`ClientAddressReader.isBehindUnknownProxy`). */
  isBehindUnknownProxy: boolean;
  /** The origin to which the request was sent. Links without a secret use it if no public address is configured. */
  ownOrigin(): string;
  /** The value of the endpoint's `secret` header; null: not sent. */
  secret: string | null;
  header(name: string): string | undefined;
  /** The uploaded file; empty without an upload, and with `isStreamed`. */
  file: Buffer;
  /** The uploaded file as a stream with `isStreamed`; otherwise empty. */
  stream: Readable;
  /** The JSON body as received, for the check of its signature. */
  rawBody: string;
  /**
   * Adds an effect that runs after the commit, such as a network call. With `ownTransaction` the handler adds it after
   * its own commit; the effect then runs even if the handler fails later.
   */
  afterCommit: RegisterAfterCommit;
  /**
   * Writes the audit line in the handler's transaction. Only handlers with `ownTransaction` call it; all other changes
   * are audited automatically. `by` is the person who made the change; the default is the caller. Only changes of staff
   * are written.
   */
  audit(tx: Tx, answer?: unknown, by?: Viewer): Promise<void>;
  /**
   * Records a refusal of staff in the audit log without delaying the response, at most `most` times an hour, by default
   * once.
   */
  note(outcome: RefusalOutcome, by: Viewer, most?: number): void;
}

/** The type of a handler's `db`: a transaction for changes, unless the endpoint has `ownTransaction`. */
type ConnectionOf<K extends EndpointKey, E extends Endpoint, Database, Tx> = K extends `GET ${string}`
  ? Database
  : E extends { ownTransaction: true }
    ? Database
    : Tx;

export type Handlers<C extends Endpoints, Database, Tx> = {
  [K in keyof C & EndpointKey]: (
    call: Call<K, C[K], ConnectionOf<K, C[K], Database, Tx>, Tx>,
  ) => Promise<AnswerOf<C[K]> | AnswerWithStatus<AnswerOf<C[K]>> | PrebuiltAnswer | DownloadAnswer> | AnswerOf<C[K]>;
};

export type HandlerInput<C extends Endpoints, K extends keyof C & EndpointKey, Database, Tx> = Parameters<
  Handlers<C, Database, Tx>[K]
>[0];

/** Checks by endpoint that run before the body is read. A check throws to refuse the call. */
export type EarlyChecks<C extends Endpoints, Database> = {
  [K in keyof C & EndpointKey]?: (db: Database) => Promise<void>;
};

export interface CallHost<Database, Tx extends Database> {
  authenticate(token: string): Promise<Viewer | null>;
  database: Database;
  /** Runs a read of history, which is cancelled when `gone` is aborted. */
  readPast<T>(gone: AbortSignal, work: (db: Database) => Promise<T>): Promise<T>;
  /** Runs a change in a transaction, then its effects; a failed effect is logged. */
  transaction<T>(log: FastifyBaseLogger, work: (tx: Tx, afterCommit: RegisterAfterCommit) => Promise<T>): Promise<T>;
  /** Writes the audit line of a staff member's change, in the change's transaction. */
  audit(tx: Tx, change: AuditedCall): Promise<void>;
  notes: ReadAndRefusalAudit;
  now(): Date;
  clients: ClientAddressReader;
  /** The functions that look up ids, by their `idOrName.finder` name. */
  findId: Record<string, FindIdByName>;
}

type AnyCall<Database, Tx> = Call<EndpointKey, Endpoint, Database, Tx>;
type AnyHandler<Database, Tx> = (call: AnyCall<Database, Tx>) => Promise<unknown>;

/** Adds a route for every endpoint of a contract. A missing handler is a type error, and fails the start. */
export function serveEndpoints<const C extends Endpoints, Database, Tx extends Database>(
  app: FastifyInstance,
  host: CallHost<Database, Tx>,
  contract: C,
  handlers: Handlers<C, Database, Tx>,
  before: EarlyChecks<C, Database> = {},
): void {
  // The cast is safe, because every key of a contract is an endpoint key, although the type allows others.
  const keys = Object.keys(contract) as (keyof C & EndpointKey)[];
  const methodsOf = allowedMethodsOf(keys);
  const { authenticate } = host;
  const admitted = new WeakMap<FastifyRequest, Viewer>();
  for (const key of keys) {
    const endpoint = contract[key] as Endpoint;
    // The cast is safe, because the types above have checked each handler against its endpoint.
    const handler = handlers[key] as unknown as AnyHandler<Database, Tx> | undefined;
    const limit = endpoint.rate && createCallLimiter(endpoint.rate);
    if (typeof handler !== 'function') throw new Error(`${key} has no handler.`);
    app.route({
      ...routeOf(key),
      config: { isSigned: endpoint.signed === true, isStreamed: endpoint.upload?.isStreamed === true },
      // The caller is checked before the body is read.
      onRequest: async (request) => {
        await before[key]?.(host.database);
        const viewer = await admitCall(authenticate, key, endpoint, request, {
          now: host.now(),
          onRefused: (refused) =>
            host.notes.note(
              buildAuditedCall(host, key, { viewer: refused, params: {}, requestId: request.id }, 'refused'),
            ),
        });
        if (!isStaff(viewer)) limit?.(callerOf(host, request));
        admitted.set(request, viewer);
        if (!hasBody(request.raw)) return;
        refuseWrongContentType(endpoint, request.headers);
        request.maxBytes = maxBodyBytes(endpoint, viewer);
        if (isStaff(viewer) && request.maxBytes > maxStaffBodyBytes) extendBodyDeadline(request.raw);
      },
      ...(endpoint.upload && {
        errorHandler: (error: unknown) => {
          throw isUnknownContentTypeError(error) ? unsupportedFileTypeError(endpoint.upload) : error;
        },
      }),
      handler: async (request, reply) => {
        const viewer = admitted.get(request) ?? guest;
        refuseImpossibleIds(endpoint, request, methodsOf);
        const params = await resolvePathParams(host.findId, endpoint, request);
        return answerCall(host, key, endpoint, handler, { viewer, params }, request, reply);
      },
    });
  }
}

export function throwIfEndpointsLackRoutes(app: FastifyInstance, keys: readonly EndpointKey[]): void {
  const unserved = keys.filter((key) => !app.hasRoute(routeOf(key)));
  if (unserved.length > 0) throw new Error(`Nothing serves ${unserved.join(', ')}.`);
}

function routeOf(key: EndpointKey): { method: Method; url: string } {
  const [method, path] = splitEndpointKey(key);
  return { method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') };
}

async function answerCall<Database, Tx extends Database>(
  host: CallHost<Database, Tx>,
  key: EndpointKey,
  endpoint: Endpoint,
  handler: AnyHandler<Database, Tx>,
  { viewer, params }: { viewer: Viewer; params: Record<string, string> },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  refuseWrongParsedBody(endpoint, request.body);
  const base = {
    params,
    query: endpoint.query && parseInput(endpoint.query, request.query),
    body: bodyOf(endpoint, request.body),
    file: Buffer.isBuffer(request.body) ? request.body : noFile,
    stream: request.body instanceof Readable ? request.body : Readable.from([]),
    viewer,
    now: host.now(),
    requestId: request.id,
    ...callerOf(host, request),
    ownOrigin: () => ownOrigin(request),
    secret: (endpoint.secret && headerOf(request, endpoint.secret.header.toLowerCase())) ?? null,
    header: (name: string) => headerOf(request, name),
    rawBody: request.rawBody,
  };
  const audit = async (tx: Tx, answer: unknown = null, by = viewer) => {
    if (!isStaff(by)) return;
    const { requestId, now: at, body } = base;
    const { answersScope } = endpoint;
    await host.audit(tx, { viewer: by, action: key, params, body, answer, answersScope, requestId, at });
  };
  const note = (outcome: RefusalOutcome, by: Viewer, most?: number) => {
    if (isStaff(by))
      host.notes.note(buildAuditedCall(host, key, { viewer: by, params, requestId: base.requestId }, outcome, most));
  };
  const run = (db: Database, afterCommit: RegisterAfterCommit) =>
    handler({ ...base, db, audit, note, afterCommit } as AnyCall<Database, Tx>);
  const changes = !key.startsWith('GET ') && !endpoint.ownTransaction;
  const answered = changes
    ? host.transaction(request.log, async (tx, afterCommit) => {
        const value = await run(tx, afterCommit);
        await audit(tx, value);
        return value;
      })
    : withEffects(request.log, (afterCommit) =>
        readsHistoricalData(endpoint, base)
          ? host.readPast(whenGone(reply), (past) => run(past, afterCommit))
          : run(host.database, afterCommit),
      );
  const answer = await answered.catch((error: unknown) => {
    const outcome = error instanceof AppError ? auditOutcomeByError[error.code] : undefined;
    if (outcome) note(outcome, viewer);
    throw error;
  });
  if (endpoint.isRecorded && isStaff(viewer)) {
    await host.notes.write(buildAuditedCall(host, key, { viewer, params, requestId: base.requestId }));
  }
  return sendAnswer(endpoint, answer, request, reply);
}

function callerOf({ clients }: { clients: ClientAddressReader }, request: FastifyRequest): RateLimitedCaller {
  return { address: request.ip, isBehindUnknownProxy: clients.isBehindUnknownProxy(request.raw) };
}

/**
 * Runs a handler and then its effects. The effects run even if the handler fails, because the handler adds them after
 * its own commit.
 */
async function withEffects<T>(
  log: FastifyBaseLogger,
  work: (afterCommit: RegisterAfterCommit) => Promise<T>,
): Promise<T> {
  const effects: AfterCommitEffect[] = [];
  try {
    return await work((effect) => void effects.push(effect));
  } finally {
    await runAfterCommitEffects(effects, log);
  }
}

/** A signal that is aborted when the caller disconnects before the whole response was sent. */
function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** A missing body counts as an empty object; a sent `null` stays null. */
function bodyOf({ body: schema, signed }: Endpoint, body: unknown): unknown {
  return schema && !signed ? parseInput(schema, body === undefined ? {} : body) : undefined;
}

const noFile = Buffer.alloc(0);

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

type RequestOrigin = Pick<FastifyRequest, 'protocol' | 'host'> & {
  socket: { localAddress?: string | undefined; localPort?: number | undefined };
};

/**
 * The origin at which a client reached this server, for links without a secret if no public address is configured.
 * Clients can forge the `Host` header, so it counts only if it names localhost, this connection's address, or a private
 * address. A private address is accepted because a container does not know its machine's address. Otherwise the
 * connection's own address and port are used.
 */
export function ownOrigin({ protocol, host, socket }: RequestOrigin): string {
  const local = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
  const named = URL.parse(`${protocol}://${host}`);
  if (named && (named.hostname === 'localhost' || isOwn(named.hostname.replace(/^\[(.*)\]$/, '$1'), local))) {
    return named.origin;
  }
  const port = socket.localPort === undefined ? '' : `:${socket.localPort}`;
  return new URL(`${protocol}://${isIPv6(local) ? `[${local}]` : local}${port}`).origin;
}

function isOwn(address: string, local: string): boolean {
  if (!isIP(address)) return false;
  return address === local || isLocalOrPrivateAddress(address);
}
