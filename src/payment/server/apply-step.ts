import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '#database/schema.ts';
import { isHoldEnded, mayPay } from '#ordering/payment-status.ts';
import { changeMoney, lockKnownOrder } from '#ordering/server/change-orders.ts';
import { moveOrder } from '#ordering/server/move-order.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { oweMail } from '#ordering/server/mails/send-order-mails.ts';
import { nextSteps } from '#payment/next-steps.ts';
import {
  capturedOf,
  withFailures,
  followProvider,
  lateMoney,
  type PaymentStep,
  type ProviderPayment,
} from '#payment/payment-state.ts';
import { oweBankEntries } from '#payment/server/bank/owe-bank-entries.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { tellOfFailedCapture } from '#payment/server/alert-capture.ts';
import { factsOf, newRefundId, takeSteps } from '#payment/server/ledger.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { failedThere, noteMovements } from '#payment/server/movements.ts';
import { owe, type PaymentRow } from '#payment/server/owed.ts';
import type { PaymentMethod } from '#store/contract.ts';

/**
 * Writes the changes found at the provider: the payment, its movements of money, its refunds, its order, and the work
 * that follows. `settled` is the refund that the provider has just made.
 */
export async function applySeen(
  tx: Tx,
  { services }: PaymentContext,
  { order, payment, isLatest }: LockedPayment,
  found: ProviderPayment,
  settled?: string,
): Promise<void> {
  const now = services.now();
  const seen = withFailures(found, await failedThere(tx, payment.id));
  const known = knownAfter(payment, seen);
  const facts = { ...payment, isLatest };
  const step = followProvider(facts, order, seen);
  await noteMovements(tx, payment, seen, now);
  const arrived = { order: { ...order, payment_status: step.orderPayment ?? order.payment_status }, payment, isLatest };
  const isSame = step.status === payment.status && step.owed === payment.owed;
  const decided = nextSteps(await factsOf(tx, arrived), { step, seen, settled, isNew: !isSame }, newRefundId);
  // An order that is only placed now has its refunds afterwards.
  const afterRefunds = step.isPlacing ? null : decided.money;
  if (!step.isPlacing) await takeSteps(tx, services, order, decided.steps);
  if (step.status === 'captured' || step.status === 'refunded') {
    const isMoved = step.status !== payment.status || afterRefunds;
    if (isMoved) await oweBankEntries(tx, services.jobs, payment);
  }
  if (isSame) {
    if (!isDeepStrictEqual({ ...payment, ...known }, payment)) {
      await tx.updateTable('payments').set(known).where('id', '=', payment.id).execute();
    }
    // What is shown of an order that is not paid changes with it.
    const isNews = mayPay(order) && known.is_processing !== payment.is_processing;
    if (afterRefunds || isNews) await changeMoney(tx, services.outbox, order, afterRefunds ?? {});
    return;
  }
  if (step.failure === 'wrong_amount') {
    services.log.error(
      { payment: payment.id, expected: payment.amount, seen: seen.amount },
      'payment of a wrong amount',
    );
  }
  await tx
    .updateTable('payments')
    .set({
      ...known,
      status: step.status,
      failure: step.failure,
      owed: step.owed,
      check_at: step.owed === null && step.status !== 'pending' ? null : payment.check_at,
      updated_at: now,
    })
    .where('id', '=', payment.id)
    .execute();
  if (step.owed === 'release' && payment.owed !== 'release') await owe(tx, services.jobs, payment, 'release', now);
  // Somebody cancelled the hold at the provider.
  if (payment.owed === 'capture' && step.orderPayment === 'failed') await tellOfFailedCapture(tx, services, order);
  const late = lateMoney(facts, step);
  if (late) await oweMail(tx, order, late === 'held' ? 'late_hold' : 'late_charge', { now });
  if (step.isPlacing) {
    await place(tx, services, order, { ...step, heldUntil: known.held_until }, now);
    const placed = await lockKnownOrder(tx, order.id);
    await takeSteps(tx, services, placed, decided.steps);
    if (decided.money) await changeMoney(tx, services.outbox, placed, decided.money);
  } else if (step.orderPayment || afterRefunds) {
    const said = step.orderPayment && { payment_status: step.orderPayment };
    // Some of what has just been paid may have been refunded already.
    const money = step.orderPayment === 'paid' ? { ...said, ...afterRefunds } : { ...afterRefunds, ...said };
    await changeMoney(tx, services.outbox, order, money);
  } else if (payment.is_processing) {
    // The page of an order that was called off says so no longer.
    await changeMoney(tx, services.outbox, order, {});
  }
}

/**
 * What the payment's row says of the money there. Throws if the reference leads to the money of another payment, of
 * which nothing may be applied here.
 */
function knownAfter(payment: PaymentRow, seen: ProviderPayment) {
  if (seen.paymentId !== undefined && seen.paymentId !== payment.id) {
    throw new Error(`${payment.reference} is payment ${seen.paymentId}, not ${payment.id}`);
  }
  return {
    intent: seen.intent ?? payment.intent,
    method: seen.method ?? payment.method,
    is_processing: seen.isProcessing ?? false,
    held_until: seen.heldUntil ?? payment.held_until,
    captured: capturedOf(seen) || payment.captured,
  };
}

/** Moves a pending order to placed, and on to accepted if the shop accepts automatically. */
export async function place(
  tx: Tx,
  services: PaymentContext['services'],
  order: OrderRow,
  {
    orderPayment,
    method,
    heldUntil = null,
  }: Pick<PaymentStep, 'orderPayment'> & {
    method?: PaymentMethod;
    heldUntil?: Date | null;
  },
  now: Date,
): Promise<void> {
  const bySystem = { orderId: order.id, actor: 'system', actorName: 'system', actorId: null, now } as const;
  await moveOrder(tx, services, {
    ...bySystem,
    call: 'authorised',
    paymentStatus: orderPayment ?? 'unpaid',
    ...(method && { paymentMethod: method }),
  });
  const shop = await services.menus.store(tx, order.store_id);
  if (shop?.store.auto_accept && !isHoldEnded(heldUntil, now))
    await moveOrder(tx, services, { ...bySystem, call: 'accept' });
}
