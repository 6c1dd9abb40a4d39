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

/** The least role that may call. `store_admin` means staff whose scopes include the store, or any admin. */
export type Access = 'guest' | 'customer' | 'store_admin' | 'admin';

/** One row of the contract: who may call, with which input and output. */
export interface Endpoint {
  access: Access;
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** null: the answer is 204 without a body. */
  response: z.ZodType | null;
  /** 201 for creation; otherwise 200, or 204 where there is no response. */
  status?: 200 | 201 | 204;
  /** A second success status, and when it is sent. */
  also?: { status: 200 | 204; when: string };
  /**
   * Error codes beyond those of every endpoint (401; 403 unless everyone may call; 404 with an id; 422 with a body or
   * query; 429). Tests fail when an undeclared code is answered.
   */
  errors?: readonly ErrorCode[];
  /** The body is a file: its content types, and its greatest size in bytes. The caller is checked before it is read. */
  upload?: {
    types: readonly string[];
    limit: number;
    /**
     * The file is too large for the memory: the handler gets its bytes as they arrive, as `stream`, and counts them
     * itself.
     */
    isStreamed?: true;
  };
  /** The answer is a file of this content type, as a `Download`. */
  download?: string;
  /** The most bytes a JSON body may have, where it is more than usual. */
  bodyLimit?: number;
  /** Only a signature tells whose the JSON body is: it is not parsed, and the handler gets its text as `rawBody`. */
  signed?: true;
  /** Changes nothing, although its method suggests it: a dead token counts as no token, as in a `GET` for everyone. */
  isRead?: true;
  /**
   * It reads old data: with connections of its own, so that other calls' connections stay free, and with its own
   * timeout. It is cancelled when its caller leaves. A function decides by the call's query.
   */
  readsPast?: true | ((query: never, now: Date) => boolean);
  /** How often one network may make the call; staff may always. Where it costs more than usual. */
  rate?: CallRate;
  /** Reads personal data: the audit log says which staff read it, once an hour. */
  isRecorded?: true;
  /** The handler opens its own transaction, because its work is too long or too frequent for the common one. */
  ownTransaction?: true;
  /** Staff may call only while their sign-in is fresh (`isFresh`): it is worth a sign-in that was left open, or stolen. */
  freshSignIn?: true;
  /** The same for a part of it, in words (`more than 50 at once`): its handler calls `refuseStale`. */
  freshSignInFor?: string;
  /** Whether devices may call, where it is not as usual (`mayCall`); `only`: nobody else may. */
  devices?: boolean | 'only';
  /** The path's parameter may be a name. Elsewhere an id that is not a UUID is not found. */
  idOrName?: PathName;
  /** The header with a secret that gives its holder access to this call. */
  secret?: SecretHeader;
  /** The answer is itself a scope of staff (`Viewer.scopes`), not a part of one: the audit log says so. */
  answersScope?: true;
}

/** Another way to name a thing in a path, instead of its id. */
export interface PathName {
  /** Which finder of the host turns it into the id that the handler sees; without one, the handler sees the name. */
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

/** Filled in by `contract.ts` (declaration merging), so that the type of every call stands below all domains. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- it is filled in elsewhere
export interface Register {}
/** Every call of the API, once `contract.ts` is part of the program. */
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
/** A handler's result: checked against the schema, which strips undeclared fields. */
export type AnswerOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : void;
/** The answer as a client receives it. */
export type ReceivedOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : null;

/** Whether this call of a row reads a long past. */
export function readsPast({ readsPast: says }: Endpoint, { query, now }: { query: unknown; now: Date }): boolean {
  // The function is of the same row as the query's schema.
  return typeof says === 'function' ? says(query as never, now) : says === true;
}
