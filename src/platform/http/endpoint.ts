import type { CallRate } from '#platform/server/call-limits.ts';
import type { z } from 'zod';
import type { ErrorCode } from '#platform/errors.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type EndpointKey = `${Method} /${string}`;

export function splitEndpointKey(key: EndpointKey): [method: Method, path: string] {
  const space = key.indexOf(' ');
  // The type `EndpointKey` guarantees that the key begins with a method.
  return [key.slice(0, space) as Method, key.slice(space + 1)];
}

/** The lowest role that may make the call. `store_admin`: staff whose scopes include the store, or any admin. */
export type Access = 'guest' | 'customer' | 'store_admin' | 'admin';

export interface Endpoint {
  access: Access;
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The schema of the response; null: 204 without a body. */
  response: z.ZodType | null;
  /** The status of success: 201 for a creation; the default is 200, or 204 without a response. */
  status?: 200 | 201 | 204;
  /** A second success status, and its condition. */
  also?: { status: 200 | 204; when: string };
  /**
   * The call's own error codes; `errorCodesOf` adds the codes that every call has or that the other fields imply. Tests
   * fail on an undeclared code.
   */
  errors?: readonly ErrorCode[];
  /**
   * The request's body is a file with one of these content types and at most `limit` bytes. The caller is checked
   * before the file is read.
   */
  upload?: {
    types: readonly string[];
    limit: number;
    /** The file may be larger than the memory, so the handler reads it from `stream` and enforces `limit` itself. */
    isStreamed?: true;
  };
  /** The response is a file of this content type, as a `DownloadAnswer`. */
  download?: string;
  /** The maximum bytes of a JSON body; missing: the default limit. */
  bodyLimit?: number;
  /** A signature is the body's only authentication, so the body is not parsed, and the handler gets it as `rawBody`. */
  signed?: true;
  /**
   * The call changes nothing, in spite of its method. If it is open to everyone, it treats an unknown token like a
   * missing token, as a `GET` does.
   */
  isRead?: true;
  /**
   * The call reads history. It uses separate connections with their own timeout, and is cancelled when its caller
   * disconnects. A function decides by the query whether the call reads history.
   */
  readsPast?: true | ((query: never, now: Date) => boolean);
  /** The rate limit per network of a costly call; staff are exempt. */
  rate?: CallRate;
  /** The call reads personal data, so the audit log records it, once an hour for each staff member. */
  isRecorded?: true;
  /** The handler opens its own transaction, because its work is too long or too frequent for the usual transaction. */
  ownTransaction?: true;
  /**
   * Staff need a fresh sign-in (`hasFreshSignIn`), because a tablet may be left signed in, or a session may be stolen.
   */
  freshSignIn?: true;
  /**
   * Documents when staff need a fresh sign-in, such as `more than 50 at once`. The handler checks it by
   * `requireFreshSignIn`.
   */
  freshSignInFor?: string;
  /** Whether devices may call. The default is yes, unless the access is `customer`. `only`: no person may call. */
  devices?: boolean | 'only';
  /** The path's `{id}` may be a name. Without this field, an id that is not a UUID gets 404. */
  idOrName?: PathName;
  /** The header whose secret grants access to this call. */
  secret?: SecretHeader;
  /** The `id` in the response is the store's id under which the audit log records the call. */
  answersScope?: true;
}

/** A name that a path may have in place of an id. */
export interface PathName {
  /**
   * The key of a function in the host's `findId`. The function returns the id for the name in the path. Without
   * `finder`, the handler gets the name itself.
   */
  finder?: string;
  description: string;
  example: string;
}

export interface SecretHeader {
  /** The name of the security scheme in OpenAPI. */
  scheme: string;
  header: string;
  description: string;
}

export function secretHeadersOf(endpoints: Endpoints): SecretHeader[] {
  return [...new Set(Object.values<Endpoint>(endpoints).flatMap(({ secret }) => secret ?? []))];
}

export type Endpoints = Record<EndpointKey, Endpoint>;

/** `contract.ts` adds the contract's type by declaration merging, so that lower modules know every call's type. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- it is filled in elsewhere
export interface ContractRegister {}
/** The contract's type in programs that include `contract.ts`; otherwise the type of any endpoints. */
export type WholeContract = ContractRegister extends { contract: infer Contract extends Partial<Endpoints> }
  ? Contract
  : Endpoints;

type ParamNames<K extends string> = K extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
export type PathParams<K extends string> = { [N in ParamNames<K>]: string };

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

export type QueryOf<E extends Endpoint> = Parsed<E['query']>;
export type BodyOf<E extends Endpoint> = Parsed<E['body']>;
export type SentQuery<E extends Endpoint> = Sent<E['query']>;
export type SentBody<E extends Endpoint> = Sent<E['body']>;
/** The type of a handler's result; the response schema removes undeclared fields. */
export type AnswerOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : void;
export type ReceivedAnswerOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : null;

export function readsHistoricalData(
  { readsPast: says }: Endpoint,
  { query, now }: { query: unknown; now: Date },
): boolean {
  // The cast is safe, because the function and the query's schema belong to the same endpoint.
  return typeof says === 'function' ? says(query as never, now) : says === true;
}
