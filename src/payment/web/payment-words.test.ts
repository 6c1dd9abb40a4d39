import { expect, test } from 'vitest';
import { paidMethodWords } from '#payment/web/payment-words.ts';

test.each([
  ['cash', 'terminal', 'Card machine'],
  ['card', 'terminal', 'Card machine'],
  ['card', 'cash', 'Cash'],
  ['cash', 'not_paid', 'Cash'],
  ['cash', null, 'Cash'],
  ['card', null, 'Card'],
] as const)('an order to be paid by %s, which staff noted as %s, is listed as %s', (payment_method, paid_by, words) => {
  expect(paidMethodWords({ payment_method, paid_by })).toBe(words);
});
