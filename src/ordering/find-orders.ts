import type { Order } from '#ordering/order.ts';
import { foldText, createSearchMatcher } from '#platform/fold-text.ts';
import { nationalDigits, toPlainLine, phoneDigitsOfSearch } from '#platform/plain-text.ts';

export interface OrderSearch {
  text: string;
  /** The search text as an order's number; null if it is not a whole number of up to six digits. */
  number: number | null;
  /**
   * The search text as digits of a phone number, without country or trunk prefix; null if it cannot be a phone number.
   */
  digits: string | null;
}

export function parseOrderSearch(search: string): OrderSearch {
  const text = foldText(toPlainLine(search).trim()).replace(/^#/, '');
  return {
    text,
    number: /^\d{1,6}$/.test(text) ? Number(text) : null,
    digits: phoneDigitsOfSearch(text),
  };
}

/**
 * Filters orders by their number, by part of a name, or by digits of a phone number. An empty text keeps all orders.
 */
export function filterOrdersBySearch<T extends Pick<Order, 'number' | 'contact'>>(
  orders: readonly T[],
  search: string,
): readonly T[] {
  const { text, number, digits } = parseOrderSearch(search);
  if (text === '') return orders;
  const isNamed = createSearchMatcher(text);
  return orders.filter(
    (order) =>
      (number !== null && order.number === String(number)) ||
      isNamed(order.contact.name) ||
      (digits !== null && nationalDigits(order.contact.phone).includes(digits)),
  );
}
