import { openStatuses } from '#ordering/order-status.ts';
import { api } from '#platform/web/api.ts';
import type { CountOpenOrders } from '#store/web/open-orders.ts';

export const countOpenOrders: CountOpenOrders = async (storeId) => {
  const wanted = { store_id: storeId, status: openStatuses.join(), per_page: 1 };
  const { meta } = await api('GET /v1/orders', wanted, { timeout: 5_000 });
  return meta.total;
};
