import { endpointRegistration } from '#database/endpoint-registration.ts';
import { peopleEndpoints } from '#people/contract.ts';
import { repeatErasures, repeatErasuresWork } from '#people/server/repeat-erasures.ts';
import { startIdleAccountSweep } from '#people/server/delete-idle-accounts.ts';
import { peopleHandlers } from '#people/server/handlers.ts';
import type { ServerParts } from '#platform/server/parts.ts';

type Services = Parameters<typeof startIdleAccountSweep>[0] & Parameters<typeof repeatErasures>[0];

export const peopleDomain = {
  name: 'people',
  calls: [endpointRegistration(peopleEndpoints, peopleHandlers)],
  async start(services: Services, parts: ServerParts) {
    await repeatErasures(services);
    parts.add('idle accounts', startIdleAccountSweep(services));
  },
  work: (services: Services) => [repeatErasuresWork(services)],
};
