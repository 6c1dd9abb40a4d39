import type { Order } from '#ordering/order.ts';
import { isUnpaid } from '#ordering/order-status.ts';
import { mayPay } from '#ordering/payment-status.ts';

type Returned = Pick<Order, 'status' | 'payment_method' | 'payment_status' | 'payment_processing'> & {
  payment: Pick<Order['payment'], 'redirect_url'>;
};

/**
 * Whether the provider may still report how an order's payment went. Not after it was declined, nor when its customer
 * left the page without paying: then no page is open, and the order waits for another attempt. Nor while the payer's bank
 * is being asked, which may take long: the order's page tells that. An accepted order stays `failed` while its new page is
 * open.
 */
export function isAwaitingProvider(order: Returned): boolean {
  const isDeclined = isUnpaid(order.status) && order.payment_status === 'failed';
  return mayPay(order) && !isDeclined && !order.payment_processing && order.payment.redirect_url !== null;
}
