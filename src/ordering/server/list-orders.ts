import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { ordering } from '#ordering/contract.ts';
import { readWanted } from '#ordering/find-orders.ts';
import { lost } from '#ordering/order-status.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import { AppError } from '#platform/errors.ts';
import type { Call } from '#platform/http/serve.ts';
import { isStaff, isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';
import { m } from '#messages';
import type { OrderServices } from '#ordering/server/services.ts';

type ListCall = Call<'GET /v1/orders', (typeof ordering)['GET /v1/orders'], Db>;

/**
 * Orders, newest first: a customer's own, those of a store_admin's stores, or all for an admin. `start_date` and `end_date` are
 * trading days, both included; `readWanted` interprets `search`.
 */
export async function listOrders(
  { menus, orderParts }: Pick<OrderServices, 'menus' | 'orderParts'>,
  { db, query, viewer, now }: ListCall,
) {
  let orders = db
    .selectFrom('orders')
    .select(['orders.id'])
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc');
  if (!isStaff(viewer)) orders = orders.where('customer_id', '=', viewer.id);
  else if (viewer.role === 'store_admin') {
    if (query.store_id && !isStaffOf(viewer, query.store_id)) throw new AppError('forbidden', m.platform_forbidden());
    if (viewer.scopes.length === 0) orders = orders.where((eb) => eb.lit(false));
    else orders = orders.where('store_id', 'in', viewer.scopes);
  }
  if (query.store_id) orders = orders.where('store_id', '=', query.store_id);
  if (query.customer_id) orders = orders.where('customer_id', '=', query.customer_id);
  if (query.start_date) orders = orders.where('trading_day', '>=', query.start_date);
  if (query.end_date) orders = orders.where('trading_day', '<=', query.end_date);
  if (query.status) orders = orders.where('status', 'in', query.status);
  if (query.lost === '1') orders = orders.where(isLost);
  if (query.search) orders = orders.where(matches(query.search));
  return readPage('/v1/orders', query, orders, async (rows: { id: string }[]) => {
    const whole = await loadOrders(
      db,
      orderParts,
      rows.map(({ id }) => id),
    );
    return Promise.all(
      whole.map(async (order) => {
        const isTheirs = isStaffOf(viewer, order.row.store_id);
        const shown = presentOrder(order, isTheirs ? viewer.role : 'customer', now, {
          withSession: !isTheirs,
          readerId: viewer.id,
        });
        const shop = query.include.includes('store') ? await menus.shop(order.row.store_id) : null;
        return shop ? { ...shown, store: shop.store } : shown;
      }),
    );
  });
}

/** In the same form as the index, so that the index is used. */
const isLost = sql<boolean>`orders.status = ${sql.lit(lost.status)} and orders.reject_reason = ${sql.lit(lost.reject_reason)} and orders.followed_up is ${sql.lit(lost.followed_up)}`;

function matches(search: string) {
  const { text, number, digits } = readWanted(search);
  const any = [sql<boolean>`orders.contact->>'name' ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`];
  if (number !== null) any.push(sql<boolean>`orders.number = ${number}`);
  if (digits !== null) {
    any.push(
      sql<boolean>`regexp_replace(regexp_replace(orders.contact->>'phone', '\\D', '', 'g'), '^(0044|44|0)', '') like ${`%${digits}%`}`,
    );
  }
  return sql<boolean>`(${sql.join(any, sql` or `)})`;
}
