import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  makeCreateOperation,
  indexParts,
  makeLinkOperation,
} from '#menu/operations/menu-operation.ts';
import { asPrice, sampleParts } from '#menu/testing/sample-parts.ts';
import {
  planBulkPrices,
  applyPriceRule,
  readPriceRule,
  roundingKinds,
  roundingsOfCurrency,
} from '#menu/web/editor/tree/bulk-price-dialog.tsx';

test.each([
  [950, { by: 'percent', amount: 1000, rounding: 'none' }, 1045],
  [950, { by: 'percent', amount: -1000, rounding: 'none' }, 855],
  [333, { by: 'percent', amount: 500, rounding: 'none' }, 350],
  [950, { by: 'amount', amount: 50, rounding: 'none' }, 1000],
  [30, { by: 'amount', amount: -50, rounding: 'none' }, 0],
  [950, { by: 'percent', amount: 250, rounding: 'five' }, 975],
  [952, { by: 'amount', amount: 0, rounding: 'five' }, 950],
  [953, { by: 'amount', amount: 0, rounding: 'five' }, 955],
  [945, { by: 'amount', amount: 0, rounding: 'ten' }, 950],
  [944, { by: 'amount', amount: 0, rounding: 'ten' }, 940],
  [1045, { by: 'amount', amount: 0, rounding: 'ninety_nine' }, 999],
  [1050, { by: 'amount', amount: 0, rounding: 'ninety_nine' }, 1099],
  [20, { by: 'amount', amount: 0, rounding: 'ninety_nine' }, 99],
  [0, { by: 'amount', amount: 100, rounding: 'ninety_nine' }, 0],
] as const)('%i pence by %o become %i', (price, rule, wanted) => {
  expect(applyPriceRule(price, rule)).toBe(wanted);
});

test('a new price is a whole amount between 0 and the maximum, and rounding moves it by at most half a step', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.constantFrom('percent', 'amount'),
      fc.integer({ min: -10_000, max: 50_000 }),
      fc.constantFrom(...roundingKinds),
      (price, by, amount, rounding) => {
        const rounded = applyPriceRule(price, { by, amount, rounding });
        const plain = applyPriceRule(price, { by, amount, rounding: 'none' });
        const step = { none: 0, five: 5, ten: 10, ninety_nine: 100 }[rounding];
        expect(Number.isInteger(rounded) && rounded >= 0 && rounded <= 1_000_000).toBe(true);
        const isAtTheEnd = plain <= 99 || plain >= 999_950;
        expect(isAtTheEnd || Math.abs(rounded - plain) <= step / 2 + 0.5).toBe(true);
      },
    ),
  );
});

test.each([
  ['GBP', 'amount', 0.5, 50],
  ['GBP', 'percent', 2.5, 250],
  ['ISK', 'amount', 100, 100],
  ['ISK', 'percent', 2.5, 250],
  ['KWD', 'amount', 0.25, 250],
  ['ISK', 'amount', Number.NaN, 0],
] as const)('in %s, by %s, %d means %i', (currency, by, typed, amount) => {
  expect(readPriceRule(by, typed, 'none', currency)).toEqual({ by, amount, rounding: 'none' });
});

test('no price ends in .99 in a currency without hundredths', () => {
  expect(roundingsOfCurrency('GBP')).toEqual(roundingKinds);
  expect(roundingsOfCurrency('ISK')).toEqual(['none', 'five', 'ten']);
});

test('of a dish whose sizes are its price, these change; whoever shares them is named', () => {
  const parts = applyOperations(sampleParts(), [
    makeChangeOperation('group', 'size', asPrice),
    makeChangeOperation('group', 'size', { options: [{ id: 'small', price_override: 700 }] }),
    makeCreateOperation('item', { id: 'calzone', name: 'Calzone', price: 900 }),
    makeLinkOperation('item', 'calzone', ['size']),
  ]);
  const index = indexParts(parts);
  const chosen = parts.items.filter(({ id }) => id === 'pizza' || id === 'soup');
  const rule = { by: 'percent', amount: 1000, rounding: 'none' } as const;
  const { changes, operations, others } = planBulkPrices(index, chosen, rule, { withOptions: false, at: null });
  expect(changes.map(({ name, was, price }) => [name, was, price])).toEqual([
    ['Soup', 450, 495],
    ['Pizza · Size: Small', 700, 770],
    ['Pizza · Size: Large', 300, 330],
  ]);
  expect(others.map(({ name }) => name)).toEqual(['Calzone']);
  const after = indexParts(applyOperations(parts, operations));
  expect(after.groups.get('size')?.options[0]).toEqual({ id: 'small', price_override: 770 });
  expect([after.options.get('large')?.price, after.items.get('pizza')?.price]).toEqual([330, 950]);
  const withAll = planBulkPrices(index, chosen, rule, { withOptions: true, at: null }).changes.map(({ name }) => name);
  expect(withAll).toEqual(['Soup', 'Pizza · Size: Small', 'Pizza · Size: Large', 'Pizza · Toppings: Olives']);
});
