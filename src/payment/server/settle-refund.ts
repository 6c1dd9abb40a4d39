import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import { lockKnownOrder, noteMoney } from '#ordering/server/change-orders.ts';
import { oweMail } from '#ordering/server/send-order-mails.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import { applySeen } from '#payment/server/apply-step.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { readDisputesOf } from '#payment/server/bank/sync-bank.ts';
import { noteFailedRefund } from '#payment/server/fail-refunds.ts';
import { haveKeysEnded, isOfEndedKeys } from '#payment/server/keys/ended-keys.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { refundQueue, type PaymentRow, type RefundJob } from '#payment/server/owed.ts';
import { KeySpent, ProviderRefusal } from '#payment/server/provider.ts';
import { kindsBesideTotal, planRefund } from '#payment/refund-rules.ts';
import { refundKey } from '#payment/pair-refunds.ts';
import { countRefunded, findRefund, readDue, refundsInForce, type RefundRow } from '#payment/server/refund-rows.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { AppError } from '#platform/errors.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Makes a pending refund at the provider. The job may be old or repeated: each attempt of a refund has one key. Throws
 * while the provider does not answer, so that the job repeats; a refusal makes the refund `failed`, for people to
 * handle, and so do keys that have ended. While the payer's bank has the money the refund waits.
 */
export async function settleRefund(context: PaymentContext, refundId: string): Promise<void> {
  const { services } = context;
  const refund = await findRefund(services.db, refundId);
  if (refund?.status !== 'pending' || refund.payment_id === null) return;
  const payment = await services.db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', refund.payment_id)
    .executeTakeFirst();
  if (!payment || payment.reference === null) return;
  if (await leaveToBank(context, refund, payment, payment.reference)) return;
  const { seen, isRefused } = await giveBack(context, refund, payment, payment.reference);
  // The provider refuses what the payer's bank has taken back.
  if (isRefused && seen) await readDisputesOf(context, { ...payment, intent: seen.intent ?? payment.intent });
  if (isRefused && (await leaveToBank(context, refund, payment, payment.reference))) return;
  await makeChange(services, async (tx, afterCommit) => {
    afterCommit(services.outbox.wake);
    const locked = await lockPayment(tx, payment);
    // If the provider has refunded everything in the meantime, this refund is part of that.
    if (seen && (!isRefused || seen.state === 'refunded')) return applySeen(tx, context, locked, seen, refund.id);
    if (!(await hasFailed(tx, refund))) return;
    await noteFailedRefund(tx, services, locked.order, refund);
    // What was refunded there instead had no room beside it.
    if (seen) await applySeen(tx, context, locked, seen);
  });
  if (isRefused) services.log.error({ refund: refund.id, order: refund.order_id }, 'a refund was refused');
}

/**
 * Puts a refund off while the payer's bank has the money: it goes on, or ends, when the dispute is decided. It ends at
 * once if the dispute was lost. Returns false if the bank has taken nothing.
 */
async function leaveToBank(
  context: PaymentContext,
  refund: RefundRow,
  payment: PaymentRow,
  reference: string,
): Promise<boolean> {
  const { services } = context;
  const known = await findAtBank(services.db, payment.id);
  if (!known) return false;
  const seen = known.isDecided ? await askUnlessEnded(context, payment, reference) : null;
  return makeChange(services, async (tx, afterCommit) => {
    afterCommit(services.outbox.wake);
    const locked = await lockPayment(tx, payment);
    const atBank = await findAtBank(tx, payment.id);
    if (!atBank) return false;
    if (!atBank.isDecided) await stopLooking(tx, refund);
    // Decided since: its job comes again.
    else if (known.isDecided && (await hasFailed(tx, refund)) && seen) await applySeen(tx, context, locked, seen);
    return true;
  });
}

async function stopLooking(tx: Tx, { id, attempts }: RefundRow): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ check_at: null })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .execute();
}

