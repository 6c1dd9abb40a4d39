import type { Params, ReceivedOf, Registered, SentBody, SentQuery } from '#platform/http/endpoint.ts';
import type { ErrorCode, FieldErrors } from '#platform/errors.ts';
import { currentLanguage } from '#platform/language.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';

type Key = keyof Registered;
type Known<T> = T extends undefined ? unknown : T;
/** Path parameters, query and body in one flat object: `api('PATCH /v1/users/{id}', { id, name: 'Ada' })`. */
export type Input<K extends Key> = Params<K> & Known<SentQuery<Registered[K]>> & Known<SentBody<Registered[K]>>;
export type Received<K extends Key> = ReceivedOf<Registered[K]>;

/** A server's refusal, or a failed network (`offline`), even if nothing was sent. */
export type ApiErrorCode = ErrorCode | 'offline' | 'not_sent';

/** Statuses that a retry may change: no answer, no sign-in, too slow, too early, throttled. */
const passing: ReadonlySet<number> = /* @__PURE__ */ new Set([0, 401, 408, 425, 429]);

/** A call that was refused or not answered. Switch on `code`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly errors: FieldErrors;
  readonly body: Record<string, unknown>;
  /** Whether a retry may succeed soon. */
  readonly isPassing: boolean;
  /** Whether the call is undecided, including a proxy's answer: its key allows a retry. */
  readonly isUndecided: boolean;
  /** Whether the call may have been made: no answer, or a proxy's. */
  readonly isLost: boolean;
  /** Whether it timed out after the network took it. */
  readonly isTimeout: boolean;

  constructor(status: number, body: Record<string, unknown>, headers?: Headers) {
    super(typeof body['message'] === 'string' ? body['message'] : '');
    this.name = 'ApiError';
    this.status = status;
    // A newer server may have unknown codes, which match no comparison.
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
  /** Milliseconds; 0, the default, waits without limit. */
  timeout?: number;
  /** Headers in addition to those of every call. */
  headers?: Record<string, string>;
  /** Unchanged for each retry of one call. */
  idempotencyKey?: string;
  /** Sent even if the page is left; for small bodies. */
  keepalive?: boolean;
}

let hearRefusal = async (): Promise<void> => undefined;
/** Calls `run` when the server refuses a signed-in call. */
export function setUnauthorizedHandler(run: () => Promise<void>): void {
  hearRefusal = run;
}

/** Resolves once the user is looked up again. Never throws. */
export function announceRefusal(): Promise<void> {
  return hearRefusal();
}

let askForProof = async (): Promise<boolean> => false;
/** Calls `ask` when a call needs a fresh sign-in; true: proved, and the call is retried. */
export function onStaleSignIn(ask: () => Promise<boolean>): void {
  askForProof = ask;
}

let base = '';
let epoch: string | undefined;
/** `url`: the origin of the API; empty for the page's own origin. `ownEpoch`: of the shop that made the page. */
export function setApiBase(url: string, ownEpoch?: string): void {
  base = url.replace(/\/$/, '');
  epoch = ownEpoch;
}

/** A restored shop: the page may have cached later versions than the shop's, so it begins again, once. */
export function hearEpoch(heard: unknown): void {
  if (typeof heard !== 'string' || heard === epoch) return;
  epoch = heard;
  if (sessionStorage.getItem('epoch') === heard) return;
  sessionStorage.setItem('epoch', heard);
  location.reload();
}

/** The address of an API path, for requests not made by `api`, e.g. of a file. */
export const apiAddress = (path: string): string => base + path;

/** Calls one endpoint of the contract, with the stored bearer token. Throws ApiError. */
export async function api<K extends Key>(key: K, input: Input<K>, options: RequestOptions = {}): Promise<Received<K>> {
  const response = await ask(key, input, options);
  if (response.status === 204) return null as Received<K>;
  // The server sends only the endpoint's declared fields.
  return (await response.json().catch((error: unknown) => unanswered(error, options))) as Received<K>;
}

/** Calls an endpoint that answers a file; returns its bytes as a stream. Throws ApiError. */
export async function apiFile<K extends Key>(
  key: K,
  input: Input<K>,
  options: RequestOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { body } = await ask(key, input, options);
  if (!body) throw new ApiError(0, { code: 'offline' });
  return body;
}

async function ask<K extends Key>(key: K, input: Input<K>, options: RequestOptions): Promise<Response> {
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
  const token = readToken();
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
  const response = await fetch(url, init).catch((error: unknown) => unanswered(error, options));
  hearEpoch(response.headers.get('x-hatch-epoch'));
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (body['code'] === 'fresh_sign_in_required' && (await askForProof())) return ask(key, input, options);
  const isOfToken = token !== null && token === readToken();
  if (isOfToken && (response.status === 401 || response.status === 403)) void announceRefusal();
  throw new ApiError(response.status, body, response.headers);
}

/** The network failed, it timed out, or the answer is not the shop's. */
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

export function storeToken(token: string | null): void {
  nativeShell().writeSecret(tokenKey, token);
}
