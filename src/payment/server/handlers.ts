import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import {
  runCallOnce,
  idempotentCallOf,
  type OrderCallInput,
  presentOrderFor,
  readOrder,
  orderAccessRefusal,
  relationToOrder,
} from '#ordering/server/order-calls.ts';
import type { HistoryActor } from '#ordering/server/change-orders.ts';
import type { paymentEndpoints } from '#payment/contract.ts';
import type { Refund } from '#payment/refund.ts';
import { paymentSetupHandlers } from '#payment/server/keys/setup-handlers.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { listDisputes } from '#payment/server/bank/read-disputes.ts';
import { listPayouts, readPayoutContent } from '#payment/server/bank/read-payouts.ts';
import { runPaymentChecks } from '#payment/server/journal/compare-orders.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import {
  listPayments,
  listRefunds,
  presentRefunds,
  readOrderPayments,
  selectRefunds,
} from '#payment/server/read-payments.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { AppError } from '#platform/errors.ts';
import { AnswerWithStatus } from '#platform/http/answer.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import type { PaymentHandlerServices } from '#payment/server/services.ts';

type Services = Pick<
  PaymentHandlerServices,
  'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'orderParts' | 'outbox' | 'payments' | 'prints'
> &
  KeyServices;
type PaymentCall<K extends keyof typeof paymentEndpoints> = HandlerInput<typeof paymentEndpoints, K, Db, Tx>;

export function paymentHandlers(services: Services): Handlers<typeof paymentEndpoints, Db, Tx> {
  const { menus, outbox, payments } = services;
  return {
    ...paymentSetupHandlers(services),

    'POST /v1/orders/{id}/payment/reconcile': (call) => reconcile(services, call),
    'POST /v1/orders/{id}/pay': (call) => pay(services, call),

    'GET /v1/stores/{id}/wallets': async ({ params }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      const { card_provider: provider } = shop.store;
      return { data: provider === null ? [] : [...(await payments.wallets(provider))] };
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
      return new AnswerWithStatus(isNew ? 201 : 200, { data: await readRefund(db, id) });
    },

    'POST /v1/orders/{id}/payment/mark-paid': async ({ db, params, body, viewer, afterCommit }) => {
      await refuseOtherStaff(db, params.id, viewer);
      await markPaid(db, services, { orderId: params.id, method: body.payment_method, viewer });
      afterCommit(outbox.wake);
      return { data: await readOrderPayments(db, params.id) };
    },

    'GET /v1/payments': ({ db, query, now }) => listPayments(db, query, now),
    'GET /v1/payments/checks': async ({ db, query, now }) => ({
      data: await runPaymentChecks(db, now, query.store_id),
    }),
    'GET /v1/refunds': ({ db, query }) => listRefunds(db, query),

    'GET /v1/payouts': ({ db, query }) => listPayouts(db, query),
    'GET /v1/payouts/{payout}': async ({ db, params }) => ({ data: await readPayoutContent(db, params.payout) }),
    'GET /v1/disputes': ({ db, query }) => listDisputes(db, query),

    'POST /v1/refunds/{id}/retry': async ({ db, params, body, viewer, afterCommit }) => {
      const request = { id: params.id, by: body.by, actor: viewer.name, actorId: viewer.id };
      const made = await retryRefund(db, services, request);
      afterCommit(outbox.wake);
      return { data: await readRefund(db, made) };
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
  const [refund] = await presentRefunds(db, await selectRefunds(db).where('refunds.id', '=', id).execute());
  if (!refund) throw new AppError('not_found', m.platform_not_found());
  return refund;
}

async function reconcile(services: Services, call: PaymentCall<'POST /v1/orders/{id}/payment/reconcile'>) {
  const { db, audit } = call;
  const { row, relation } = await readOwn(services, call);
  await services.payments.reconcile(row.id, relation === 'staff');
  if (relation === 'staff') await inTransaction(db, (tx) => audit(tx, { data: { store_id: row.store_id } }));
  return { data: presentOrderFor(await readOrder(services.orderParts, db, row.id), call, relation) };
}

async function pay(services: Services, call: PaymentCall<'POST /v1/orders/{id}/pay'>) {
  const { order, row, relation } = await readOwn(services, call);
  await runCallOnce(
    call.db,
    idempotentCallOf(call, order, 'pay'),
    () => services.payments.payAgain(row.id, call.body.payment_method, payerOf(call.viewer, relation)),
    (tx) => call.audit(tx, { data: { store_id: row.store_id } }),
  );
  call.afterCommit(services.outbox.wake);
  return { data: presentOrderFor(await readOrder(services.orderParts, call.db, row.id), call, relation) };
}

/**
 * The actor for the order's history. For a customer the actor is `customer`, because the customer's name is a field of
 * the order.
 */
function payerOf(viewer: Viewer, relation: 'staff' | 'owner'): HistoryActor {
  return relation === 'staff' ? { actor: viewer.name, actorId: viewer.id } : { actor: 'customer', actorId: viewer.id };
}

/**
 * Reads the order of a call. Throws unless the caller is the order's customer, holds its session, or is staff of its
 * store.
 */
async function readOwn({ orderParts }: Services, call: OrderCallInput & { params: { id: string } }) {
  const order = await readOrder(orderParts, call.db, call.params.id);
  const relation = relationToOrder(order.row, call.viewer, call.secret);
  if (relation === 'stranger') throw orderAccessRefusal(call);
  return { order, row: order.row, relation };
}
