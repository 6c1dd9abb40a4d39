import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { capturedAmountOf, type ProviderPayment } from '#payment/payment-state.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import {
  ProviderKeysRefused,
  type ListedPayment,
  type PaymentProvider,
  ProviderRefusal,
} from '#payment/server/provider.ts';
import { readUnknownPaymentRow } from '#payment/server/since-copy/provider-reads.ts';
import { mayInvolveMoney, chooseMoneyReturnCall } from '#payment/unknown-payment.ts';
import { AppError } from '#platform/errors.ts';

/**
 * Stores listed payments that the shop does not know, if they may involve money. An answer older than the stored one
 * changes nothing.
 */
export async function saveUnknownPayments(
  db: Db,
  keySet: string,
  listed: readonly ListedPayment[],
  seenAt: Date,
): Promise<void> {
  for (const { paymentId, reference, description, createdAt, is } of listed) {
    const seen = seenAs(is, seenAt);
    if (mayInvolveMoney(is.state)) {
      await db
        .insertInto('unknown_payments')
        .values({
          id: paymentId,
          key_set: keySet,
          reference,
          description,
          currency: is.currency,
          dispute_status: null,
          created_at: createdAt,
          ...seen,
        })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ ...seen, description })
            .where('unknown_payments.seen_at', '<=', seenAt),
        )
        .execute();
    } else {
      await updateUnknown(db, paymentId, is, seenAt);
    }
  }
}

function seenAs(is: ProviderPayment, seenAt: Date) {
  return {
    intent: is.intent ?? null,
    state: is.state,
    amount: is.amount,
    captured: capturedAmountOf(is),
    refunded: is.refunded ?? (is.state === 'refunded' ? capturedAmountOf(is) : 0),
    seen_at: seenAt,
  };
}

async function updateUnknown(db: Db, id: string, is: ProviderPayment, seenAt: Date): Promise<void> {
  await db
    .updateTable('unknown_payments')
    .set(seenAs(is, seenAt))
    .where('id', '=', id)
    .where('seen_at', '<=', seenAt)
    .execute();
}

/**
 * Releases or refunds a payment whose order is not in the restored backup. The provider is asked first, and every call
 * uses the same key. So the money is returned once, even after a double click or a refund before the restore. Throws
 * `conflict` if the provider refuses or the payer's bank has the money. Throws `payment_unavailable` if the provider
 * does not answer or refuses the keys.
 */
export async function refundUnknownPayment(context: PaymentContext, id: string): Promise<void> {
  const { db, now } = context.services;
  const row = await readUnknownPaymentRow(db, id);
  if (row.dispute_status !== null && chooseMoneyReturnCall({ ...row, state: 'captured' }) === null)
    throw new AppError('conflict', m.payment_unknown_disputed());
  try {
    const provider = context.providerOf(row);
    const seenAt = now();
    await updateUnknown(db, id, await giveBack(provider, row), seenAt);
  } catch (error) {
    context.services.log.warn({ err: error, payment: id }, 'a payment without an order could not be given back');
    if (error instanceof ProviderRefusal) throw new AppError('conflict', m.payment_setup_said({ reason: error.said }));
    if (error instanceof ProviderKeysRefused) throw new AppError('payment_unavailable', m.payment_unknown_keys());
    throw new AppError('payment_unavailable', m.payment_unknown_no_answer());
  }
}

async function giveBack(
  provider: PaymentProvider,
  { id, reference }: { id: string; reference: string },
): Promise<ProviderPayment> {
  const key = `restored:${id}`;
  const before = await provider.fetch(reference);
  const way = chooseMoneyReturnCall({ state: before.state, dispute_status: null });
  // `void` finds a charge if somebody has paid on the page, or if the shop captured the hold before the restore. The
  // charge is then refunded.
  const is = way === 'release' ? await provider.void(reference, `${key}:release`) : before;
  if (is.state !== 'captured') return is;
  return provider.refund(reference, `${key}:refund:${failedOnes(is, key)}`);
}

/**
 * The number of failed refunds whose key begins with `key`. The next key contains this number, because the provider
 * answers a repeated key with the failed refund.
 */
function failedOnes({ refundList = [] }: ProviderPayment, key: string): number {
  return refundList.filter((refund) => refund.status === 'failed' && refund.key?.startsWith(key)).length;
}
