import { endpointRegistration } from '#database/endpoint-registration.ts';
import { boardChannels } from '#kitchen/channels.ts';
import { type ServerClockReading, kitchenEndpoints } from '#kitchen/contract.ts';
import { readClockJumpSeconds, recordClockConfirmation } from '#database/clock-watch.ts';
import type { Db, Tx } from '#database/schema.ts';
import { refuseOtherStoresStaff } from '#printing/server/print-calls.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { BaseServices } from '#database/services.ts';

function kitchenHandlers(services: KitchenServices): Handlers<typeof kitchenEndpoints, Db, Tx> {
  return {
    'GET /v1/stores/{id}/clock': async ({ db, params, viewer, now }) => {
      refuseOtherStoresStaff(viewer, params.id);
      return { data: await clockState(db, now) };
    },

    'POST /v1/stores/{id}/clock/confirm': async ({ db, params, viewer, now, afterCommit }) => {
      refuseOtherStoresStaff(viewer, params.id);
      afterCommit(services.clock.confirm);
      await recordClockConfirmation(db);
      return { data: await clockState(db, now) };
    },
  };
}

async function clockState(db: Db, now: Date): Promise<ServerClockReading> {
  return { now: now.toISOString(), ahead_seconds: await readClockJumpSeconds(db) };
}

export const kitchenDomain = {
  name: 'kitchen',
  calls: [endpointRegistration(kitchenEndpoints, kitchenHandlers)],
  channels: boardChannels,
};

type KitchenServices = Pick<BaseServices, 'clock'>;
