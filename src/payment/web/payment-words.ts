import { m } from '#messages';
import type { OrderPayment, OrderPayments } from '#payment/contract.ts';
import type { CardPaymentState } from '#payment/setup-contract.ts';
import { effectivePaymentMethod } from '#ordering/payment-status.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import type { PaymentMethod } from '#store/contract.ts';

export const paymentStatusWords: Record<PaymentStatus, () => string> = {
  unpaid: m.payment_status_unpaid,
  authorised: m.payment_status_authorised,
  paid: m.payment_status_paid,
  partially_refunded: m.payment_status_partially_refunded,
  refunded: m.payment_status_refunded,
  voided: m.payment_status_voided,
  failed: m.payment_status_failed,
};

export const paymentMethodWords: Record<PaymentMethod, () => string> = {
  card: m.payment_method_card,
  cash: m.payment_method_cash,
};

/** How an order was paid: online, in cash or at the card machine. Before the payment, this is the chosen method. */
export function paidMethodWords(order: Pick<OrderPayment, 'payment_method' | 'paid_by'>): string {
  return order.paid_by === 'terminal'
    ? m.payment_method_terminal()
    : paymentMethodWords[effectivePaymentMethod(order)]();
}

export function unchargedOrdersWords({ uncharged }: CardPaymentState): string {
  const numbers = uncharged.map(({ order_number }) => order_number).join(', ');
  return m.payment_keys_uncharged({ count: uncharged.length, numbers });
}

export function underchargeWords(
  { short, total }: Pick<OrderPayments, 'short' | 'total'>,
  say: (amount: number) => string,
) {
  return m.payment_short({ short: say(short), total: say(total) });
}
