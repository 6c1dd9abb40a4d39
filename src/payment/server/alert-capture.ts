import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { formatMoney } from '#platform/money.ts';
import { alertOwner } from '#alerts/server/alert-owner.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/** Owes the owner an alert about an accepted order whose card could not be charged, in the transaction that gives it up. */
export async function alertOfFailedCapture(
  tx: Tx,
  services: Pick<PaymentServices, 'config' | 'jobs' | 'mail' | 'now'>,
  order: OrderRow,
): Promise<void> {
  const store = await tx
    .selectFrom('stores')
    .select(['id', 'name', 'currency'])
    .where('id', '=', order.store_id)
    .executeTakeFirstOrThrow();
  const { number } = order;
  await alertOwner(tx, services, {
    kind: 'capture_failed',
    store,
    subject: m.watch_capture_subject({ number, shop: store.name }),
    text: m.watch_capture({
      number,
      amount: formatMoney(order.total, store.currency),
      link: `${services.config.publicUrl}/store/orders`,
    }),
  });
}
