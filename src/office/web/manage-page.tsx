import { m } from '#messages';
import { openStatuses } from '#ordering/order-status.ts';
import { api } from '#platform/web/api.ts';
import type { StaffStore } from '#store/contract.ts';
import { ManagePage as Settings } from '#store/web/manage/manage-page.tsx';

/** The settings of a shop, which say how many orders are open before they close it. */
export function ManagePage({ store }: { store: StaffStore }) {
  return <Settings store={store} openOrderWords={() => openOrderWords(store.id)} />;
}

async function openOrderWords(storeId: string): Promise<string> {
  const wanted = { store_id: storeId, status: openStatuses.join(), per_page: 1 };
  const { meta } = await api('GET /v1/orders', wanted, { timeout: 5_000 });
  return meta.total === 0 ? '' : m.office_open_orders({ count: meta.total });
}
