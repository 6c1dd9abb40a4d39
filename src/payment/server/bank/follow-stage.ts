import type { Tx } from '#database/schema.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { DisputeStage } from '#payment/bank-rules.ts';
import { paysOrder } from '#payment/balance.ts';
import { wakeRefunds } from '#payment/server/ledger.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import { owe } from '#payment/server/owed.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * The effect of a decided dispute on refunds that waited for it, under the order's lock: they are made once the money
 * is back with the shop. If it stays with the payer they end, and people refund the rest. Either is done by their jobs,
 * which first ask the provider for refunds meanwhile.
 */
export async function followStage(
  tx: Tx,
  { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>,
  { order, paymentId, stage }: { order: OrderRow; paymentId: string; stage: DisputeStage },
): Promise<void> {
  if (stage !== 'dispute_won' && stage !== 'dispute_lost') return;
  const locked = await lockPayment(tx, { id: paymentId, order_id: order.id });
  await wakeRefunds(tx, { jobs, now }, paymentId);
  const { payment } = locked;
  const [isCharged, isWon] = [payment.status === 'captured', stage === 'dispute_won'];
  // Money that the order did not need, or no longer needs, is owed again once an appeal was won.
  const isNeeded = paysOrder(locked, payment.status) && !isCalledOff(order.status);
  const isOwed = payment.owed === 'release' ? isCharged || isWon : isCharged && isWon && !isNeeded;
  if (isOwed) await owe(tx, jobs, payment, 'release', now());
}
