import type { Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { changeOrderMoney, changeMoneyWithHistory } from '#ordering/server/change-orders.ts';
import { chargedAmount, isPaymentOfOrder } from '#payment/balance.ts';
import { startRefundSteps, unfailedRefunds, refundKey, addManualRefundOfRest } from '#payment/refund-steps.ts';
import {
  matchesExpectedMoney,
  nextProviderCall,
  type ProviderPayment,
  type ProviderState,
} from '#payment/payment-state.ts';
import { announceFailedCapture } from '#payment/server/alerts.ts';
import { applyProviderAnswer, reconcilePayment } from '#payment/server/reconcile.ts';
import { findDisputedMoney } from '#payment/server/bank/read-disputes.ts';
import { refreshPaymentDisputes } from '#payment/server/bank/refresh-bank.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { isCausedByEndedKeys } from '#payment/server/keys/key-sets.ts';
import {
  announceDueRefunds,
  readRefundFacts,
  findRefund,
  markRefundRefused,
  createRefundId,
  recordFailedRefunds,
  addNextRefundAttempt,
  readUnrefundedRest,
  type RefundRow,
  readOrderRefunds,
  type RefundStepServices,
  suspendRefund,
  claimDueRefunds,
  applyRefundSteps,
} from '#payment/server/ledger.ts';
import {
  providerCallIdempotencyKey,
  type LockedPayment,
  lockPayment,
  queueOwedCall,
  type PaymentRow,
  renewIdempotencyKey,
  updatePayment,
} from '#payment/server/owed-calls.ts';
import { IdempotencyKeySpent, type PaymentProvider, ProviderRefusal } from '#payment/server/provider.ts';
import { sql } from 'kysely';
import { hasReceivedNoWebhookSql } from '#payment/server/keys/watch-keys.ts';

/* Makes the calls that change money at the provider: owed captures and releases of payments, and refunds. */

/**
 * Milliseconds for which a capture is retried while the provider is unavailable; releases are retried without limit.
 */
const captureRetryMs = 24 * 60 * 60_000;
const rounds = 4;

/**
 * Makes the capture or release that a payment owes. The job may be old, repeated, or overtaken by a cancellation.
 * Throws while the call is still owed, so that the job is retried, unless the call waits for a dispute.
 */
export async function settleOwedCall(context: PaymentContext, paymentId: string): Promise<void> {
  let known: ProviderState | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const payment = await findReferred(context, paymentId);
    if (!payment?.owed) return;
    const seen: Answer = await makeOwedCall(context, payment, known).catch((error: unknown) =>
      obstacleOf(context, payment, error),
    );
    if (seen === 'refused') await giveUpCapture(context, payment);
    else if (typeof seen === 'string') {
      if (await suspendOrLeaveRefund(context, payment, seen)) return;
    } else {
      await change(context, payment, (tx, locked) => applyProviderAnswer(tx, context, locked, seen));
      known = seen.state;
    }
  }
  if ((await findReferred(context, paymentId))?.owed) throw new Error(`payment ${paymentId} still owes`);
}

type Referred = PaymentRow & { reference: string };

async function findReferred({ services }: PaymentContext, id: string): Promise<Referred | null> {
  const payment = await services.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
  return payment && payment.reference !== null ? { ...payment, reference: payment.reference } : null;
}

/** Locks the payment and runs `work` in one transaction, then wakes the outbox. */
function change<T>(
  { services }: PaymentContext,
  payment: Pick<PaymentRow, 'id' | 'order_id'>,
  work: (tx: Tx, locked: LockedPayment) => Promise<T>,
): Promise<T> {
  return changeWithEffects(services, async (tx, afterCommit) => {
    afterCommit(services.outbox.wake);
    return work(tx, await lockPayment(tx, payment));
  });
}

/**
 * Why an owed call is not made, or has failed for good. `refused`: the capture is impossible, so the shop gives it up.
 * `made`: staff have refunded the rest by hand already.
 */
type Obstacle = 'refused' | 'disputed' | 'keys_ended' | 'made';
type Answer = ProviderPayment | Obstacle;

/** The obstacle that an error means; throws the error if the owed call must be retried. */
async function obstacleOf({ services }: PaymentContext, payment: PaymentRow, error: unknown): Promise<Obstacle> {
  const isOld = services.now().getTime() - payment.updated_at.getTime() > captureRetryMs;
  if (payment.owed === 'capture' && isOld) return 'refused';
  const isRefund = payment.owed === 'release' && isCharged(payment);
  if (isRefund && (await isCausedByEndedKeys(services.db, error, payment))) return 'keys_ended';
  throw error;
}

