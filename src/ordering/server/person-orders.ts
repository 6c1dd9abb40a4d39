import type { PersonOrders } from '#accounts/server/services.ts';
import { unendedStatuses } from '#ordering/order-status.ts';
import { eraseUser } from '#ordering/server/change-orders.ts';
import { forgetOrders } from '#ordering/server/forget-orders.ts';
import type { OrderOwed, OrderPrints } from '#ordering/server/services.ts';
import { ordersOfCustomer } from '#ordering/server/order-views.ts';

/** The operations on orders, and on how they are paid, for forgetting a person. */
export function createPersonOrders(prints: OrderPrints, owed: Pick<OrderOwed, 'forgetCustomer'>): PersonOrders {
  return {
    async hasOpen(tx, userId) {
      const found = await tx
        .selectFrom('orders')
        .select('id')
        .where('customer_id', '=', userId)
        .where('status', 'in', unendedStatuses)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
    async forget(tx, userId) {
      await forgetOrders(tx, prints, await ordersOfCustomer(tx, userId));
      await eraseUser(tx, userId);
      await owed.forgetCustomer(tx, userId);
    },
  };
}
