import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { formatMoney } from '#platform/money.ts';
import { alertOwner } from '#alerts/server/alert-owner.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/** Queues an alert about an accepted order whose card could not be charged, in the transaction that gives it up. */
export async function alertOfFailedCapture(
  tx: Tx,
  services: Pick<PaymentServices, 'adminEmails' | 'config' | 'jobs' | 'mail' | 'menus' | 'now'>,
  order: OrderRow,
): Promise<void> {
  const known = await services.menus.store(tx, order.store_id);
  if (!known) throw new Error(`order ${order.id} belongs to no shop`);
  const { store } = known;
  const { number } = order;
  await alertOwner(tx, services, {
    kind: 'capture_failed',
    store: { id: store.id, name: store.name },
    subject: m.watch_capture_subject({ number, shop: store.name }),
    text: m.watch_capture({
      number,
      amount: formatMoney(order.total, store.currency),
      link: `${services.config.publicUrl}/store/orders`,
    }),
  });
}
