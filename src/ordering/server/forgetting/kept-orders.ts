import { m } from '#messages';
import { namesOf } from '#database/audit.ts';
import type { Db, Tx } from '#database/schema.ts';
import { unendedStatuses } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { eraseUser } from '#ordering/server/change-orders.ts';
import { type ForgetServices, forgetElsewhere, forgetOrders } from '#ordering/server/forgetting/forget-orders.ts';
import { ordersOfCustomer } from '#ordering/server/order-views.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import { AppError } from '#platform/errors.ts';

interface Person {
  id: string;
}

interface NamedPerson extends Person {
  name: string;
  phone: string;
  email: string;
}

/** A person's orders, newest first, for their export. */
export function readKeptOrders(parts: OrderParts) {
  return {
    orders: async (db: Db, { user, now }: { user: Person; now: Date }): Promise<Order[]> => {
      const orders = await loadOrders(db, parts, await ordersOfCustomer(db, user.id));
      return orders.map((order) => presentOrder(order, 'customer', now, { withSession: true, readerId: user.id }));
    },
  };
}

/** How a person is removed from their orders, which stay as sales: lines, prices and times. */
export function eraseKeptOrders(services: ForgetServices) {
  return {
    /** Throws 409 `conflict` while one of them is open. */
    async refuse(tx: Tx, { id }: Person): Promise<void> {
      const open = await tx
        .selectFrom('orders')
        .select('id')
        .where('customer_id', '=', id)
        .where('status', 'in', unendedStatuses)
        .limit(1)
        .executeTakeFirst();
      if (open) throw new AppError('conflict', m.ordering_open_for_account());
    },
    async erase(tx: Tx, { id, ...named }: NamedPerson): Promise<void> {
      const ids = await ordersOfCustomer(tx, id);
      await forgetElsewhere(tx, services, ids, namesOf([named]));
      await forgetOrders(tx, services, ids);
      await eraseUser(tx, id);
    },
  };
}
