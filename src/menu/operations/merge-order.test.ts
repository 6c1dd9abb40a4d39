import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeOrder } from '#menu/operations/merge-order.ts';

test.each([
  ['cab', 'abc', 'cab'],
  ['cab', 'abcd', 'cdab'],
  ['cab', 'xabc', 'xcab'],
  ['cab', 'ac', 'ca'],
  ['', 'ab', 'ab'],
])('wishing %s over %s gives %s', (wished, today, merged) => {
  expect(mergeOrder([...wished], [...today]).join('')).toBe(merged);
});

test('a merged order names every current entry exactly once, and keeps the wished order of the entries that remain', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
  fc.assert(
    fc.property(ids, ids, (wished, today) => {
      const merged = mergeOrder(wished, today);
      expect(merged.toSorted()).toEqual(today.toSorted());
      expect(merged.filter((id) => wished.includes(id))).toEqual(wished.filter((id) => today.includes(id)));
    }),
  );
});
