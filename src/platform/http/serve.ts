import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { m } from '#messages';
import {
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  type EndpointKey,
  type Endpoints,
  type Method,
  type Params,
  type QueryOf,
  splitKey,
} from '#platform/http/endpoint.ts';
import { type AfterCommit, type Effect, runEffects } from '#platform/http/after-commit.ts';
import { allowedMethodsOf } from '#platform/http/allowed-methods.ts';
import { type Answer, type Download, type Prebuilt, send } from '#platform/http/answer.ts';
import { AppError } from '#platform/errors.ts';
import { ownOrigin } from '#platform/http/own-origin.ts';
import { isKeepable, parse } from '#platform/http/parse.ts';
import { guest, isStaff, mayCall, type Viewer } from '#platform/http/viewer.ts';

/** What a handler gets: everything already validated, the caller known and allowed by role. */
export interface Call<K extends EndpointKey, E extends Endpoint, Connection, Tx = Connection> {
  params: Params<K>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  viewer: Viewer;
  /** The open transaction of a changing call; the plain database for reads and endpoints with their own transaction. */
  db: Connection;
  now: Date;
  requestId: string;
  /** The caller's IP address; a proxy's word for it counts only from this machine. */
  address: string;
  /** Where the request came in, for links without a secret where no address is configured. */
  ownOrigin(): string;
  /** The `X-Order-Session` header: a bearer secret for one order. */
  orderSession: string | null;
  header(name: string): string | undefined;
  /** The body of an endpoint that takes a file; empty for all others. */
  file: Buffer;
  /** The JSON body as it came, for checking a signature over it. */
  rawBody: string;
  /**
   * Runs once the transaction is committed; network calls belong here. An endpoint with `ownTransaction` says so after its
   * commit, and then it runs whatever becomes of the answer.
   */
  afterCommit: AfterCommit;
  /**
   * Writes the audit log's line in the handler's own transaction; for endpoints with `ownTransaction`, the others do it
   * by themselves. Nothing is written unless `by`, by default the caller, is staff.
   */
  audit(tx: Tx, answer?: unknown, by?: Viewer): Promise<void>;
}

/** Changing calls run in a transaction, unless they open their own. */
type ConnectionOf<K extends EndpointKey, E extends Endpoint, Database, Tx> = K extends `GET ${string}`
  ? Database
  : E extends { ownTransaction: true }
    ? Database
    : Tx;

export type Handlers<C extends Endpoints, Database, Tx> = {
  [K in keyof C & EndpointKey]: (
    call: Call<K, C[K], ConnectionOf<K, C[K], Database, Tx>, Tx>,
  ) => Promise<AnswerOf<C[K]> | Answer<AnswerOf<C[K]>> | Prebuilt | Download> | AnswerOf<C[K]>;
};

/** What a call is refused for whatever it was sent: asked before its body is looked at. */
export type Before<C extends Endpoints, Database> = { [K in keyof C & EndpointKey]?: (db: Database) => Promise<void> };

