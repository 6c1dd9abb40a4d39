import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { Db } from '#database/schema.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import { pushEndpoints } from '#push/contract.ts';
import { pushHandlers } from '#push/server/handlers.ts';
import { startSendingPushMessages } from '#push/server/push.ts';
import { listPushDevices } from '#push/server/subscriptions.ts';

export const pushDomain = {
  name: 'push',
  calls: [endpointRegistration(pushEndpoints, pushHandlers)],
  start: startSendingPushMessages,
  personalData: { push_devices: (db: Db, { viewer }: { viewer: Viewer }) => listPushDevices(db, viewer) },
};
