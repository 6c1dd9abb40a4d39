import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { isAccepted } from '#ordering/order-status.ts';
import { isStaffChannel } from '#ordering/next-status.ts';
import { lockKnownOrder, recordMoney } from '#ordering/server/change-orders.ts';
import { closePages } from '#payment/server/owed.ts';
import { AppError } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { PaymentMethod } from '#store/contract.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Marks an order as paid another way, in cash or with the shop's own card machine: one whose card payment failed, one
 * that staff entered and that is paid before it is handed over, or one that was handed over unpaid. The provider holds no
 * money for it. Throws 409 for all others.
 */
export async function markPaid(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'now' | 'outbox' | 'prints'>,
  { orderId, method, viewer }: { orderId: string; method: PaymentMethod; viewer: Pick<Viewer, 'id' | 'name'> },
): Promise<void> {
  const order = await lockKnownOrder(tx, orderId);
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
  // On a page that its customer has opened since nobody pays a second time.
  await closePages(tx, services.jobs, orderId, now);
  if (method === 'cash') {
    await services.prints.cashRecorded(tx, { order: { ...order, ...set }, now });
  }
  await recordMoney(tx, services.outbox, order, {
    set,
    by: { actor: viewer.name, actorId: viewer.id },
    note: { kind: 'marked_paid' },
    at: now,
  });
}