interface Call {
  provider: PaymentProvider;
  wanted: 'capture' | 'void' | 'refund';
  before: ProviderPayment;
  key: string;
}

/**
 * Makes the next owed call, and returns the provider's payment after the call, or the obstacle. `known`: the provider's
 * state that the shop last applied.
 */
async function makeOwedCall(context: PaymentContext, payment: Referred, known: ProviderState | null): Promise<Answer> {
  const provider = context.providerOf(payment);
  const before = await provider.fetch(payment.reference);
  const wanted = nextProviderCall(payment.owed, before.state);
  if (!wanted) return before;
  const call = { provider, wanted, before, key: providerCallIdempotencyKey(payment, wanted) };
  const first = await findBlocker(context, payment, call, known === before.state);
  if (first !== null) return first;
  try {
    if (wanted === 'void') return await provider.void(payment.reference, call.key);
    return await (wanted === 'capture' ? capture : refundRest)(context, payment, call);
  } catch (error) {
    return afterRefusal(context, payment, call, error);
  }
}

/**
 * Decides whether the call can be made now; null: it can. Returns the obstacle, or the provider's answer if the shop
 * must apply this answer before the call. `isKnown`: the shop has applied the answer's state already.
 */
async function findBlocker(
  { services }: PaymentContext,
  payment: PaymentRow,
  { wanted, before }: Call,
  isKnown: boolean,
): Promise<Answer | null> {
  // Amount, mode and account are compared again, because the payment may have changed at the provider since the first
  // comparison.
  if (wanted === 'capture' && !matchesExpectedMoney(payment, before)) return 'refused';
  // The provider knows a later state of a payment that is pending here. This state is recorded first, because the
  // payment may pay the order.
  if (payment.status === 'pending' && before.state !== 'open') return before;
  if (wanted !== 'refund') return null;
  if (payment.status !== 'captured' && !isKnown) return before;
  if (!(await findDisputedMoney(services.db, payment.id))) return null;
  // The payer's bank has taken money back, so the provider must not refund the payment. First the refunds in the
  // provider's answer are recorded, because staff may later refund the rest by hand.
  return isKnown ? 'disputed' : before;
}

async function capture(context: PaymentContext, payment: Referred, { provider, before, key }: Call): Promise<Answer> {
  const amount = await decideCapture(context, payment);
  return amount === null ? before : provider.capture(payment.reference, key, amount);
}

/**
 * The amount to capture, stored at the first call so that a retry asks for the same amount; null: the capture is not
 * owed any more.
 */
function decideCapture(context: PaymentContext, accepted: PaymentRow): Promise<number | null> {
  return change(context, accepted, async (tx, { order, payment }) => {
    if (payment.owed !== 'capture') return null;
    if (payment.capture_amount !== null) return payment.capture_amount;
    const amount = Math.min(order.total, payment.amount);
    await updatePayment(tx, payment.id, { capture_amount: amount });
    return amount;
  });
}

/** Refunds the part of a charge that is not refunded yet. */
async function refundRest(context: PaymentContext, payment: Referred, call: Call): Promise<Answer> {
  const { provider, before, key } = call;
  // After a refund by hand, the call names an amount, because the provider does not know of that refund.
  const part = await change(context, payment, async (tx, locked) => {
    const ours = unfailedRefunds(await readOrderRefunds(tx, locked.order.id));
    return ours.some(({ payment_id }) => payment_id === null) ? await readUnrefundedRest(tx, locked) : null;
  });
  if (part !== null && part <= 0) return 'made';
  // A retry for the same amount repeats the key, so the provider refunds once. Another amount has another key.
  if (part !== null) return provider.refund(payment.reference, `${key}:${part}`, part);
  // The key changes with the sum that the provider has refunded. If an earlier refund fails, this sum falls, and the
  // rest is refunded with another key.
  return provider.refund(payment.reference, before.refunded ? `${key}:after:${before.refunded}` : key);
}

