import type { Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import { applySeen } from '#payment/server/apply-step.ts';
import { readDisputesOf } from '#payment/server/bank/sync-bank.ts';
import { expectMessage } from '#payment/server/keys/watch-keys.ts';
import { lockPayment, type LockedPayment, type PaymentRow } from '#payment/server/lock-payment.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { ProviderRefusal } from '#payment/server/provider.ts';
import { firstLook } from '#payment/server/owed.ts';

/** The payments that messages are about, by id, with the provider's ids of it that they name. */
export type NamedPayments = ReadonlyMap<string, readonly string[]>;

/**
 * Asks the provider for the state of an order's payments and applies it: the only way in for messages, return page,
 * sweep and staff. It asks about payments that are not finished and those that are `named`, or about all and their disputes
 * (`isWhole`).
 * The provider is asked before the order is locked, so that a slow provider delays nobody; data that is out of date by
 * then moves nothing back. Throws the errors of a provider's outage.
 */
export async function reconcilePayment(
  context: PaymentContext,
  orderId: string,
  { named = new Map(), isWhole = false }: { named?: NamedPayments; isWhole?: boolean } = {},
): Promise<void> {
  const { db, now, outbox } = context.services;
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .where((eb) =>
      eb.or([
        eb.lit(isWhole),
        eb('status', 'in', ['pending', 'authorised', 'captured']),
        eb('owed', 'is not', null),
        eb('id', '=', eb.fn.any(eb.val([...named.keys()]))),
      ]),
    )
    .orderBy('id')
    .execute();
  const seen: Seen[] = [];
  for (const payment of payments) {
    const found = await look(context, payment, named.get(payment.id) ?? []);
    if (found) seen.push(found);
  }
  await makeChange(context.services, async (tx, afterCommit) => {
    afterCommit(outbox.wake);
    for (const { payment, is, reference } of seen) {
      const locked = await adopt(tx, await lockPayment(tx, payment), reference, now());
      if (locked) await applySeen(tx, context, locked, is);
    }
  });
  if (named.size === 0) await expectMessage(context.services, movedFirst(seen));
  if (!isWhole) return;
  for (const { payment, is } of seen)
    await readDisputesOf(context, { ...payment, intent: is.intent ?? payment.intent });
}

/** The key sets of payments that went on since their page opened. */
function movedFirst(seen: readonly Seen[]): string[] {
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
 * A payment without a reference takes one of those that messages name, if the provider says that it is this payment's.
 */
async function look(context: PaymentContext, payment: PaymentRow, references: readonly string[]): Promise<Seen | null> {
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
      // The id of the money, say, which another message names together with the reference.
      if (!(error instanceof ProviderRefusal)) throw error;
    }
  }
  return null;
}

/**
 * The payment with its reference, which a message may have told first: the answer to the call that made the payment was
 * lost, or is still on its way. null: it has another one.
 */
async function adopt(tx: Tx, locked: LockedPayment, reference: string, now: Date): Promise<LockedPayment | null> {
  const { payment } = locked;
  if (payment.reference !== null) return payment.reference === reference ? locked : null;
  const isFinished = payment.status !== 'pending' && payment.owed === null;
  const checkAt = isFinished ? null : (payment.check_at ?? new Date(now.getTime() + firstLook));
  const adopted = { reference, check_at: checkAt };
  await tx.updateTable('payments').set(adopted).where('id', '=', payment.id).execute();
  return { ...locked, payment: { ...payment, ...adopted } };
}
