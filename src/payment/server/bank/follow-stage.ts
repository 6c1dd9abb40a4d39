import type { Tx } from '#database/schema.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { DisputeStage } from '#payment/bank-rules.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import { owe, refundQueue, type RefundJob } from '#payment/server/owed.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * What a decided dispute does to refunds that waited for it, under the order's lock: they are made once the money is
 * back with the shop. If it stays with the payer they end, and people make what was not part of the dispute.
 */
export async function followStage(
  tx: Tx,
  { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>,
  { order, paymentId, stage }: { order: OrderRow; paymentId: string; stage: DisputeStage },
): Promise<void> {
  if (stage !== 'dispute_won' && stage !== 'dispute_lost') return;
  const { payment } = await lockPayment(tx, { id: paymentId, order_id: order.id });
  const waiting = tx.updateTable('refunds').where('payment_id', '=', paymentId).where('status', '=', 'pending');
  if (stage === 'dispute_won') {
    const refunds = await waiting.set({ check_at: now() }).returning('id').execute();
    for (const { id } of refunds) await jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
    // An order that ended before an appeal was won owes its money again.
    const isOwed = payment.owed === 'release' || (payment.status === 'captured' && isCalledOff(order.status));
    if (isOwed) await owe(tx, jobs, payment, 'release', now());
    return;
  }
  await waiting.set({ status: 'failed', check_at: null }).execute();
  // Ended by its job, which first asks what was refunded at the provider meanwhile.
  if (payment.owed === 'release' && payment.status === 'captured') await owe(tx, jobs, payment, 'release', now());
}