async function afterRefusal(
  context: PaymentContext,
  payment: Referred,
  { provider, wanted, before }: Call,
  error: unknown,
): Promise<Answer> {
  if (!(error instanceof ProviderRefusal || error instanceof IdempotencyKeySpent)) throw error;
  const { db, log } = context.services;
  await renewIdempotencyKey(db, payment, { capture_amount: null });
  if (error instanceof IdempotencyKeySpent) throw error;
  const after = await provider.fetch(payment.reference);
  if (after.state !== before.state) return after;
  if (wanted === 'capture') return 'refused';
  if (wanted === 'refund') {
    await refreshPaymentDisputes(context, payment, after);
    if (await findDisputedMoney(db, payment.id)) return 'disputed';
  }
  log.error({ err: error, payment: payment.id }, 'the provider refuses to release a payment');
  throw error;
}

/**
 * Handles an obstacle (`why`) to a release. The release of a charged payment is its refund. An open dispute suspends
 * the release. After any other obstacle the shop gives the release up, and staff must refund the rest. Returns false if
 * the refund is not owed any more, or the obstacle no longer exists.
 */
function suspendOrLeaveRefund(
  context: PaymentContext,
  released: PaymentRow,
  why: Exclude<Obstacle, 'refused'>,
): Promise<boolean> {
  return change(context, released, async (tx, locked) => {
    const { payment } = locked;
    if (payment.owed !== 'release' || !isCharged(payment)) return false;
    const atBank = await findDisputedMoney(tx, payment.id);
    if (why === 'disputed' && !atBank) return false;
    if (why === 'made' && (await readUnrefundedRest(tx, locked)) > 0) return false;
    const waits = why === 'disputed' && atBank?.isDecided !== true;
    await (waits ? suspendRelease : endRelease)(tx, context.services, locked);
    return true;
  });
}

/** Suspends a release until the dispute is decided, and records that once in the order's history. */
async function suspendRelease(tx: Tx, services: RefundStepServices, { order, payment }: LockedPayment): Promise<void> {
  if (payment.check_at === null) return;
  await updatePayment(tx, payment.id, { check_at: null });
  await changeMoneyWithHistory(tx, services.outbox, order, {
    note: { kind: 'refund_waits', amount: chargedAmount(payment), currency: payment.currency },
    at: services.now(),
  });
}

/** Ends a release whose money the provider will not refund, and leaves the refund to staff. */
async function endRelease(tx: Tx, services: RefundStepServices, locked: LockedPayment): Promise<void> {
  const { id, status } = locked.payment;
  await updatePayment(tx, id, { owed: null, check_at: null, updated_at: services.now() });
  const draft = startRefundSteps(await readRefundFacts(tx, locked), createRefundId);
  addManualRefundOfRest(draft, isPaymentOfOrder(locked, status));
  await applyRefundSteps(tx, services, locked.order, draft.steps);
}

/**
 * Gives up a capture, and queues the release of the hold, because the customer will pay in another way. If the capture
 * succeeds after all, `applyProviderState` makes the order paid.
 */
async function giveUpCapture(context: PaymentContext, { id, order_id }: PaymentRow): Promise<void> {
  const { services } = context;
  await change(context, { id, order_id }, async (tx, { order, payment }) => {
    if (payment.owed !== 'capture' || payment.status !== 'authorised') return;
    await updatePayment(tx, id, { status: 'failed', failure: 'capture_failed' });
    await queueOwedCall(tx, services.jobs, payment, 'release', services.now());
    await changeOrderMoney(tx, services.outbox, order, { payment_status: 'failed' });
    await announceFailedCapture(tx, services, order);
  });
  services.log.error({ payment: id, order: order_id }, 'a payment could not be taken');
}

/** Whether the payment was captured. Only the column `captured` shows a capture after the shop gave it up. */
function isCharged({ status, captured }: PaymentRow): boolean {
  return status === 'captured' || captured !== null;
}

/**
 * Makes a pending refund. The job may be repeated, because each attempt has one key. Throws while the provider does not
 * answer, so that the job is retried. After a refusal, or if the keys have ended, the refund is `failed` and staff make
 * it. During a dispute the refund waits.
 */
