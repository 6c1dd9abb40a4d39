import { m } from '#messages';
import { mailPromise } from '#mail/web/mail-promise.ts';
import type { Order } from '#ordering/order.ts';

/** How a customer hears of an order without notifications. */
export function newsWithoutPush({ contact: { email } }: { contact: Pick<Order['contact'], 'email'> }): string {
  const stay = m.ordering_push_stay_here();
  return email === '' ? stay : mailPromise(m.ordering_push_by_mail({ email }), stay);
}
