import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import { loadOrders, presentOrder, type WholeOrder } from '#ordering/server/present-order.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import { relationTo } from '#ordering/server/relation.ts';
import type { payment } from '#payment/contract.ts';
import type { Refund } from '#payment/refund.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { listPayments, listRefunds, readOrderPayments } from '#payment/server/read-payments.ts';
import { refundOrder } from '#payment/server/refund-order.ts';
import { presentRefund, selectRefunds } from '#payment/server/refund-rows.ts';
import { retryRefund } from '#payment/server/settle-refund.ts';
import { AppError } from '#platform/errors.ts';
import { Answer } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import type { PaymentHandlerServices } from '#payment/server/services.ts';

export function paymentHandlers(
  services: Pick<PaymentHandlerServices, 'jobs' | 'menus' | 'now' | 'orderParts' | 'outbox' | 'payments'>,
): Handlers<typeof payment, Db, Tx> {
  const { orderParts, payments, outbox } = services;
  return {
    'POST /v1/orders/{id}/payment/reconcile': async ({ db, params, viewer, secret, now, audit }) => {
      const before = await readOrder(db, orderParts, params.id);
      const relation = relationTo(before.row, viewer, secret);
      if (relation === 'stranger') {
        throw viewer.role === 'guest'
          ? new AppError('unauthenticated', 'Unauthenticated.')
          : new AppError('forbidden', m.platform_forbidden());
      }
      await payments.reconcile(params.id);
      if (relation === 'staff') {
        await inTransaction(db, (tx) => audit(tx, { data: { store_id: before.row.store_id } }));
      }
      const role = relation === 'staff' ? viewer.role : 'customer';
      return {
        data: presentOrder(await readOrder(db, orderParts, params.id), role, now, {
          withSession: relation === 'owner',
        }),
      };
    },

    'GET /v1/orders/{id}/payments': async ({ db, params, viewer }) => {
      await refuseOtherStaff(db, params.id, viewer);
      return { data: await readOrderPayments(db, params.id) };
    },

    'POST /v1/orders/{id}/refunds': async ({ db, params, body, viewer, afterCommit }) => {
      const { key, amount, lines, reason } = body;
      const { id, isNew } = await refundOrder(db, services, {
        orderId: params.id,
        key,
        wanted: amount === undefined ? { lines: lines ?? [] } : { amount },
        reason,
        actor: viewer.name,
        actorId: viewer.id,
      });
      afterCommit(outbox.wake);
      return new Answer(isNew ? 201 : 200, { data: await readRefund(db, id) });
    },

    'POST /v1/orders/{id}/payment/mark-paid': async ({ db, params, body, viewer, afterCommit }) => {
      await refuseOtherStaff(db, params.id, viewer);
      await markPaid(db, services, { orderId: params.id, method: body.payment_method, viewer });
      afterCommit(outbox.wake);
      return { data: await readOrderPayments(db, params.id) };
    },

    'GET /v1/payments': ({ db, query }) => listPayments(db, query),
    'GET /v1/refunds': ({ db, query }) => listRefunds(db, query),

    'POST /v1/refunds/{id}/retry': async ({ db, params, body, viewer, afterCommit }) => {
      await retryRefund(db, services, { id: params.id, by: body.by, actor: viewer.name, actorId: viewer.id });
      afterCommit(outbox.wake);
      return { data: await readRefund(db, params.id) };
    },

    'POST /v1/payments/webhooks/{provider}': async ({ params, rawBody, header }) => {
      await payments.receiveWebhook(params.provider, rawBody, header);
      return { received: true };
    },
  };
}

async function refuseOtherStaff(db: Db, orderId: string, viewer: Viewer): Promise<void> {
  const order = await findOrder(db, orderId);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  if (!isStaffOf(viewer, order.store_id)) throw new AppError('forbidden', m.platform_forbidden());
}

async function readRefund(db: Db, id: string): Promise<Refund> {
  return presentRefund(await selectRefunds(db).where('refunds.id', '=', id).executeTakeFirstOrThrow());
}

async function readOrder(db: Db, parts: OrderParts, id: string): Promise<WholeOrder> {
  const [order] = await loadOrders(db, parts, [id]);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  return order;
}
