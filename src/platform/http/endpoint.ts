import type { CallRate } from '#platform/server/call-limits.ts';
import type { z } from 'zod';
import type { ErrorCode } from '#platform/errors.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type EndpointKey = `${Method} /${string}`;

export function splitKey(key: EndpointKey): [method: Method, path: string] {
  const space = key.indexOf(' ');
  // The key's type says how it begins.
  return [key.slice(0, space) as Method, key.slice(space + 1)];
}

/** The lowest role that may call. `store_admin`: staff whose scopes include the store, or any admin. */
export type Access = 'guest' | 'customer' | 'store_admin' | 'admin';

/** One row of the contract: its callers, input and output. */
export interface Endpoint {
  access: Access;
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** null: 204 without a body. */
  response: z.ZodType | null;
  /** 201 for creation; by default 200, or 204 without a response. */
  status?: 200 | 201 | 204;
  /** A second success status, and when it is sent. */
  also?: { status: 200 | 204; when: string };
  /**
   * Error codes beyond every endpoint's own (401; 403 unless open to everyone; 404 with an id; 422 with a body or
   * query; 429). Tests fail on an undeclared code.
   */
  errors?: readonly ErrorCode[];
  /** The body is a file: its content types, and its largest size in bytes. The caller is checked first. */
  upload?: {
    types: readonly string[];
    limit: number;
    /** The file exceeds the memory: the handler reads and counts it as `stream`. */
    isStreamed?: true;
  };
  /** The answer is a file of this content type, as a `Download`. */
  download?: string;
  /** The largest JSON body in bytes, if above the default. */
  bodyLimit?: number;
  /** Only a signature authenticates the JSON body: it is not parsed, and the handler gets it as `rawBody`. */
  signed?: true;
  /** Changes nothing in spite of its method: a dead token counts as none, as in a public `GET`. */
  isRead?: true;
  /**
   * Reads old data on separate connections with its own timeout, and is cancelled when its caller leaves. A function
   * decides by the call's query.
   */
  readsPast?: true | ((query: never, now: Date) => boolean);
  /** The rate per network of a costly call; staff are not limited. */
  rate?: CallRate;
  /** Reads personal data: the audit log records staff who read it, hourly. */
  isRecorded?: true;
  /** The handler opens its own transaction, because its work is too long or too frequent for the common one. */
  ownTransaction?: true;
  /** Staff need a fresh sign-in (`isFresh`), against open and stolen sign-ins. */
  freshSignIn?: true;
  /** Calls that need a fresh sign-in, in words (`more than 50 at once`); the handler calls `refuseStale`. */
  freshSignInFor?: string;
  /** Whether devices may call, if not by default (`mayCall`); `only`: nobody else may. */
  devices?: boolean | 'only';
  /** The path's parameter may be a name. Otherwise an id that is no UUID is not found. */
  idOrName?: PathName;
  /** The header with a secret that gives its holder access to this call. */
  secret?: SecretHeader;
  /** The answer is itself a scope of staff (`Viewer.scopes`), for the audit log. */
  answersScope?: true;
}

/** A name for a thing in a path, instead of its id. */
export interface PathName {
  /** The host's finder of the id; without one, the handler sees the name. */
  finder?: string;
  /** Both are for the API's description. */
  description: string;
  example: string;
}

export interface SecretHeader {
  /** Its name in OpenAPI. */
  scheme: string;
  /** e.g. `X-Session`. */
  header: string;
  description: string;
}

/** Every secret header of a contract, each once. */
export function secretsOf(endpoints: Endpoints): SecretHeader[] {
  return [...new Set(Object.values<Endpoint>(endpoints).flatMap(({ secret }) => secret ?? []))];
}

export type Endpoints = Record<EndpointKey, Endpoint>;

/** `contract.ts` declares it (declaration merging), so that every call's type stands below all domains. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- it is filled in elsewhere
export interface Register {}
/** Every call of the API, in programs with `contract.ts`. */
export type Registered = Register extends { contract: infer Contract extends Partial<Endpoints> }
  ? Contract
  : Endpoints;

type ParamNames<K extends string> = K extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
export type Params<K extends string> = { [N in ParamNames<K>]: string };

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

export type QueryOf<E extends Endpoint> = Parsed<E['query']>;
export type BodyOf<E extends Endpoint> = Parsed<E['body']>;
export type SentQuery<E extends Endpoint> = Sent<E['query']>;
export type SentBody<E extends Endpoint> = Sent<E['body']>;
/** A handler's result; the schema strips undeclared fields. */
export type AnswerOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : void;
/** The answer for a client. */
export type ReceivedOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : null;

/** Whether this call reads old data. */
export function readsPast({ readsPast: says }: Endpoint, { query, now }: { query: unknown; now: Date }): boolean {
  // The function is of the same row as the query's schema.
  return typeof says === 'function' ? says(query as never, now) : says === true;
}
