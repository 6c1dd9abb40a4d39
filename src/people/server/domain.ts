import { calls } from '#database/domain.ts';
import { people } from '#people/contract.ts';
import { startIdleAccountSweep } from '#people/server/forget-idle-accounts.ts';
import { peopleHandlers } from '#people/server/handlers.ts';
import type { Parts } from '#platform/server/parts.ts';

export const peopleDomain = {
  name: 'people',
  calls: [calls(people, peopleHandlers)],
  start(services: Parameters<typeof startIdleAccountSweep>[0], parts: Parts) {
    parts.add('idle accounts', startIdleAccountSweep(services));
  },
};
