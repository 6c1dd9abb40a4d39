import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney } from '#platform/money.ts';
import { parseMoney, parseMoneyField } from '#platform/parse-money.ts';

test.each([
  ['£1.50', 150],
  ['1.5', 150],
  ['1,50', 150],
  ['.5', 50],
  ['150p', 150],
  [' 150 P ', 150],
  ['12', 1200],
  ['£1,250.00', 125_000],
  ['GBP 3', 300],
  ['0', 0],
  ['7.5000', 750],
  ['£7,500000', 750],
  ['7.5001', null],
  ['1.500', null],
  ['1.505', null],
  ['-1', null],
  ['1.2.3', null],
  ['free', null],
  ['', null],
  ['.', null],
  ['£', null],
])('%j typed as a price is %s pence', (text, expected) => {
  expect(parseMoney(text, 'GBP')).toBe(expected);
});

test('an amount that is shown can be typed back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (amount) => {
      expect(parseMoney(formatMoney(amount, 'GBP'), 'GBP')).toBe(amount);
    }),
  );
});

test.each([
  ['', 0, { amount: 0 }],
  ['  ', null, { amount: null }],
  ['1.5', null, { amount: 150 }],
  ['0', null, { amount: 0 }],
  ['12x', 0, null],
] as const)('a field with %j, in which nothing means %j, is read as %j', (text, empty, read) => {
  expect(parseMoneyField(text, { currency: 'GBP', empty })).toEqual(read);
});
