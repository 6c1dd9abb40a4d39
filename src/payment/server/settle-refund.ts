import { makeChange } from '#database/transaction.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import { applySeen } from '#payment/server/apply-step.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { readDisputesOf } from '#payment/server/bank/sync-bank.ts';
import { isOfEndedKeys } from '#payment/server/keys/ended-keys.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { type PaymentRow } from '#payment/server/owed.ts';
import { KeySpent, ProviderRefusal } from '#payment/server/provider.ts';
import { refundKey } from '#payment/pair-refunds.ts';
import {
  findRefund,
  hasFailed,
  noteFailedRefund,
  raiseRefundAttempt,
  type RefundRow,
  stopLooking,
} from '#payment/server/ledger.ts';

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
    if (error instanceof KeySpent) await raiseRefundAttempt(context.services.db, refund);
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
