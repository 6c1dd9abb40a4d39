import type { Order } from '#ordering/order.ts';
import { isAwaitingPayment } from '#ordering/order-status.ts';
import { mayPayOnline } from '#ordering/payment-status.ts';

type Returned = Pick<Order, 'status' | 'payment_method' | 'payment_status' | 'payment_processing'> & {
  payment: Pick<Order['payment'], 'redirect_url'>;
};

/**
 * Whether the provider is expected to report the result of an order's payment soon. False after a decline, after the
 * payment page ended without a payment, and while the payer's bank decides. An accepted order keeps the status `failed`
 * while the customer pays again, so `failed` means a decline only before acceptance.
 */
export function isAwaitingProvider(order: Returned): boolean {
  const isDeclined = isAwaitingPayment(order.status) && order.payment_status === 'failed';
  return mayPayOnline(order) && !isDeclined && !order.payment_processing && order.payment.redirect_url !== null;
}
