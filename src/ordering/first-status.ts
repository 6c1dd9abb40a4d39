import { isUnanswered } from '#ordering/order-status.ts';
import type { OrderChannel, OrderStatus } from '#ordering/order.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';

/** The first status of a new order: one by card waits for its payment, unless it is paid at the till or costs nothing. */
export function firstStatus(order: {
  channel: OrderChannel;
  payment_method: PaymentMethod;
  total: number;
}): OrderStatus {
  const waits = order.payment_method === 'card' && !isStaffChannel(order.channel) && order.total > 0;
  return waits ? 'pending_payment' : 'placed';
}

/** Whether nobody needs to accept it once it is placed: staff accepted by entering it, or the shop always accepts. */
export function isAcceptedAtOnce(
  { status, channel }: { status: OrderStatus; channel: OrderChannel },
  store: Pick<Store, 'auto_accept'>,
): boolean {
  return isUnanswered(status) && (isStaffChannel(channel) || store.auto_accept);
}

/** Entered by staff: it is paid at the till and not through the provider. */
export function isStaffChannel(channel: OrderChannel): boolean {
  return channel === 'phone' || channel === 'counter';
}
