import { servedCalls } from '#database/served-calls.ts';
import { people } from '#people/contract.ts';
import { startIdleAccountSweep } from '#people/server/forget-idle-accounts.ts';
import { peopleHandlers } from '#people/server/handlers.ts';
import type { ServerParts } from '#platform/server/parts.ts';

export const peopleDomain = {
  name: 'people',
  calls: [servedCalls(people, peopleHandlers)],
  start(services: Parameters<typeof startIdleAccountSweep>[0], parts: ServerParts) {
    parts.add('idle accounts', startIdleAccountSweep(services));
  },
};
