import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '#database/schema.ts';
import { movementsSince, type Movement } from '#payment/movements.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import type { PaymentRow } from '#payment/server/lock-payment.ts';

type Moved = Pick<PaymentRow, 'id' | 'order_id' | 'currency' | 'intent' | 'reference'>;

/**
 * Adds the movements since the last look to the journal, in the transaction that applies them. The payment is locked.
 */
export async function noteMovements(tx: Tx, payment: Moved, seen: ProviderPayment, now: Date): Promise<void> {
  const known = await movementsOf(tx, payment.id);
  const object = seen.intent ?? payment.intent ?? payment.reference;
  await addMovements(tx, payment, movementsSince(known, seen, object), now);
}

/** The movements of a payment, as far as the shop has heard. */
export function movementsOf(tx: Tx, paymentId: string): Promise<Movement[]> {
  return tx
    .selectFrom('payment_movements')
    .select(['kind', 'amount', 'object'])
    .where('payment_id', '=', paymentId)
    .execute();
}

/** Adds movements of a payment's money to the journal: the only way in. They are chained after the commit. */
export async function addMovements(
  tx: Tx,
  { id, order_id, currency }: Pick<Moved, 'id' | 'order_id' | 'currency'>,
  movements: readonly Movement[],
  now: Date,
): Promise<void> {
  if (movements.length === 0) return;
  await tx
    .insertInto('payment_movements')
    .values(movements.map((moved) => ({ ...moved, id: randomUUIDv7(), order_id, payment_id: id, currency, at: now })))
    .execute();
}

/** The provider's ids of a payment's refunds whose money came back. */
export async function failedThere(tx: Tx, paymentId: string): Promise<ReadonlySet<string>> {
  const failed = (await movementsOf(tx, paymentId)).filter(({ kind }) => kind === 'refund_failed');
  return new Set(failed.flatMap(({ object }) => object ?? []));
}
