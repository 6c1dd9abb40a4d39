import type { Tx } from '#database/schema.ts';
import { inTransaction, makeChange } from '#database/transaction.ts';
import { changeMoney, noteMoney } from '#ordering/server/change-orders.ts';
import { draftOf, inForce, takeLeft } from '#payment/refund-steps.ts';
import type { ProviderPayment, ProviderState } from '#payment/payment-state.ts';
import { isExpected, nextAct } from '#payment/payment-state.ts';
import { applySeen } from '#payment/server/apply-step.ts';
import { lockPayment, type LockedPayment } from '#payment/server/lock-payment.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { callKey, owe, type PaymentRow, raiseAttempt } from '#payment/server/owed.ts';
import { KeySpent, ProviderRefusal } from '#payment/server/provider.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { readDisputesOf } from '#payment/server/bank/sync-bank.ts';
import { factsOf, newRefundId, refundsOf, type StepServices, takeSteps } from '#payment/server/ledger.ts';
import { readBalance } from '#payment/server/read-balance.ts';
import { isOfEndedKeys } from '#payment/server/keys/ended-keys.ts';
import { paidBy, paysOrder } from '#payment/balance.ts';
import { leastMissing } from '#store/card-provider.ts';
import { tellOfFailedCapture } from '#payment/server/alert-capture.ts';

/** While the provider is unavailable, capturing is tried for this long (milliseconds); releasing is tried for ever. */
const captureTries = 24 * 60 * 60_000;
const rounds = 4;

/**
 * Does at the provider what a payment owes now: the job may be old, repeated, or overtaken by a
 * cancellation. Throws when it is still owed, so that the job repeats.
 */
export async function settleOwed(context: PaymentContext, paymentId: string): Promise<void> {
  let known: ProviderState | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const payment = await readPayment(context, paymentId);
    if (!payment?.owed || payment.reference === null) return;
    const seen: ProviderPayment | Obstacle = await act(context, payment, payment.reference, known).catch(
      (error: unknown) => insteadOf(context, payment, error),
    );
    if (seen === 'refused') await giveUpCapture(context, payment);
    else if (seen === 'keys_ended' || seen === 'disputed' || seen === 'made') {
      if (await leave(context, payment, seen)) return;
    } else {
      await follow(context, payment, seen);
      known = seen.state;
    }
  }
  if ((await readPayment(context, paymentId))?.owed) throw new Error(`payment ${paymentId} still owes`);
}

/**
 * Why the provider will not do what is owed: it refuses to capture, and nothing has changed there that explains it; the
 * payer's bank has the money that is to be refunded; there are no keys any more with which a refund could be asked for;
 * or the payer has got back the rest by hand.
 */
type Obstacle = 'refused' | 'disputed' | 'keys_ended' | 'made';

/** Throws the error if what is owed is to be tried again. */
async function insteadOf(context: PaymentContext, payment: PaymentRow, error: unknown): Promise<Obstacle> {
  if (isGivenUp(context, payment)) return 'refused';
  const isRefund = payment.owed === 'release' && isCharged(payment);
  if (isRefund && (await isOfEndedKeys(context.services.db, error, payment))) return 'keys_ended';
  throw error;
}

/**
 * Makes the next request to the provider, and returns the payment's state there. `known` is the last applied state.
 */
async function act(
  context: PaymentContext,
  payment: PaymentRow,
  reference: string,
  known: ProviderState | null,
): Promise<ProviderPayment | Obstacle> {
  const { db, log } = context.services;
  const provider = context.providerOf(payment);
  const before = await provider.fetch(reference);
  const wanted = nextAct(payment.owed, before.state);
  if (!wanted) return before;
  // Compared again, because the money may have changed since it arrived.
  if (wanted === 'capture' && !isExpected(payment, before)) return 'refused';
  // Money that nobody here knows of must be applied first: its order may keep it, or the customer must be told.
  if (payment.status === 'pending' && before.state !== 'open') return before;
  if (wanted === 'refund' && payment.status !== 'captured' && known !== before.state) return before;
  // What was refunded there meanwhile must be known before the rest is left to people.
  if (wanted === 'refund' && (await findAtBank(db, payment.id))) return known === before.state ? 'disputed' : before;
  const part = wanted === 'refund' ? await partToRefund(context, payment) : null;
  if (part !== null && part <= 0) return 'made';
  try {
    const key = callKey(payment, wanted);
    // An amount goes back once, also if its answer was lost and the shop does not know yet that it was made.
    if (part !== null) return await provider.refund(reference, `${key}:${part}`, part);
    // Another refund may come back after this one: what is left then is not refunded by repeating the call.
    if (wanted === 'refund' && before.refunded)
      return await provider.refund(reference, `${key}:after:${before.refunded}`);
    if (wanted !== 'capture') return await provider[wanted](reference, key);
    const amount = await decideCapture(context, payment);
    // Nobody takes dishes off down to so little, but an order may have been lowered by an earlier release.
    if (amount !== null && leastMissing(payment.currency, amount) !== null) return 'refused';
    return amount === null ? before : await provider.capture(reference, key, amount);
  } catch (error) {
    if (!(error instanceof ProviderRefusal || error instanceof KeySpent)) throw error;
    await raiseAttempt(db, payment, { capture_amount: null });
    if (error instanceof KeySpent) throw error;
    const after = await provider.fetch(reference);
    if (after.state !== before.state) return after;
    if (wanted === 'capture') return 'refused';
    if (wanted === 'refund') await readDisputesOf(context, { ...payment, intent: after.intent ?? payment.intent });
    if (wanted === 'refund' && (await findAtBank(db, payment.id))) return 'disputed';
    log.error({ err: error, payment: payment.id }, 'the provider refuses to release a payment');
    throw error;
  }
}

