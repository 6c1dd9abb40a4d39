import type { Tx } from '#database/schema.ts';
import { refundedOf } from '#payment/movements.ts';
import { sumOf } from '#payment/refund-rules.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { movementsOf } from '#payment/server/movements.ts';
import { type LockedPayment, paysOrder } from '#payment/server/lock-payment.ts';
import { paidBy } from '#payment/server/refund-excess.ts';
import type { RefundRow } from '#payment/server/refund-rows.ts';

/**
 * What the payer has not got back of a payment, minor units: by refunds that did not fail, by hand, or by their bank.
 * More may have moved at the provider than the order's refunds say, because those never exceed its total. What was given
 * back by hand of an order that was paid another way is no part of it.
 */
export async function leftOf(tx: Tx, locked: LockedPayment, ours: readonly RefundRow[]): Promise<number> {
  const { payment } = locked;
  const own = ours.filter(({ payment_id }) => payment_id === payment.id);
  const pending = own.filter(({ status }) => status === 'pending');
  const isOfOrder = paysOrder(locked, payment.status);
  const byHand = ours.filter(({ payment_id, kind }) => payment_id === null && (kind !== 'late_payment') === isOfOrder);
  const moved = sumOf(own) - sumOf(pending);
  const back = Math.max(moved, refundedOf(await movementsOf(tx, payment.id))) + sumOf(pending) + sumOf(byHand);
  const atBank = await findAtBank(tx, payment.id);
  return paidBy(payment) - back - (atBank?.amount ?? 0);
}
