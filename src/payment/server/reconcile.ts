import type { Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import {
  capturedAmountOf,
  applyProviderState,
  latePaymentStateOfStep,
  type PaymentStep,
  type ProviderPayment,
  markKnownFailedRefunds,
} from '#payment/payment-state.ts';
import { refreshPaymentDisputes } from '#payment/server/bank/refresh-bank.ts';
import { checkWebhookEndpointsSoon } from '#payment/server/keys/watch-keys.ts';
import {
  firstPaymentCheckDelayMs,
  type LockedPayment,
  lockPayment,
  queueOwedCall,
  type PaymentRow,
  updatePayment,
} from '#payment/server/owed-calls.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { ProviderRefusal } from '#payment/server/provider.ts';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { mayPayOnline } from '#ordering/payment-status.ts';
import { changeOrderMoney } from '#ordering/server/change-orders.ts';
import { placePendingOrder } from '#ordering/server/apply-order-call.ts';
import { queueOrderMail } from '#ordering/server/mails/send-order-mails.ts';
import { newMovements, findFailedRefundIds } from '#payment/movements.ts';
import { nextRefundSteps } from '#payment/refund-steps.ts';
import { addMovements, readMovements } from '#payment/server/journal/chains.ts';
import { queueBankEntriesRead } from '#payment/server/bank/save-entries.ts';
import { announceFailedCapture } from '#payment/server/alerts.ts';
import { readRefundFacts, createRefundId, applyRefundSteps } from '#payment/server/ledger.ts';

/**
 * The payments that events are about. The keys are the shop's payment ids; the values are the provider's ids that the
 * events name.
 */
export type EventReferences = ReadonlyMap<string, readonly string[]>;

/**
 * Applies the provider's present state of an order's payments; webhooks, the return page, the sweep and staff all use
 * this function. Asks about pending, authorised, captured and `named` payments, and those that owe a call. If
 * `isWhole`, asks about all payments and their disputes. The order is locked only after the provider's answers, so that
 * a slow provider blocks nobody. A stale answer reverts nothing.
 */
export async function reconcilePayment(
  context: PaymentContext,
  orderId: string,
  { named = new Map(), isWhole = false }: { named?: EventReferences; isWhole?: boolean } = {},
): Promise<void> {
  const { db, now, outbox } = context.services;
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .where(
      sql<boolean>`(${isWhole} or status in ('pending', 'authorised', 'captured') or owed is not null
        or id = any(${[...named.keys()]}::uuid[]))`,
    )
    .orderBy('id')
    .execute();
  const seen: Seen[] = [];
  for (const payment of payments) {
    const found = await fetchFromProvider(context, payment, named.get(payment.id) ?? []);
    if (found) seen.push(found);
  }
  await changeWithEffects(context.services, async (tx, afterCommit) => {
    afterCommit(outbox.wake);
    for (const { payment, is, reference } of seen) {
      const locked = await adoptReference(tx, await lockPayment(tx, payment), reference, now());
      if (locked) await applyProviderAnswer(tx, context, locked, is);
    }
  });
  if (named.size === 0) await checkWebhookEndpointsSoon(context.services, keySetsOfFirstAnswers(seen));
  if (!isWhole) return;
  for (const { payment, is } of seen) await refreshPaymentDisputes(context, payment, is);
}

/** The key sets of the payments that were pending until the provider gave these answers. */
function keySetsOfFirstAnswers(seen: readonly Seen[]): string[] {
  return seen.flatMap(({ payment, is }) =>
    payment.status === 'pending' && is.state !== 'open' && payment.key_set !== null ? [payment.key_set] : [],
  );
}

interface Seen {
  payment: PaymentRow;
  reference: string;
  is: ProviderPayment;
}

/**
 * Asks the provider about a payment. If the payment has no reference, the function tries the `references` of events,
 * and takes the one at which the provider stores this payment's id.
 */
async function fetchFromProvider(
  context: PaymentContext,
  payment: PaymentRow,
  references: readonly string[],
): Promise<Seen | null> {
  const provider = context.providerOf(payment);
  if (payment.reference !== null) {
    return { payment, reference: payment.reference, is: await provider.fetch(payment.reference) };
  }
  for (const reference of references) {
    try {
      const is = await provider.fetch(reference);
      if (is.paymentId === payment.id) return { payment, reference, is };
      context.services.log.error({ payment: payment.id, reference }, 'a message named a payment that is not its own');
    } catch (error) {
      // A reference from an event may be the payment's intent, which `fetch` refuses.
      if (!(error instanceof ProviderRefusal)) throw error;
    }
  }
  return null;
}

/**
 * Stores the provider's reference in a payment that lacks it. A payment lacks it if an event arrives before the answer
 * to the checkout call. Returns null if the payment has another reference.
 */
async function adoptReference(
  tx: Tx,
  locked: LockedPayment,
  reference: string,
  now: Date,
): Promise<LockedPayment | null> {
  const { payment } = locked;
  if (payment.reference !== null) return payment.reference === reference ? locked : null;
  const isFinished = payment.status !== 'pending' && payment.owed === null;
  const checkAt = isFinished ? null : (payment.check_at ?? new Date(now.getTime() + firstPaymentCheckDelayMs));
  const adopted = { reference, check_at: checkAt };
  await updatePayment(tx, payment.id, adopted);
  return { ...locked, payment: { ...payment, ...adopted } };
}

/**
 * Writes the changes that the provider's answer causes. `settled`: the id of the refund that the provider has just
 * made.
 */
export async function applyProviderAnswer(
  tx: Tx,
  { services }: PaymentContext,
  locked: LockedPayment,
  found: ProviderPayment,
  settled?: string,
): Promise<void> {
  const { order, payment, isLatest } = locked;
  const moved = await readMovements(tx, payment.id);
  const seen = markKnownFailedRefunds(found, findFailedRefundIds(moved));
  const known = knownAfter(payment, seen);
  const step = applyProviderState({ ...payment, isLatest }, order, seen);
  await addMovements(tx, payment, newMovements(moved, seen, known.intent ?? payment.reference), services.now());
  const arrived = { order: { ...order, payment_status: step.orderPayment ?? order.payment_status }, payment, isLatest };
  const isNew = step.status !== payment.status || step.owed !== payment.owed;
  const decided = nextRefundSteps(await readRefundFacts(tx, arrived), { step, seen, settled, isNew }, createRefundId);
  const change = isNew ? { ...known, ...stateAfter(payment, step, services.now()) } : known;
  if (!isDeepStrictEqual({ ...payment, ...change }, payment)) await updatePayment(tx, payment.id, change);
  if (isNew) await followUp(tx, services, locked, step, seen);
  const placing = { ...step, heldUntil: known.held_until };
  const now = step.isPlacing ? await placePendingOrder(tx, services, order, placing, services.now()) : order;
  await applyRefundSteps(tx, services, now, decided.steps);
  const money = moneyOf(step, decided);
  if (money || isShown(locked, step, isNew, known)) await changeOrderMoney(tx, services.outbox, now, money ?? {});
  if (isOnStatement(payment, step, decided)) await queueBankEntriesRead(tx, services.jobs, payment);
}

/**
 * Whether the order must be announced although its money columns do not change, because the payment's `is_processing`
 * changed.
 */
function isShown(
  { order, payment }: LockedPayment,
  { isPlacing }: PaymentStep,
  isNew: boolean,
  { is_processing }: Pick<PaymentRow, 'is_processing'>,
): boolean {
  if (isNew) return payment.is_processing && !isPlacing;
  return mayPayOnline(order) && is_processing !== payment.is_processing;
}

type Decided = ReturnType<typeof nextRefundSteps>;

/** The order's changed columns `refunded` and `payment_status`; null: no change. */
function moneyOf({ isPlacing, orderPayment }: PaymentStep, { money }: Decided) {
  if (orderPayment === null || isPlacing) return money;
  const said = { payment_status: orderPayment };
  // A new charge may be refunded in part already. The payment status in `money` contains these refunds, so it replaces
  // `paid`.
  return orderPayment === 'paid' ? { ...said, ...money } : { ...money, ...said };
}

/** Whether money moved that will be on the provider's statement. */
function isOnStatement({ status: before }: PaymentRow, { status }: PaymentStep, { money }: Decided): boolean {
  return (status === 'captured' || status === 'refunded') && (status !== before || money !== null);
}

function stateAfter({ check_at }: PaymentRow, { status, failure, owed }: PaymentStep, now: Date) {
  const isOver = owed === null && status !== 'pending';
  return { status, failure, owed, check_at: isOver ? null : check_at, updated_at: now };
}

async function followUp(
  tx: Tx,
  services: PaymentContext['services'],
  { order, payment, isLatest }: LockedPayment,
  step: PaymentStep,
  { amount: seen }: ProviderPayment,
): Promise<void> {
  const { id, amount: expected } = payment;
  if (step.failure === 'wrong_amount') {
    services.log.error({ payment: id, expected, seen }, 'payment of a wrong amount');
  }
  if (step.owed === 'release' && payment.owed !== 'release') {
    await queueOwedCall(tx, services.jobs, payment, 'release', services.now());
  }
  // The hold ended before its capture, for example because somebody cancelled it at the provider.
  if (payment.owed === 'capture' && step.orderPayment === 'failed') await announceFailedCapture(tx, services, order);
  const late = latePaymentStateOfStep({ ...payment, isLatest }, step);
  if (late) await queueOrderMail(tx, order, late === 'held' ? 'late_hold' : 'late_charge', { now: services.now() });
}

/** The payment's columns that the answer contains. Throws if the reference belongs to another payment. */
function knownAfter(payment: PaymentRow, seen: ProviderPayment) {
  if (seen.paymentId !== undefined && seen.paymentId !== payment.id) {
    throw new Error(`${payment.reference} is payment ${seen.paymentId}, not ${payment.id}`);
  }
  return {
    intent: seen.intent ?? payment.intent,
    method: seen.method ?? payment.method,
    is_processing: seen.isProcessing ?? false,
    held_until: seen.heldUntil ?? payment.held_until,
    captured: capturedAmountOf(seen) || payment.captured,
  };
}
