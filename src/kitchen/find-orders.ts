import type { Order } from '#ordering/order.ts';

/** Orders by number (whole), by part of a name, or by digits of a phone number; all of them for an empty text. */
export function findOrders(orders: readonly Order[], text: string): readonly Order[] {
  const wanted = text.trim().toLowerCase().replace(/^#/, '');
  if (wanted === '') return orders;
  const digits = /^[\d\s+().-]+$/.test(wanted) ? wanted.replaceAll(/\D/g, '') : '';
  return orders.filter(
    (order) =>
      order.number === wanted ||
      order.contact.name.toLowerCase().includes(wanted) ||
      // Fewer digits are an order's number rather than a phone's.
      (digits.length >= 4 && nationalDigits(order.contact.phone).includes(nationalDigits(digits))),
  );
}

/** `+44 7700 900123` and `07700 900123` are the same phone. */
function nationalDigits(phone: string): string {
  return phone.replaceAll(/\D/g, '').replace(/^(0044|44|0)/, '');
}
