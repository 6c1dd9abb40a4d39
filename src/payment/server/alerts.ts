import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { queueOrderMail } from '#ordering/server/mails/send-order-mails.ts';
import type { Store } from '#store/contract.ts';
import { formatMoney } from '#platform/money.ts';
import { type Alert, alertOwner } from '#alerts/server/alert-owner.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import type { Refund } from '#payment/refund.ts';

/**
 * Queues an alert to the owner and a mail to the customer that the card of an accepted order could not be charged. `tx`
 * is the transaction in which the shop gives up the charge.
 */
export async function announceFailedCapture(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now'>,
  order: OrderRow,
): Promise<void> {
  const known = await services.menus.store(tx, order.store_id);
  if (!known) throw new Error(`order ${order.id} belongs to no shop`);
  await alertOwner(tx, services, () => failedCaptureAlert(services.config, known.store, order));
  await queueOrderMail(tx, order, 'payment_failed', { now: services.now() });
}

export function failedCaptureAlert(
  config: { publicUrl: string },
  store: Pick<Store, 'id' | 'name' | 'currency'>,
  { number, total }: Pick<OrderRow, 'number' | 'total'>,
): Alert {
  return {
    kind: 'capture_failed',
    store: { id: store.id, name: store.name },
    subject: m.watch_capture_subject({ number, shop: store.name }),
    text: m.watch_capture({ number, amount: formatMoney(total, store.currency) }),
    link: { words: m.payment_alert_board(), link: `${config.publicUrl}/store/orders` },
  };
}

/**
 * Mails the customer about a failed refund, and alerts the owner, who has to refund the `due` part in another way.
 * During a dispute the payer may get the money from the bank, so the customer is not mailed, and the owner has to wait.
 */
export async function announceFailedRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now'>,
  order: OrderRow,
  { id, amount, currency, due, problem }: Pick<Refund, 'id' | 'amount' | 'currency' | 'due' | 'problem'>,
): Promise<void> {
  const isDisputed = problem === 'disputed';
  if (!isDisputed) await queueOrderMail(tx, order, 'refund_failed', { now: services.now(), refundId: id });
  if (!isDisputed && due === 0) return;
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  const refund = { number: order.number, amount: isDisputed ? amount : due, currency, isDisputed };
  await alertOwner(tx, services, () => failedRefundAlert(services.config, store, refund));
}

export function failedRefundAlert(
  config: { publicUrl: string },
  store: Pick<Store, 'id' | 'name'> | undefined,
  {
    number,
    amount,
    currency,
    isDisputed,
  }: Pick<Refund, 'amount' | 'currency'> & { number: number; isDisputed: boolean },
): Alert {
  const words = { number: String(number), amount: formatMoney(amount, currency) };
  return {
    kind: 'refund_failed',
    store: store ? { id: store.id, name: store.name } : null,
    subject: isDisputed ? m.payment_refund_disputed_alert_subject(words) : m.payment_refund_alert_subject(words),
    text: isDisputed ? m.payment_refund_disputed_alert(words) : m.payment_refund_alert(words),
    link: { words: m.payment_alert_open(), link: `${config.publicUrl}/admin/payments?show=refunds` },
  };
}
