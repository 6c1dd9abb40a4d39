import type { FastifyInstance } from 'fastify';
import { calls } from '#database/domain.ts';
import { payment } from '#payment/contract.ts';
import { paymentHandlers } from '#payment/server/handlers.ts';
import { eraseKeptCards } from '#payment/server/kept-cards.ts';
import { keySetWork } from '#payment/server/keys/check-key-sets.ts';
import { startEnvironmentKeys } from '#payment/server/keys/environment-keys.ts';
import { paymentMailExamples } from '#payment/server/mail-examples.ts';
import { serveSandbox } from '#payment/server/sandbox/routes.ts';
import type { PaymentHandlerServices } from '#payment/server/services.ts';
import type { Parts } from '#platform/server/parts.ts';

type KeyServices = Parameters<typeof startEnvironmentKeys>[0] & Parameters<typeof keySetWork>[0];
type Services = PaymentHandlerServices & KeyServices;

export const paymentDomain = {
  name: 'payment',
  calls: [calls(payment, paymentHandlers)],
  routes: (http: FastifyInstance, services: Services) => serveSandbox(http, services),
  mailExamples: paymentMailExamples,
  async start(services: Services, parts: Parts) {
    await services.payments.start();
    parts.add('payments', services.payments);
    parts.add('environment keys', await startEnvironmentKeys(services));
  },
  work: (services: Services) => [...services.payments.due, keySetWork(services)],
  eraser: ({ jobs }: Pick<Services, 'jobs'>) => eraseKeptCards(jobs),
};
