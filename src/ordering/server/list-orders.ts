import type { Db } from '#database/schema.ts';
import type { ordering } from '#ordering/contract.ts';
import { pageOfOrders, type OrdersWanted } from '#ordering/server/page-of-orders.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import { readWords } from '#ordering/server/search-orders.ts';
import { AppError } from '#platform/errors.ts';
import type { Call } from '#platform/http/serve.ts';
import { isStaff, isStaffOf } from '#platform/http/viewer.ts';
import { envelope } from '#database/read-page.ts';
import { m } from '#messages';
import type { OrderServices } from '#ordering/server/services.ts';
import { everyStoreId, theseStores } from '#store/server/store-views.ts';

type ListCall = Call<'GET /v1/orders', (typeof ordering)['GET /v1/orders'], Db>;

/**
 * Orders, newest first: a customer's own, those of a store_admin's stores, or all for an admin. `start_date` and `end_date` are
 * trading days, both included; `readWanted` interprets `search`.
 */
export async function listOrders(
  { menus, orderParts }: Pick<OrderServices, 'menus' | 'orderParts'>,
  { db, query, viewer, now }: ListCall,
) {
  const words = await readWords(db, query.search, now);
  const { ids, next, ...total } = await pageOfOrders(db, { ...wantedBy(query, viewer), words }, query);
  const whole = await loadOrders(db, orderParts, ids);
  const shown = await Promise.all(
    whole.map(async (order) => {
      const isTheirs = isStaffOf(viewer, order.row.store_id);
      const presented = presentOrder(order, isTheirs ? viewer.role : 'customer', now, {
        withSession: !isTheirs,
        readerId: viewer.id,
      });
      const shop = query.include.includes('store') ? await menus.shop(order.row.store_id) : null;
      return shop ? { ...presented, store: shop.store } : presented;
    }),
  );
  const page = envelope('/v1/orders', query, total, shown, next);
  return { ...page, meta: { ...page.meta, searched_days: words?.reach.days ?? null } };
}

/** Throws 403 if staff ask for another store than their own. */
function wantedBy(query: ListCall['query'], viewer: ListCall['viewer']): OrdersWanted {
  const { store_id: storeId } = query;
  const wanted = {
    customerId: query.customer_id,
    from: query.start_date,
    to: query.end_date,
    statuses: query.status,
    isLost: query.lost === '1',
    isNotPaid: query.not_paid === '1',
  };
  if (!isStaff(viewer)) {
    // An account's own orders, and none if another one's are asked for.
    const stores = query.customer_id && query.customer_id !== viewer.id ? [] : storeId ? [storeId] : null;
    return { ...wanted, customerId: viewer.id ?? undefined, stores: stores && theseStores(stores) };
  }
  if (viewer.role === 'store_admin') {
    if (storeId && !isStaffOf(viewer, storeId)) throw new AppError('forbidden', m.platform_forbidden());
    return { ...wanted, stores: theseStores(storeId ? [storeId] : viewer.scopes) };
  }
  return { ...wanted, stores: storeId ? theseStores([storeId]) : everyStoreId };
}
