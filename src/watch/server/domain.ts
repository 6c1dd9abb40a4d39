import type { FastifyInstance } from 'fastify';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { DiskMonitor } from '#database/health.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { watchEndpoints } from '#watch/contract.ts';
import {
  type MetricsServices,
  serveMetricsOnShopPort,
  serveMetricsOnOwnPort,
} from '#watch/server/metrics/serve-metrics.ts';
import { startDiskChecks, createWatchMailExamples, createWatchDueWork } from '#watch/server/watch.ts';
import type { WatchServices } from '#watch/server/services.ts';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { sql } from 'kysely';
import { filterOrdersOfStoreSql } from '#ordering/server/order-views.ts';

interface Used {
  clients: Pick<ClientAddressReader, 'strangers' | 'proxiesWithoutClients'>;
  menus: Pick<ShopCache, 'store'>;
}

/** The maximum number of addresses in each list of `GET /v1/proxies/unknown`. */
const maxNamed = 5;

function watchHandlers({ clients, menus }: Used): Handlers<typeof watchEndpoints, Db, Tx> {
  return {
    'POST /v1/stores/{id}/heard': async ({ db, params, body, viewer, now }) => {
      const known = await menus.store(db, params.id);
      if (!known) throw new AppError('not_found', m.store_not_found());
      if (!isStaffOf(viewer, known.store.id)) throw new AppError('forbidden', m.platform_forbidden());
      await markHeard(db, known.store.id, body.order_ids, now);
    },
    'GET /v1/proxies/unknown': async () => ({
      data: {
        addresses: clients.strangers().slice(0, maxNamed),
        without_clients: clients.proxiesWithoutClients().slice(0, maxNamed),
      },
    }),
  };
}

/** Records that these orders were acknowledged at a board; other stores' orders are ignored. */
async function markHeard(tx: Tx, storeId: string, orderIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into order_watches (order_id, heard_at)
    select id, ${now} from ${filterOrdersOfStoreSql(storeId, orderIds)} as orders order by id
    on conflict (order_id) do update set heard_at = excluded.heard_at`.execute(tx);
}

export const watchDomain = {
  name: 'watch',
  calls: [endpointRegistration(watchEndpoints, watchHandlers)],
  mailExamples: createWatchMailExamples,
  routes: (http: FastifyInstance, services: MetricsServices) => serveMetricsOnShopPort(http, services),
  async start(services: WatchServices & MetricsServices & { disk: DiskMonitor }, parts: ServerParts) {
    parts.add('disk', startDiskChecks(services, services.disk));
    await serveMetricsOnOwnPort(services, parts);
  },
  work: (services: WatchServices) => createWatchDueWork(services),
};