/**
 * What an accepted order costs now. Decided once, before the first call, so that a repeated call asks for the same;
 * what staff take off the order later is refunded. null: the capture is not owed any more.
 */
async function decideCapture({ services }: PaymentContext, { id, order_id }: PaymentRow): Promise<number | null> {
  return inTransaction(services.db, async (tx) => {
    const { order, payment } = await lockPayment(tx, { id, order_id });
    if (payment.owed !== 'capture') return null;
    if (payment.capture_amount !== null) return payment.capture_amount;
    const amount = Math.min(order.total, payment.amount);
    await tx.updateTable('payments').set({ capture_amount: amount }).where('id', '=', id).execute();
    return amount;
  });
}

/** What the payer has not got back, where some of it was given back by hand; null: everything that is there. */
async function partToRefund({ services }: PaymentContext, { id, order_id }: PaymentRow): Promise<number | null> {
  return inTransaction(services.db, async (tx) => {
    const locked = await lockPayment(tx, { id, order_id });
    const ours = inForce(await refundsOf(tx, order_id));
    return ours.some(({ payment_id }) => payment_id === null) ? (await readBalance(tx, locked)).left : null;
  });
}

/**
 * Puts a refund off until the dispute is decided, and says so once; what nobody will ever make with the provider is
 * left to people. Returns false if that has changed meanwhile.
 */
async function leave(
  { services }: PaymentContext,
  { id, order_id }: PaymentRow,
  why: 'disputed' | 'keys_ended' | 'made',
): Promise<boolean> {
  return makeChange(services, async (tx, afterCommit) => {
    afterCommit(services.outbox.wake);
    const locked = await lockPayment(tx, { id, order_id });
    const { order, payment } = locked;
    if (payment.owed !== 'release' || !isCharged(payment)) return false;
    const atBank = await findAtBank(tx, id);
    if (why === 'disputed' && !atBank) return false;
    if (why === 'made' && (await readBalance(tx, locked)).left > 0) return false;
    if (why !== 'disputed' || atBank?.isDecided) await handOver(tx, services, locked);
    else if (payment.check_at !== null) {
      await tx.updateTable('payments').set({ check_at: null }).where('id', '=', id).execute();
      await noteMoney(tx, services.outbox, order, {
        by: { actor: 'system', actorId: null },
        note: { kind: 'refund_waits', amount: paidBy(payment), currency: payment.currency },
        at: services.now(),
      });
    }
    return true;
  });
}

/** What the provider will not refund of captured money is left to people, and owed no more. */
async function handOver(tx: Tx, services: StepServices, locked: LockedPayment): Promise<void> {
  const { order, payment } = locked;
  await tx
    .updateTable('payments')
    .set({ owed: null, check_at: null, updated_at: services.now() })
    .where('id', '=', payment.id)
    .execute();
  const draft = draftOf(await factsOf(tx, locked), newRefundId);
  takeLeft(draft, paysOrder(locked, payment.status));
  await takeSteps(tx, services, order, draft.steps);
}

async function follow(context: PaymentContext, payment: PaymentRow, seen: ProviderPayment): Promise<void> {
  await makeChange(context.services, async (tx, afterCommit) => {
    await applySeen(tx, context, await lockPayment(tx, payment), seen);
    afterCommit(context.services.outbox.wake);
  });
}

/**
 * Failed for good: the shop is told, and money still held at the provider is released, so that nobody pays twice.
 * Another call may capture the money at this moment, which `followProvider` then keeps for the order.
 */
async function giveUpCapture(context: PaymentContext, { id, order_id }: PaymentRow): Promise<void> {
  const { services } = context;
  await makeChange(services, async (tx, afterCommit) => {
    const { order, payment } = await lockPayment(tx, { id, order_id });
    if (payment.owed !== 'capture' || payment.status !== 'authorised') return;
    await tx
      .updateTable('payments')
      .set({ status: 'failed', failure: 'capture_failed' })
      .where('id', '=', id)
      .execute();
    await owe(tx, services.jobs, payment, 'release', services.now());
    await changeMoney(tx, services.outbox, order, { payment_status: 'failed' });
    await tellOfFailedCapture(tx, services, order);
    afterCommit(services.outbox.wake);
  });
  services.log.error({ payment: id, order: order_id }, 'a payment could not be taken');
}

/** Money was taken, though the payment may have ended before that was known: a capture was given up and made all the same. */
function isCharged({ status, captured }: PaymentRow): boolean {
  return status === 'captured' || captured !== null;
}

function isGivenUp({ services }: PaymentContext, payment: PaymentRow): boolean {
  return payment.owed === 'capture' && services.now().getTime() - payment.updated_at.getTime() > captureTries;
}

async function readPayment({ services }: PaymentContext, id: string): Promise<PaymentRow | undefined> {
  return services.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
}
