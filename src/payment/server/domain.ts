import type { FastifyInstance } from 'fastify';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import { paymentEndpoints } from '#payment/contract.ts';
import { paymentHandlers } from '#payment/server/handlers.ts';
import { createSavedCardsEraser } from '#payment/server/saved-cards.ts';
import { keySetCheckWork } from '#payment/server/keys/check-key-sets.ts';
import { startEnvironmentKeySync } from '#payment/server/keys/environment-keys.ts';
import { paymentMailExamples } from '#payment/server/mail-examples.ts';
import { serveSandbox } from '#payment/server/sandbox/routes.ts';
import type { PaymentHandlerServices } from '#payment/server/services.ts';
import type { ServerParts } from '#platform/server/parts.ts';

type KeyServices = Parameters<typeof startEnvironmentKeySync>[0] & Parameters<typeof keySetCheckWork>[0];
type Services = PaymentHandlerServices & KeyServices;

export const paymentDomain = {
  name: 'payment',
  calls: [endpointRegistration(paymentEndpoints, paymentHandlers)],
  routes: (http: FastifyInstance, services: Services) => serveSandbox(http, services),
  mailExamples: paymentMailExamples,
  async start(services: Services, parts: ServerParts) {
    await services.payments.start();
    parts.add('payments', services.payments);
    parts.add('environment keys', await startEnvironmentKeySync(services));
  },
  work: (services: Services) => [...services.payments.due, keySetCheckWork(services)],
  eraser: ({ jobs }: Pick<Services, 'jobs'>) => createSavedCardsEraser(jobs),
};
