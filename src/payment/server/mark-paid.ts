import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { isAccepted } from '#ordering/order-status.ts';
import { isStaffChannel } from '#ordering/next-status.ts';
import { lockReferencedOrder, changeMoneyWithHistory } from '#ordering/server/change-orders.ts';
import { closePaymentPages } from '#payment/server/owed-calls.ts';
import { AppError } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { PaymentMethod } from '#store/contract.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Marks an order as paid in cash or at the shop's own card machine. This needs an accepted order whose card payment
 * failed, an unpaid till order, or an order that was handed over unpaid. Throws 409 for any other order.
 */
export async function markPaid(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'now' | 'outbox' | 'prints'>,
  { orderId, method, viewer }: { orderId: string; method: PaymentMethod; viewer: Pick<Viewer, 'id' | 'name'> },
): Promise<void> {
  const order = await lockReferencedOrder(tx, orderId);
  const isFailed = order.payment_status === 'failed';
  const isAtTill = order.payment_status === 'unpaid' && (isStaffChannel(order.channel) || order.paid_by === 'not_paid');
  if (!(isFailed || isAtTill) || !isAccepted(order.status)) {
    throw new AppError('conflict', m.payment_not_failed());
  }
  const now = services.now();
  const set = {
    payment_status: 'paid' as const,
    payment_method: method,
    paid_by: method === 'cash' ? ('cash' as const) : ('terminal' as const),
  };
  // The customer may have a payment page open, on which they must not pay a second time.
  await closePaymentPages(tx, services.jobs, orderId, now);
  if (method === 'cash') {
    await services.prints.cashRecorded(tx, { order: { ...order, ...set }, now });
  }
  await changeMoneyWithHistory(tx, services.outbox, order, {
    set,
    by: { actor: viewer.name, actorId: viewer.id },
    note: { kind: 'marked_paid' },
    at: now,
  });
}
