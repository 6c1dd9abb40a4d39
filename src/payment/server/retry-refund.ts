import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { lockKnownOrder, noteMoney } from '#ordering/server/change-orders.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { haveKeysEnded } from '#payment/server/keys/ended-keys.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import { draftOf, moneyAfter, takeAgain } from '#payment/refund-steps.ts';
import { readRefundStates } from '#payment/server/read-balance.ts';
import { newRefundId, type RefundRow, refundsOf, takeQuietSteps } from '#payment/server/ledger.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { AppError } from '#platform/errors.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Tries a failed refund again at the provider, or records that it was made by hand instead, and returns its id. If only a part
 * is due, that becomes a refund of its own: what the payer got back in another way stays failed, to be due if that comes back.
 */
export async function retryRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now' | 'outbox'>,
  { id, by, actor, actorId }: { id: string; by: 'provider' | 'hand'; actor: string; actorId: string | null },
): Promise<string> {
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
  const through = by === 'hand' ? null : refund.payment_id;
  const draft = draftOf({ order, refunds: await refundsOf(tx, order.id) }, newRefundId);
  const made = takeAgain(draft, refund, { due, through });
  await takeQuietSteps(tx, services, order, draft.steps);
  if (through !== null) return made;
  await noteMoney(tx, services.outbox, order, {
    ...(refund.kind !== 'late_payment' && { set: moneyAfter(draft) }),
    by: { actor, actorId },
    note: { kind: 'refund_by_hand', amount: due, currency: refund.currency },
    at: services.now(),
  });
  return made;
}

/** The minor units of a failed refund that are due. Throws `conflict` where that cannot be made in this way. */
async function dueToRetry(tx: Tx, order: OrderRow, refund: RefundRow, by: 'provider' | 'hand'): Promise<number> {
  if (refund.payment_id === null) return refund.amount;
  const { payment } = await lockPayment(tx, { id: refund.payment_id, order_id: order.id });
  const isAtBank = (await findAtBank(tx, payment.id)) !== null;
  const { due = 0 } = (await readRefundStates(tx, [order.id])).get(refund.id) ?? {};
  // The money at the payer's bank would go back twice.
  if (isAtBank && (by === 'provider' || due === 0)) throw new AppError('conflict', m.payment_refund_disputed());
  if (by === 'provider' && (await haveKeysEnded(tx, payment.key_set))) {
    throw new AppError('conflict', m.payment_refund_keys_ended());
  }
  if (due === 0) throw new AppError('conflict', m.payment_refund_nothing_left());
  return due;
}