export interface Host<Database, Tx extends Database> {
  authenticate(token: string): Promise<Viewer | null>;
  database: Database;
  /** Logs what fails of the effects that were left for after the commit. */
  transaction<T>(log: FastifyBaseLogger, work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T>;
  /** Writes the audit log's line for a staff member's change, in the change's own transaction. */
  audit(tx: Tx, change: Change): Promise<void>;
  now(): Date;
  /** A store's id by its slug or its name; null when there is none. */
  findStoreId(slugOrName: string): Promise<string | null>;
}

export interface Change {
  viewer: Viewer;
  action: EndpointKey;
  params: Record<string, string>;
  body: unknown;
  answer: unknown;
  requestId: string;
  at: Date;
}

type AnyCall<Database, Tx> = Call<EndpointKey, Endpoint, Database, Tx>;
type AnyHandler<Database, Tx> = (call: AnyCall<Database, Tx>) => Promise<unknown>;

/** Makes a route of every endpoint of a contract. A handler that is missing does not compile, and ends the start. */
export function serve<const C extends Endpoints, Database, Tx extends Database>(
  app: FastifyInstance,
  host: Host<Database, Tx>,
  contract: C,
  handlers: Handlers<C, Database, Tx>,
  before: Before<C, Database> = {},
): void {
  // A contract has nothing but endpoints, whatever else its type would allow.
  const keys = Object.keys(contract) as (keyof C & EndpointKey)[];
  const methodsOf = allowedMethodsOf(keys);
  for (const key of keys) {
    const endpoint = contract[key] as Endpoint;
    // The contract and its handlers are checked against each other by type above; here they are walked as a table.
    const handler = handlers[key] as unknown as AnyHandler<Database, Tx> | undefined;
    if (typeof handler !== 'function') throw new Error(`${key} has no handler.`);
    app.route({
      ...routeOf(key),
      ...(endpoint.bodyLimit !== undefined && {
        bodyLimit: endpoint.bodyLimit,
        onRequest: async (request: FastifyRequest) => void (await admit(host, key, endpoint, request)),
      }),
      ...(endpoint.upload && {
        bodyLimit: endpoint.upload.limit,
        onRequest: async (request: FastifyRequest) => void (await admit(host, key, endpoint, request)),
        errorHandler: (error: unknown) => {
          throw isOtherType(error) ? fileWanted(endpoint.upload) : error;
        },
      }),
      handler: async (request, reply) => {
        await before[key]?.(host.database);
        const viewer = await admit(host, key, endpoint, request);
        refuseOtherAddress(endpoint, request, methodsOf);
        const params = await idsOf(host, endpoint, request);
        return answerCall(host, key, endpoint, handler, { viewer, params }, request, reply);
      },
    });
  }
}

/** Ends the start where an endpoint of the whole contract has no route. */
export function refuseUnserved(app: FastifyInstance, keys: readonly EndpointKey[]): void {
  const unserved = keys.filter((key) => !app.hasRoute(routeOf(key)));
  if (unserved.length > 0) throw new Error(`Nothing serves ${unserved.join(', ')}.`);
}

function routeOf(key: EndpointKey): { method: Method; url: string } {
  const [method, path] = splitKey(key);
  return { method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') };
}

async function answerCall<Database, Tx extends Database>(
  host: Host<Database, Tx>,
  key: EndpointKey,
  endpoint: Endpoint,
  handler: AnyHandler<Database, Tx>,
  { viewer, params }: { viewer: Viewer; params: Record<string, string> },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  refuseOtherTypes(endpoint, request.body);
  const base = {
    params,
    query: endpoint.query && parse(endpoint.query, request.query),
    // Nothing at all is an empty object; a `null` was sent, and is none.
    body: endpoint.body && parse(endpoint.body, request.body === undefined ? {} : request.body),
    file: endpoint.upload ? (request.body as Buffer) : noFile,
    viewer,
    now: host.now(),
    requestId: request.id,
    address: request.ip,
    ownOrigin: () => ownOrigin(request),
    orderSession: headerOf(request, 'x-order-session') ?? null,
    header: (name: string) => headerOf(request, name),
    rawBody: request.rawBody,
  };
  const audit = async (tx: Tx, answer: unknown = null, by = viewer) => {
    if (!isStaff(by)) return;
    const { requestId, now: at, body } = base;
    await host.audit(tx, { viewer: by, action: key, params, body, answer, requestId, at });
  };
  const run = (db: Database, afterCommit: AfterCommit) =>
    handler({ ...base, db, audit, afterCommit } as AnyCall<Database, Tx>);
  const changes = !key.startsWith('GET ') && !endpoint.ownTransaction;
  const answer = changes
    ? await host.transaction(request.log, async (tx, afterCommit) => {
        const value = await run(tx, afterCommit);
        await audit(tx, value);
        return value;
      })
    : await withEffects(request.log, (afterCommit) => run(host.database, afterCommit));
  return send(endpoint, answer, request, reply);
}

/** What a handler has committed by itself has its effects, also where it fails afterwards. */
async function withEffects<T>(log: FastifyBaseLogger, work: (afterCommit: AfterCommit) => Promise<T>): Promise<T> {
  const effects: Effect[] = [];
  try {
    return await work((effect) => void effects.push(effect));
  } finally {
    await runEffects(effects, log);
  }
}

/** Who calls, if they may. */
async function admit<Database, Tx extends Database>(
  host: Host<Database, Tx>,
  key: EndpointKey,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Viewer> {
  const viewer = await identify(host, key, endpoint, request);
  if (mayCall(viewer, endpoint.access)) return viewer;
  throw viewer.role === 'guest'
    ? new AppError('unauthenticated', 'Unauthenticated.')
    : new AppError('forbidden', m.platform_forbidden());
}

/** 405 with what the address takes instead; null where it takes nothing, or this very method. */
export function refuseMethod(method: string, allowed: readonly string[]): AppError | null {
  if (allowed.length === 0 || allowed.includes(method)) return null;
  return new AppError('method_not_allowed', m.platform_method_not_allowed({ method }), {
    headers: { allow: allowed.join(', ') },
  });
}

/** An id that can be none: not found, unless it is the address of other calls, as in `GET /v1/orders/quote`. */
function refuseOtherAddress(
  { idOrName }: Endpoint,
  { params, method, url }: FastifyRequest,
  methodsOf: (url: string) => string[],
): void {
  const isAddress = idOrName ? isKeepable : (value: string) => uuid.test(value);
  if (Object.values(params as Record<string, string>).every(isAddress)) return;
  throw refuseMethod(method, methodsOf(url)) ?? new AppError('not_found', m.platform_not_found());
}

/** The path's parameters, with the id of the store that was called by its slug or its name. */
async function idsOf<Database, Tx extends Database>(
  host: Host<Database, Tx>,
  { idOrName }: Endpoint,
  request: FastifyRequest,
): Promise<Record<string, string>> {
  const params = request.params as Record<string, string>;
  const { id } = params;
  if (idOrName !== 'store' || id === undefined || uuid.test(id)) return params;
  const storeId = await host.findStoreId(id);
  if (storeId === null) throw new AppError('not_found', m.store_not_found());
  return { ...params, id: storeId };
}

const noFile = Buffer.alloc(0);

/** A file where JSON is wanted, or the other way round. */
function refuseOtherTypes({ upload }: Endpoint, body: unknown): void {
  if (Buffer.isBuffer(body) === Boolean(upload)) return;
  throw upload ? fileWanted(upload) : new AppError('unsupported_media_type', m.platform_unsupported_media_type());
}

function fileWanted(upload: Endpoint['upload']): AppError {
  const types = upload?.types.join(', ') ?? '';
  return new AppError('unsupported_media_type', m.platform_file_wanted({ types }));
}

/** The framework's own refusal of a body that nobody reads. */
function isOtherType(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
}

async function identify<Database, Tx extends Database>(
  host: Host<Database, Tx>,
  key: EndpointKey,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Viewer> {
  const token = bearerToken(request);
  if (token === null) return guest;
  const viewer = await host.authenticate(token);
  if (viewer) return viewer;
  // Public reads and signing in work with a stale token; anything that acts for somebody says that the token is dead.
  const isRead = key.startsWith('GET ') || endpoint.isRead === true;
  const isLenient = endpoint.access === 'guest' && (isRead || key.includes('/auth/'));
  if (isLenient) return guest;
  throw new AppError('unauthenticated', 'Unauthenticated.');
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (!header) return null;
  const match = /^Bearer\s+(\S+)$/i.exec(header);
  return match?.[1] ?? '';
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
