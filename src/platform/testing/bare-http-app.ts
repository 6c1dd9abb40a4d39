import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { apiErrors } from '#api-errors.ts';
import { createClientAddressReader } from '#platform/server/client-address.ts';
import { createHttpApp, type HttpAppOptions } from '#platform/server/http-app.ts';

/** The HTTP side of the application without any route; requests are not logged. */
export function bareHttpApp(options: Partial<HttpAppOptions> = {}): FastifyInstance {
  const never = () => false;
  return createHttpApp({
    log: pino({ level: 'silent' }),
    fastPath: never,
    clients: createClientAddressReader(),
    cors: never,
    endpoints: [],
    errors: apiErrors,
    diskFull: { words: () => 'The disk is full.', note: () => {} },
    ...options,
  });
}