/** Tries a failed refund again at the provider, or records that it was made by hand instead. */
export async function retryRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'now' | 'outbox'>,
  { id, by, actor, actorId }: { id: string; by: 'provider' | 'hand'; actor: string; actorId: string | null },
): Promise<void> {
  const found = await tx.selectFrom('refunds').select('order_id').where('id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', m.platform_not_found());
  const order = await lockKnownOrder(tx, found.order_id);
  const refund = await tx
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (refund.status !== 'failed') throw new AppError('conflict', m.payment_refund_not_failed());
  const due = await dueToRetry(tx, order, refund, by);
  const now = services.now();
  const isByHand = by === 'hand' || refund.payment_id === null;
  await tx
    .updateTable('refunds')
    .set(
      isByHand
        ? { status: 'succeeded', payment_id: null, settled_at: now, check_at: null }
        : { status: 'pending', attempts: refund.attempts + 1, check_at: now, settled_at: null, provider_refund: null },
    )
    .set(due)
    .where('id', '=', id)
    .execute();
  if (!isByHand) return services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
  await oweMail(tx, order, 'refunded', { now, refundId: id });
  await noteMoney(tx, services.outbox, order, {
    ...(refund.kind !== 'late_payment' && { set: await countRefunded(tx, order) }),
    by: { actor, actorId },
    note: { kind: 'refund_by_hand', amount: due.amount, currency: refund.currency },
    at: now,
  });
}

/**
 * The parts of a failed refund that can be made now: of what is still due. The money at the payer's bank would go back twice, and
 * nothing can be asked with keys that have ended. Throws `conflict`.
 */
async function dueToRetry(
  tx: Tx,
  order: OrderRow,
  refund: RefundRow,
  by: 'provider' | 'hand',
): Promise<Pick<RefundRow, 'amount'> & { tip?: number; vat?: string; lines?: string }> {
  if (refund.payment_id !== null) {
    const { payment } = await lockPayment(tx, { id: refund.payment_id, order_id: order.id });
    const isAtBank = (await findAtBank(tx, payment.id)) !== null;
    const due = await readDue(tx, refund.id);
    if (isAtBank && (by === 'provider' || due === 0)) throw new AppError('conflict', m.payment_refund_disputed());
    if (by === 'provider' && (await haveKeysEnded(tx, payment.key_set))) {
      throw new AppError('conflict', m.payment_refund_keys_ended());
    }
    if (due === 0) throw new AppError('conflict', m.payment_refund_nothing_left());
    if (due < refund.amount) return partOf(order, refund, due, await refundsInForce(tx, order.id));
  }
  return { amount: refund.amount };
}

/** A part of a refund names no lines; what is none of the order's total has no VAT either. */
function partOf(order: OrderRow, { kind }: RefundRow, amount: number, ours: readonly RefundRow[]) {
  if (kindsBesideTotal.includes(kind)) return { amount, lines: '[]' };
  const plan = planRefund(order, ours, { amount });
  if ('fault' in plan) throw new Error(`refund of order ${order.id}: ${plan.fault}`);
  return { amount, tip: plan.tip, vat: JSON.stringify(plan.vat), lines: '[]' };
}

/** `seen` is null where the keys have ended, with which the provider could be asked. */
async function giveBack(
  context: PaymentContext,
  refund: RefundRow,
  payment: PaymentRow,
  reference: string,
): Promise<{ seen: ProviderPayment | null; isRefused: boolean }> {
  try {
    const key = refundKey(refund);
    return { seen: await context.providerOf(payment).refund(reference, key, refund.amount), isRefused: false };
  } catch (error) {
    if (error instanceof KeySpent) await raiseAttempt(context, refund);
    if (error instanceof ProviderRefusal) {
      return { seen: await context.providerOf(payment).fetch(reference), isRefused: true };
    }
    if (!(await isOfEndedKeys(context.services.db, error, payment))) throw error;
    return { seen: null, isRefused: true };
  }
}

/** null: the keys have ended with which the provider could be asked. */
async function askUnlessEnded(
  context: PaymentContext,
  payment: PaymentRow,
  reference: string,
): Promise<ProviderPayment | null> {
  try {
    return await context.providerOf(payment).fetch(reference);
  } catch (error) {
    if (await isOfEndedKeys(context.services.db, error, payment)) return null;
    throw error;
  }
}

/** The refund was not made: it was looked for before the call that had this answer. */
async function raiseAttempt({ services }: PaymentContext, { id, attempts }: RefundRow): Promise<void> {
  await services.db
    .updateTable('refunds')
    .set({ attempts: attempts + 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** False if somebody else has settled it, or tried it again, since. */
async function hasFailed(tx: Tx, refund: RefundRow): Promise<boolean> {
  const failed = await tx
    .updateTable('refunds')
    .set({ status: 'failed', check_at: null })
    .where('id', '=', refund.id)
    .where('status', '=', 'pending')
    .where('attempts', '=', refund.attempts)
    .returning('id')
    .executeTakeFirst();
  return failed !== undefined;
}
