import type { Tx } from '#database/schema.ts';
import { refundedOf } from '#payment/movements.ts';
import { planRefund, refundable, sumOf } from '#payment/refund-rules.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { noteFailedRefund } from '#payment/server/fail-refunds.ts';
import { insertRefund } from '#payment/server/insert-refund.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { movementsOf } from '#payment/server/movements.ts';
import { paidBy } from '#payment/server/refund-excess.ts';
import { type RefundRow, refundsInForce } from '#payment/server/refund-rows.ts';
import type { PaymentRow } from '#payment/server/owed.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * What the payer has not got back of a payment, minor units: by refunds that did not fail, by hand, or by their bank.
 * More may have moved at the provider than the order's refunds say, because those never exceed its total.
 */
export async function leftOf(tx: Tx, payment: PaymentRow, ours: readonly RefundRow[]): Promise<number> {
  const own = ours.filter(({ payment_id }) => payment_id === payment.id);
  const pending = own.filter(({ status }) => status === 'pending');
  const byHand = ours.filter(({ payment_id }) => payment_id === null);
  const moved = sumOf(own) - sumOf(pending);
  const back = Math.max(moved, refundedOf(await movementsOf(tx, payment.id))) + sumOf(pending) + sumOf(byHand);
  const atBank = await findAtBank(tx, payment.id);
  return paidBy(payment) - back - (atBank?.amount ?? 0);
}

/**
 * Ends the release of captured money that the provider will not refund. What the payer has not got back, from the shop
 * or by a lost dispute, becomes a failed refund, for people to make in another way.
 */
export async function handOverRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>,
  { order, payment }: LockedPayment,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ owed: null, check_at: null, updated_at: services.now() })
    .where('id', '=', payment.id)
    .execute();
  const ours = await refundsInForce(tx, order.id);
  const left = Math.min(await leftOf(tx, payment, ours), refundable(order, ours));
  if (left <= 0) return;
  const plan = planRefund(order, ours, { amount: left });
  if ('fault' in plan) throw new Error(`refund of order ${order.id}: ${plan.fault}`);
  const refund = await insertRefund(tx, services, order, {
    payment,
    plan,
    kind: 'order_ended',
    status: 'failed',
    reason: '',
    actor: 'system',
    actorId: null,
  });
  await noteFailedRefund(tx, services, order, refund);
}
