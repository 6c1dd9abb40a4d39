import type { PathParams, ReceivedAnswerOf, WholeContract, SentBody, SentQuery } from '#platform/http/endpoint.ts';
import type { ErrorCode, FieldErrors } from '#platform/errors.ts';
import { currentLanguage } from '#platform/language.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';

type Key = keyof WholeContract;
type Known<T> = T extends undefined ? unknown : T;
/** The path parameters, query and body in one flat object: `api('PATCH /v1/users/{id}', { id, name: 'Ada' })`. */
export type ApiInput<K extends Key> = PathParams<K> &
  Known<SentQuery<WholeContract[K]>> &
  Known<SentBody<WholeContract[K]>>;
export type ApiAnswer<K extends Key> = ReceivedAnswerOf<WholeContract[K]>;

/** The server's error code. `offline`: no response arrived. `not_sent`: the page did not send the call. */
export type ApiErrorCode = ErrorCode | 'offline' | 'not_sent';

/** HTTP statuses after which a retry may succeed: no response (0), not signed in, timeout, too early, rate-limited. */
const passing: ReadonlySet<number> = /* @__PURE__ */ new Set([0, 401, 408, 425, 429]);

/** The error of a failed call. Callers switch on `code`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly errors: FieldErrors;
  readonly body: Record<string, unknown>;
  readonly isPassing: boolean;
  /**
   * Whether the call was neither confirmed nor finally refused. A retry needs the same idempotency key, because the
   * server may have executed the call.
   */
  readonly isUndecided: boolean;
  /**
   * Whether the server may have executed the call: no response arrived, or a proxy answered with 408 or a status above
   * 499.
   */
  readonly isLost: boolean;
  readonly isTimeout: boolean;

  constructor(status: number, body: Record<string, unknown>, headers?: Headers) {
    super(typeof body['message'] === 'string' ? body['message'] : '');
    this.name = 'ApiError';
    this.status = status;
    // A newer server may send unknown codes, which match no comparison.
    this.code = typeof body['code'] === 'string' ? (body['code'] as ApiErrorCode) : 'internal';
    this.errors = (body['errors'] ?? {}) as FieldErrors;
    this.body = body;
    const isOfProxy = typeof body['code'] !== 'string';
    this.isUndecided = isOfProxy || passing.has(status) || status >= 500;
    this.isLost = this.code === 'offline' || (isOfProxy && (status === 408 || status >= 500));
    this.isTimeout = body['timed_out'] === true;
    this.isPassing = status < 400 || (status === 503 ? headers?.has('retry-after') === true : status >= 500);
  }
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** The timeout (ms); 0, the default, means no timeout. */
  timeout?: number;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  /** Whether the call continues after the page closes; only for small bodies. */
  keepalive?: boolean;
}

let hearRefusal = async (): Promise<void> => undefined;
/** Sets the handler that runs when the server refuses a signed-in call with 401 or 403. */
export function setUnauthorizedHandler(run: () => Promise<void>): void {
  hearRefusal = run;
}

/** Runs the handler of `setUnauthorizedHandler`; resolves when it has refetched the user. */
export function reportUnauthorized(): Promise<void> {
  return hearRefusal();
}

let askForProof = async (): Promise<boolean> => false;
/**
 * Sets the handler that asks for a fresh sign-in when a call needs one. If it resolves to true, the call is retried.
 */
export function setStaleSignInHandler(ask: () => Promise<boolean>): void {
  askForProof = ask;
}

let base = '';
let epoch: string | undefined;
/**
 * Sets the origin of the API (empty for the page's own), and the epoch of the page's server, which changes at a
 * restore.
 */
export function setApiBase(url: string, ownEpoch?: string): void {
  base = url.replace(/\/$/, '');
  epoch = ownEpoch;
}

/**
 * Reloads the page once if the server's epoch differs from the page's. The shop was then restored from a backup, so the
 * page may have cached data that is newer than the restored database.
 */
export function reloadAtNewEpoch(heard: unknown): void {
  if (typeof heard !== 'string' || heard === epoch) return;
  epoch = heard;
  if (sessionStorage.getItem('epoch') === heard) return;
  sessionStorage.setItem('epoch', heard);
  location.reload();
}

/** The URL of an API path, for requests outside `api`, such as a file's. */
export const apiAddress = (path: string): string => base + path;

/** Calls an endpoint of the contract with the stored bearer token. Throws ApiError. */
export async function api<K extends Key>(
  key: K,
  input: ApiInput<K>,
  options: RequestOptions = {},
): Promise<ApiAnswer<K>> {
  const response = await ask(key, input, options);
  if (response.status === 204) return null as ApiAnswer<K>;
  // The cast is safe, because the server sends only the endpoint's declared fields.
  return (await response.json().catch((error: unknown) => unanswered(error, options))) as ApiAnswer<K>;
}

/** Calls an endpoint whose response is a file; returns its bytes as a stream. Throws ApiError. */
export async function apiFile<K extends Key>(
  key: K,
  input: ApiInput<K>,
  options: RequestOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { body } = await ask(key, input, options);
  if (!body) throw new ApiError(0, { code: 'offline' });
  return body;
}

async function ask<K extends Key>(key: K, input: ApiInput<K>, options: RequestOptions): Promise<Response> {
  const token = readToken();
  const { url, init } = requestOf(key, input, options, token);
  const response = await fetch(url, init).catch((error: unknown) => unanswered(error, options));
  reloadAtNewEpoch(response.headers.get('x-hatch-epoch'));
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (body['code'] === 'fresh_sign_in_required' && (await askForProof())) return ask(key, input, options);
  const isOfToken = token !== null && token === readToken();
  if (isOfToken && (response.status === 401 || response.status === 403)) void reportUnauthorized();
  throw new ApiError(response.status, body, response.headers);
}

/** Builds a call's request. Fields that are not in the path go to the query or the body. */
function requestOf<K extends Key>(key: K, input: ApiInput<K>, options: RequestOptions, token: string | null) {
  const [method = 'GET', template = '/'] = key.split(' ');
  const rest: Record<string, unknown> = { ...input };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const url = new URL(base + path, location.href);
  const headers: Record<string, string> = {
    ...options.headers,
    accept: 'application/json',
    'accept-language': currentLanguage(),
  };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
  const init: RequestInit = { method, headers, keepalive: options.keepalive ?? false };
  if (method === 'GET') {
    for (const [name, value] of Object.entries(rest)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
  } else {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(rest);
  }
  const signals = [options.signal, options.timeout ? AbortSignal.timeout(options.timeout) : undefined].filter(
    (signal) => signal !== undefined,
  );
  if (signals.length > 0) init.signal = AbortSignal.any(signals);
  return { url, init };
}

/**
 * Throws ApiError `offline`, because the network failed, the call timed out, or the response is not JSON. If the caller
 * aborted the call, throws `error` itself.
 */
function unanswered(error: unknown, { signal }: RequestOptions): never {
  if (signal?.aborted) throw error;
  throw new ApiError(0, { code: 'offline', timed_out: error instanceof Error && error.name === 'TimeoutError' });
}

const tokenKey = 'token';

export function readToken(): string | null {
  try {
    return nativeShell().readSecret(tokenKey);
  } catch {
    return null;
  }
}

export function saveToken(token: string | null): void {
  nativeShell().writeSecret(tokenKey, token);
}
