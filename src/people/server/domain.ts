import { servedCalls } from '#database/served-calls.ts';
import { peopleEndpoints } from '#people/contract.ts';
import { eraseAgain, eraseAgainWork } from '#people/server/erase-again.ts';
import { startIdleAccountSweep } from '#people/server/forget-idle-accounts.ts';
import { peopleHandlers } from '#people/server/handlers.ts';
import type { ServerParts } from '#platform/server/parts.ts';

type Services = Parameters<typeof startIdleAccountSweep>[0] & Parameters<typeof eraseAgain>[0];

export const peopleDomain = {
  name: 'people',
  calls: [servedCalls(peopleEndpoints, peopleHandlers)],
  async start(services: Services, parts: ServerParts) {
    await eraseAgain(services);
    parts.add('idle accounts', startIdleAccountSweep(services));
  },
  work: (services: Services) => [eraseAgainWork(services)],
};
