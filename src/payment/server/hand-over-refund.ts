import type { Tx } from '#database/schema.ts';
import { planRefund, refundable } from '#payment/refund-rules.ts';
import { failLateRefund, noteFailedRefund } from '#payment/server/fail-refunds.ts';
import { insertRefund } from '#payment/server/insert-refund.ts';
import { paysOrder } from '#payment/balance.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { readBalance } from '#payment/server/read-balance.ts';
import { refundsInForce } from '#payment/server/refund-rows.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Ends the release of captured money that the provider will not refund. What the payer has not got back, from the shop
 * or by a lost dispute, becomes a failed refund, for people to make in another way.
 */
export async function handOverRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>,
  locked: LockedPayment,
): Promise<void> {
  const { order, payment } = locked;
  await tx
    .updateTable('payments')
    .set({ owed: null, check_at: null, updated_at: services.now() })
    .where('id', '=', payment.id)
    .execute();
  if (!paysOrder(locked, payment.status)) return failLateRefund(tx, services, locked);
  const ours = await refundsInForce(tx, order.id);
  const amount = Math.min((await readBalance(tx, locked)).left, refundable(order, ours));
  if (amount <= 0) return;
  const plan = planRefund(order, ours, { amount });
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
