import { expect, test } from 'vitest';
import { findTipProblem } from '#ordering/tip.ts';

test.each([
  ['none', 0, 850, true],
  ['as much as the basket', 7000, 7000, true],
  ['a penny more', 7001, 7000, false],
  ['ten pounds for a small basket', 1000, 250, true],
  ['more than that for one', 1001, 250, false],
  ['the most that the contract takes', 100_000, 500_000, true],
  ['more than that, however large the basket', 100_001, 500_000, false],
])('a tip is taken or not: %s', (_, tip, subtotal, isTaken) => {
  expect(findTipProblem(tip, subtotal, 'GBP') === null).toBe(isTaken);
});

test('one that is too large says how much may be given', () => {
  expect(findTipProblem(99_900, 7040, 'GBP')).toEqual({
    code: 'tip_too_large',
    path: 'tip',
    message: expect.stringContaining('£70.40'),
  });
});
