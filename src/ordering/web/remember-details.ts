import { m } from '#messages';
import { isSameAddress } from '#accounts/addresses.ts';
import { readSession, takeUser } from '#accounts/web/session.ts';
import type { Order } from '#ordering/order.ts';
import { readAddressWish } from '#ordering/web/checkout-draft.ts';
import { keepGuestDetails } from '#ordering/web/guest-details.ts';
import { keepLastMethod } from '#ordering/web/last-method.ts';
import { api } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';

/** After an order is placed: saves its address to the account, if wished; a guest's details stay on the device. */
export function rememberDetails(order: Pick<Order, 'contact' | 'address' | 'payment_method'>): void {
  const { contact, address, payment_method: method } = order;
  keepLastMethod(method);
  const { user } = readSession();
  if (!user) return keepGuestDetails({ contact, address });
  const { isWanted, replaces } = readAddressWish();
  if (!address || !isWanted || user.addresses.some((each) => isSameAddress(each, address))) return;
  // The page may be left immediately for the payment.
  api('POST /v1/auth/user/addresses', { address, ...(replaces && { replaces }) }, { keepalive: true }).then(
    ({ data }) => takeUser(data),
    () => notify({ text: m.ordering_address_not_saved() }),
  );
}
