import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apportion,
  formatMoney,
  minorDigits,
  formatDecimalAmount,
  proportionalShare,
  vatInGross,
} from '#platform/money.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });

describe('apportion', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [100, [1, 2], [33, 67]],
    [5, [1000, 1000, 1000, 1000], [2, 1, 1, 1]],
    [0, [3, 4], [0, 0]],
    [7, [0, 0], [7, 0]],
    [7, [0, 2], [0, 7]],
    [7, [], []],
  ])('%d over %j is %j', (whole, weights, parts) => {
    expect(apportion(whole, weights)).toEqual(parts);
  });

  test('the parts sum to the whole, each within one of its exact share', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 8 }), (whole, weights) => {
        const parts = apportion(whole, weights);
        expect(sum(parts)).toBe(whole);
        fc.pre(sum(weights) > 0);
        for (const [index, part] of parts.entries()) {
          const exact = (BigInt(whole) * BigInt(weights[index] ?? 0)) / BigInt(sum(weights));
          expect([Number(exact), Number(exact) + 1]).toContain(part);
        }
      }),
    );
  });

  test('no part exceeds its weight while the whole does not exceed their sum', () => {
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, share) => {
          const whole = Math.floor(sum(weights) * share);
          for (const [index, part] of apportion(whole, weights).entries()) {
            expect(part).toBeLessThanOrEqual(weights[index] ?? 0);
          }
        },
      ),
    );
  });
});

describe('vatWithin', () => {
  test.each([
    [1200, 2000, 200],
    [999, 2000, 167],
    [1, 2000, 0],
    [3, 2000, 1],
    [1050, 500, 50],
    [1000, 0, 0],
    [0, 2000, 0],
  ])('%d pence at %d basis points contain %d', (gross, rate, vat) => {
    expect(vatInGross(gross, rate)).toBe(vat);
  });

  test('it lies between nothing and the whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 0, max: 10_000 }),
        (gross, rate) => {
          const vat = vatInGross(gross, rate);
          expect(Number.isSafeInteger(vat)).toBe(true);
          expect(vat).toBeGreaterThanOrEqual(0);
          expect(vat).toBeLessThanOrEqual(gross);
        },
      ),
    );
  });
});

test.each([
  [995, 1000, 10_000, 100],
  [994, 1000, 10_000, 99],
  [9_007_199_254_740_991, 10_000, 10_000, 9_007_199_254_740_991],
])('shareOf(%d, %d, %d) rounds half up to %d', (whole, part, of, expected) => {
  expect(proportionalShare(whole, part, of)).toBe(expected);
});

test.each([
  [1840, 'GBP', 'en-GB', '£18.40'],
  [0, 'GBP', 'en-GB', '£0.00'],
  [123_456_789, 'GBP', 'en-GB', '£1,234,567.89'],
  [500, 'JPY', 'en-GB', '¥500'],
  [2490, 'ISK', 'en-GB', 'kr\u00a02,490'],
  [2490, 'HUF', 'en-GB', 'Ft\u00a02,490'],
  [2490, 'KWD', 'en-GB', 'KWD\u00a02.490'],
  [1840, 'GBP', 'pl-PL', '18,40\u00a0£'],
])('%d of %s in %s reads %s', (minor, currency, locale, expected) => {
  expect(formatMoney(minor, currency, locale)).toBe(expected);
});

test.each([
  [1840, 'GBP', '18.40'],
  [1840, 'ISK', '1840'],
  [1840, 'BHD', '1.840'],
])('%d of %s are %s for machines', (minor, currency, expected) => {
  expect(formatDecimalAmount(minor, currency)).toBe(expected);
});

test.each(Intl.supportedValuesOf('currency'))('%s has as many decimals as this Node says', (currency) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  expect(minorDigits(currency)).toBe(format.resolvedOptions().maximumFractionDigits);
});
