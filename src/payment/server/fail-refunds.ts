import type { Tx } from '#database/schema.ts';
import { noteMoney } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { refundKey } from '#payment/pair-refunds.ts';
import type { ProviderRefund } from '#payment/payment-state.ts';
import { alertOfFailedRefund } from '#payment/server/alert-refund.ts';
import type { PaymentRow } from '#payment/server/owed.ts';
import type { RefundRow } from '#payment/server/refund-rows.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Marks refunds as failed that were made, and whose money the payer's bank has sent back since: people have to give it
 * back in another way. Returns whether there were any.
 */
export async function failRefunds(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  payment: Pick<PaymentRow, 'id'>,
  seen: readonly ProviderRefund[],
): Promise<boolean> {
  const failed = seen.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return false;
  const made = await tx
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', payment.id)
    .where('status', '=', 'succeeded')
    .orderBy('id')
    .execute();
  const back = made.filter((refund) =>
    failed.some(({ id, key }) => id === refund.provider_refund || key === refundKey(refund)),
  );
  for (const refund of back) {
    await tx.updateTable('refunds').set({ status: 'failed' }).where('id', '=', refund.id).execute();
    await noteFailedRefund(tx, services, order, refund);
  }
  return back.length > 0;
}

type FailServices = Pick<PaymentServices, 'adminEmails' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>;

/** Says in the order's history that a refund failed, and tells the owner: people have to make it in another way. */
export async function noteFailedRefund(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  { amount, currency }: Pick<RefundRow, 'amount' | 'currency'>,
): Promise<void> {
  await noteMoney(tx, services.outbox, order, {
    by: { actor: 'system', actorId: null },
    note: { kind: 'refund_failed', amount, currency },
    at: services.now(),
  });
  await alertOfFailedRefund(tx, services, order, { amount, currency });
}
