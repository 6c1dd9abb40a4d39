import { makeChange } from '#database/transaction.ts';
import type { ProviderPayment, ProviderName } from '#payment/payment-state.ts';
import { applySeen } from '#payment/server/apply-step.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import type { PaymentRow } from '#payment/server/owed.ts';

/**
 * Asks the provider for the state of an order's payments and applies it: the only way in for webhook, return page and sweep.
 * The provider is asked before the order is locked, so that a slow provider delays nobody; data that is out of date
 * by then moves nothing back. An `event` counts once. Throws the errors of a provider's outage.
 */
export async function reconcilePayment(
  context: PaymentContext,
  orderId: string,
  event?: { provider: ProviderName; id: string },
): Promise<void> {
  const { db, outbox, now } = context.services;
  if (event && (await isKnown(context, event))) return;
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('reference', 'is not', null)
    .where((eb) => eb.or([eb('status', 'in', ['pending', 'authorised', 'captured']), eb('owed', 'is not', null)]))
    .orderBy('id')
    .execute();
  const seen: { payment: PaymentRow; is: ProviderPayment }[] = [];
  for (const payment of payments) {
    if (payment.reference === null) continue;
    seen.push({ payment, is: await context.providerOf(payment).fetch(payment.reference) });
  }
  await makeChange(context.services, async (tx, afterCommit) => {
    afterCommit(outbox.wake);
    for (const { payment, is } of seen) await applySeen(tx, context, await lockPayment(tx, payment), is);
    if (!event) return;
    // Recorded together with its effect: an event that failed half-way is handled again when it is sent again.
    const noted = tx.insertInto('payment_events').values({ ...event, received_at: now() });
    await noted.onConflict((conflict) => conflict.doNothing()).execute();
  });
}

async function isKnown({ services }: PaymentContext, event: { provider: ProviderName; id: string }): Promise<boolean> {
  const row = await services.db
    .selectFrom('payment_events')
    .select('id')
    .where('provider', '=', event.provider)
    .where('id', '=', event.id)
    .executeTakeFirst();
  return row !== undefined;
}
