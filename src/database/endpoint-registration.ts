import type { FastifyInstance } from 'fastify';
import type { Db, Tx } from '#database/schema.ts';
import type { Endpoints } from '#platform/http/endpoint.ts';
import { type EarlyChecks, type Handlers, type CallHost, serveEndpoints } from '#platform/http/serve.ts';

/** Calls of the API, and the function that serves them. Each domain's `server/domain.ts` registers its own calls. */
export interface EndpointRegistration<S> {
  rows: Endpoints;
  serve(http: FastifyInstance, host: CallHost<Db, Tx>, services: S): void;
}

export function endpointRegistration<const C extends Endpoints, S>(
  rows: C,
  handlersOf: (services: S) => Handlers<C, Db, Tx>,
  before?: EarlyChecks<C, Db>,
): EndpointRegistration<S> {
  return { rows, serve: (http, host, services) => serveEndpoints(http, host, rows, handlersOf(services), before) };
}