export async function settleRefund(context: PaymentContext, refundId: string): Promise<void> {
  const { services } = context;
  const refund = await findRefund(services.db, refundId);
  if (refund?.status !== 'pending' || refund.payment_id === null) return;
  const payment = await findReferred(context, refund.payment_id);
  if (!payment || (await waitsForBank(context, refund, payment))) return;
  const { seen, isRefused } = await giveBack(context, refund, payment);
  if (isRefused) {
    // A dispute that the shop does not know yet may be the reason for the refusal.
    if (seen) await refreshPaymentDisputes(context, payment, seen);
    if (await waitsForBank(context, refund, payment)) return;
  }
  await change(context, payment, async (tx, locked) => {
    const isLost = (await findDisputedMoney(tx, payment.id)) !== null;
    // If the provider has refunded the whole payment, this refund is made as well, even if its call was refused.
    if (seen && (!isRefused || (seen.state === 'refunded' && !isLost)))
      return applyProviderAnswer(tx, context, locked, seen, refund.id);
    if (!(await markRefundRefused(tx, refund))) return;
    // The refund is recorded as failed before the answer is applied. Only a failed refund can be matched with a refund
    // of the same amount that somebody made at the provider.
    if (seen) await applyProviderAnswer(tx, context, locked, seen);
    // Staff refund the part that the payer's bank has not taken.
    if (isLost) return announceDueRefunds(tx, services, locked.order, ({ id }) => id === refund.id);
    services.log.error({ refund: refund.id, order: refund.order_id }, 'a refund was refused');
    return recordFailedRefunds(tx, services, locked.order, new Set([refund.id]));
  });
}

/** Suspends a refund while a dispute about its payment is open. Returns false if there is no such dispute. */
function waitsForBank(context: PaymentContext, refund: RefundRow, payment: PaymentRow): Promise<boolean> {
  return change(context, payment, async (tx) => {
    const isOpen = (await findDisputedMoney(tx, payment.id))?.isDecided === false;
    if (isOpen) await suspendRefund(tx, refund);
    return isOpen;
  });
}

/**
 * Asks the provider to make a refund, unless the payer's bank has taken the payment back. `isRefused`: no refund was
 * made. `seen`: the payment at the provider; null: the key set has ended, so the provider cannot be asked.
 */
async function giveBack(
  context: PaymentContext,
  refund: RefundRow,
  payment: Referred,
): Promise<{ seen: ProviderPayment | null; isRefused: boolean }> {
  const { db, now } = context.services;
  try {
    const provider = context.providerOf(payment);
    const isLost = (await findDisputedMoney(db, payment.id)) !== null;
    const seen = isLost ? null : await refundIfAccepted(provider, payment, refund);
    return { seen: seen ?? (await provider.fetch(payment.reference)), isRefused: seen === null };
  } catch (error) {
    if (await isCausedByEndedKeys(db, error, payment)) return { seen: null, isRefused: true };
    if (error instanceof IdempotencyKeySpent)
      await change(context, payment, (tx) => addNextRefundAttempt(tx, refund, now()));
    throw error;
  }
}

async function refundIfAccepted(
  provider: PaymentProvider,
  payment: Referred,
  refund: RefundRow,
): Promise<ProviderPayment | null> {
  try {
    return await provider.refund(payment.reference, refundKey(refund), refund.amount);
  } catch (error) {
    if (error instanceof ProviderRefusal) return null;
    throw error;
  }
}

const batch = 20;

/** Checks due payments and refunds, because webhooks and jobs may be lost. Returns the number of checks. */
export async function sweepPayments(context: PaymentContext): Promise<number> {
  const { services } = context;
  let taken = 0;
  for (;;) {
    const due = await takeDue(context);
    taken += due.length;
    for (const payment of due) {
      try {
        if (payment.owed) await settleOwedCall(context, payment.id);
        else await reconcilePayment(context, payment.order_id);
      } catch (error) {
        services.log.warn({ err: error, payment: payment.id }, 'a payment was not settled; it will be tried again');
      }
    }
    if (due.length < batch) break;
  }
  const refunds = await claimDueRefunds(services.db, services.now(), batch);
  for (const id of refunds) {
    await settleRefund(context, id).catch((error: unknown) =>
      services.log.warn({ err: error, refund: id }, 'a refund was not made; it will be tried again'),
    );
  }
  return taken + refunds.length;
}

async function takeDue({ services }: PaymentContext): Promise<Pick<PaymentRow, 'id' | 'order_id' | 'owed'>[]> {
  const now = services.now();
  const { rows } = await sql<Pick<PaymentRow, 'id' | 'order_id' | 'owed'>>`
    update payments
    set check_at = ${now}::timestamptz + least(interval '5 minutes', case
      when ${hasReceivedNoWebhookSql} then greatest(interval '4 seconds', (${now}::timestamptz - updated_at) / 20)
      else greatest(interval '20 seconds', (${now}::timestamptz - updated_at) / 2) end)
    where id in (
      select id from payments where check_at <= ${now} order by check_at limit ${batch} for update skip locked
    )
    returning id, order_id, owed`.execute(services.db);
  return rows;
}
