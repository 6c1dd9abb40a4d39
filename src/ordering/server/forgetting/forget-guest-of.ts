import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { removeForgottenFiles } from '#mail/server/keep-mail.ts';
import type { ordering } from '#ordering/contract.ts';
import { lockOrder, showForgotten } from '#ordering/server/change-orders.ts';
import { forgetNames } from '#ordering/server/forgetting/forget-names.ts';
import { forgetElsewhere, forgetOrders } from '#ordering/server/forgetting/forget-orders.ts';
import { doneStatuses } from '#ordering/order-status.ts';
import { present, readOrder } from '#ordering/server/order-calls.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { CallTo } from '#platform/http/serve.ts';

type Services = Pick<OrderServices, 'config' | 'db' | 'orderParts' | 'outbox' | 'owed' | 'prints'>;

/** Removes a guest from one order, for good; a second time changes nothing. Throws 409 while it is open, or of an account. */
export async function forgetGuestOf(
  services: Services,
  call: CallTo<typeof ordering, 'POST /v1/orders/{id}/forget', Db, Tx>,
) {
  const { db, params, now, afterCommit } = call;
  const order = await lockOrder(db, params.id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  if (order.customer_id !== null) throw new AppError('conflict', m.ordering_forget_account());
  if (!doneStatuses.includes(order.status)) throw new AppError('conflict', m.ordering_forget_open());
  if (order.forgotten_at === null) {
    await forgetElsewhere(db, services, [order.id]);
    await forgetOrders(db, services, [order.id]);
    await showForgotten(db, services.outbox, order, now);
    afterCommit(async () => {
      await forgetNames(services.db);
      await removeForgottenFiles(services);
    });
  }
  return { data: present(await readOrder(services.orderParts, db, order.id), call, 'staff') };
}
