import { randomUUIDv7 } from 'node:crypto';
import { orderLine } from '#payment/testing/order-line.ts';

export const [pizza, chips] = [randomUUIDv7(), randomUUIDv7()];

/** Of which dishes are taken off: two pizzas at £5 and chips at £2.50, £12.50. */
export const meal = {
  lines: [orderLine(pizza, 'Pizza', 2, 500), orderLine(chips, 'Chips', 1, 250)],
  vat: [{ rate: 2000, net: 1042, vat: 208 }],
};
