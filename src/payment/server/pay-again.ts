import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { type HistoryActor, lockReferencedOrder, changeMoneyWithHistory } from '#ordering/server/change-orders.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { isCalledOff, isAwaitingPayment } from '#ordering/order-status.ts';
import { mayPayOnline } from '#ordering/payment-status.ts';
import { placePendingOrder } from '#ordering/server/apply-order-call.ts';
import { reconcilePayment } from '#payment/server/reconcile.ts';
import { beginPayment, orderNotPendingError } from '#payment/server/begin-payment.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { closePaymentPages, releaseOrderPayments } from '#payment/server/owed-calls.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import type { PaymentMethod } from '#store/contract.ts';

/**
 * Begins another attempt to pay a pending order, or an accepted order whose card was refused. `card`: opens a payment
 * page, unless one is open. `cash`: releases the card payment, and places a pending order; an accepted order stays
 * unpaid until the handover. Does nothing if the earlier payment arrived after all. Throws `illegal_transition` when
 * the order waits for no payment, 422 on `payment_method`, `payment_unavailable` when the provider opens no page.
 */
export async function payAgain(
  context: PaymentContext,
  orderId: string,
  method: PaymentMethod,
  by: HistoryActor = { actor: 'customer', actorId: null },
): Promise<void> {
  const before = await readOrder(context, orderId);
  if (isPaidBy(before, method)) return;
  if (!mayPayOnline(before)) throw orderNotPendingError(before);
  await reconcilePayment(context, orderId).catch((error: unknown) => {
    // An unavailable provider must not prevent paying in cash. For a card, `beginPayment` below throws the error.
    context.services.log.warn({ err: error, order: orderId }, 'payment not reconciled before paying again');
  });
  if (!mayPayOnline(await readOrder(context, orderId))) return;
  if (method === 'card') await beginPayment(context, orderId);
  else await payInCash(context, orderId, by);
}

async function payInCash(context: PaymentContext, orderId: string, by: HistoryActor): Promise<void> {
  const { services } = context;
  await changeWithEffects(services, async (tx, afterCommit) => {
    const order = await lockReferencedOrder(tx, orderId);
    if (!mayPayOnline(order)) {
      if (isPaidBy(order, 'cash')) return;
      throw orderNotPendingError(order);
    }
    await refuseCash(tx, context, order);
    if (isAwaitingPayment(order.status)) await placeAsCash(tx, context, order);
    else await leaveToHandover(tx, context, order, by);
    afterCommit(services.outbox.wake);
  });
}

async function placeAsCash(tx: Tx, { services }: PaymentContext, order: OrderRow): Promise<void> {
  const now = services.now();
  await releaseOrderPayments(tx, services.jobs, order.id, now);
  await placePendingOrder(tx, services, order, { orderPayment: 'unpaid', method: 'cash' }, now);
}

/** Lets an accepted order continue unpaid; the customer pays at the handover. */
async function leaveToHandover(tx: Tx, { services }: PaymentContext, order: OrderRow, by: HistoryActor): Promise<void> {
  const now = services.now();
  await closePaymentPages(tx, services.jobs, order.id, now);
  await changeMoneyWithHistory(tx, services.outbox, order, {
    set: { payment_status: 'unpaid', payment_method: 'cash' },
    by,
    note: { kind: 'cash_instead' },
    at: now,
  });
}

async function refuseCash(tx: Tx, { services }: PaymentContext, order: OrderRow): Promise<void> {
  const shop = await services.menus.store(tx, order.store_id);
  if (!shop?.store.payment_methods[order.fulfilment_type].includes('cash')) {
    throw invalidFieldError('payment_method', m.ordering_cash_unavailable());
  }
  const { cash_max: most, currency } = shop.store;
  if (most !== null && order.total > most) {
    throw invalidFieldError('payment_method', m.ordering_cash_limit({ amount: formatMoney(most, currency) }));
  }
}

/**
 * Whether a call to pay by `method` has nothing to do: the order is paid, or has this payment method already. Examples
 * are a double click on "pay cash", and a card's money that arrived in the meantime.
 */
function isPaidBy({ status, payment_status: money, payment_method: chosen }: OrderRow, method: PaymentMethod): boolean {
  if (isAwaitingPayment(status) || isCalledOff(status) || money === 'failed') return false;
  return chosen === method || money !== 'unpaid';
}

async function readOrder({ services }: PaymentContext, id: string): Promise<OrderRow> {
  const order = await findOrder(services.db, id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  return order;
}
