import { makeChange } from '#database/transaction.ts';
import { changeMoney } from '#ordering/server/change-orders.ts';
import type { ProviderPayment, ProviderState } from '#payment/payment-state.ts';
import { nextAct } from '#payment/payment-state.ts';
import { applySeen } from '#payment/server/apply-step.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import { providerNamed, type PaymentContext } from '#payment/server/context.ts';
import { owe, type PaymentRow } from '#payment/server/owed.ts';
import { ProviderRefusal } from '#payment/server/provider.ts';
import { alertOfFailedCapture } from '#payment/server/alert-capture.ts';

/** While the provider is out, taking money is tried for this long (milliseconds); letting it go is tried for ever. */
const captureTries = 24 * 60 * 60_000;
const rounds = 4;

/**
 * Brings about at the provider what a payment owes, as it stands now: the job may be old, doubled, or overtaken by a
 * cancellation. Throws when it is still owed, so that the job is done again.
 */
export async function settleOwed(context: PaymentContext, paymentId: string): Promise<void> {
  let known: ProviderState | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const payment = await readPayment(context, paymentId);
    if (!payment?.owed || payment.reference === null) return;
    let seen: ProviderPayment | 'refused';
    try {
      seen = await act(context, payment, payment.reference, known);
    } catch (error) {
      if (!isGivenUp(context, payment)) throw error;
      seen = 'refused';
    }
    if (seen === 'refused') await giveUpCapture(context, payment);
    else {
      await follow(context, payment, seen);
      known = seen.state;
    }
  }
  if ((await readPayment(context, paymentId))?.owed) throw new Error(`payment ${paymentId} still owes`);
}

/**
 * Asks the provider for the next act, and answers how the payment then stands there. `known` is what was followed last.
 * `refused`: the provider will not capture, and nothing has changed there that explains it.
 */
async function act(
  context: PaymentContext,
  payment: PaymentRow,
  reference: string,
  known: ProviderState | null,
): Promise<ProviderPayment | 'refused'> {
  const provider = providerNamed(context, payment.provider);
  const before = await provider.fetch(reference);
  const wanted = nextAct(payment.owed, before.state);
  if (!wanted) return before;
  // That it was taken is news to be followed first: its order may keep the money, or has to be told of both.
  if (wanted === 'refund' && payment.status !== 'captured' && known !== before.state) return before;
  try {
    // One order is captured once, so its key names the order; releases name the payment, of which it may have several.
    if (wanted === 'capture') return await provider.capture(reference, `order:${payment.order_id}:capture`);
    return await provider[wanted](reference, `payment:${payment.id}:${wanted}`);
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    const after = await provider.fetch(reference);
    if (after.state !== before.state) return after;
    if (wanted === 'capture') return 'refused';
    context.services.log.error({ err: error, payment: payment.id }, 'the provider refuses to release a payment');
    throw error;
  }
}

async function follow(context: PaymentContext, payment: PaymentRow, seen: ProviderPayment): Promise<void> {
  await makeChange(context.services, async (tx, afterCommit) => {
    await applySeen(tx, context, await lockPayment(tx, payment), seen);
    afterCommit(context.services.outbox.wake);
  });
}

/**
 * Failed for good: the shop hears of it, and what is still held at the provider is let go, so that nobody pays twice.
 * Another call may take the money at this moment, which `followProvider` then keeps for the order.
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
    await alertOfFailedCapture(tx, services, order);
    afterCommit(services.outbox.wake);
  });
  services.log.error({ payment: id, order: order_id }, 'a payment could not be taken');
}

function isGivenUp({ services }: PaymentContext, payment: PaymentRow): boolean {
  return payment.owed === 'capture' && services.now().getTime() - payment.updated_at.getTime() > captureTries;
}

async function readPayment({ services }: PaymentContext, id: string): Promise<PaymentRow | undefined> {
  return services.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
}
