import type { StoreChangeCall, StoreChangeServices } from '#store/server/change-store.ts';
import { setAutomaticPause } from '#store/server/store-views.ts';

export async function resumeRestoredStores(services: StoreChangeServices, call: StoreChangeCall): Promise<void> {
  const stores = await call.db
    .selectFrom('stores')
    .select('id')
    .where('pause_cause', '=', 'restored')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of stores) await setAutomaticPause(services, call, id, { until: null, cause: null });
}
