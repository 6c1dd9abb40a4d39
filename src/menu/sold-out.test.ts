import { expect, test } from 'vitest';
import { isSoldOut, stockFields } from '#menu/sold-out.ts';

const now = new Date('2026-11-20T18:00:00Z');

test.each([
  [true, null, false],
  [true, '2026-11-20T19:00:00Z', false],
  [false, null, true],
  [false, '2026-11-20T18:00:01Z', true],
  [false, '2026-11-20T18:00:00Z', false],
  [false, '2026-11-20T17:00:00Z', false],
])('available %s until %s: sold out %s', (is_available, unavailable_until, expected) => {
  expect(isSoldOut({ is_available, unavailable_until }, now)).toBe(expected);
});

test.each([
  [{ name: 'Bread' }, {}],
  [{ is_available: false }, { is_available: false, unavailable_until: null }],
  [
    { is_available: false, unavailable_until: '2026-11-21T05:00:00Z' },
    { is_available: false, unavailable_until: '2026-11-21T05:00:00Z' },
  ],
  [
    { is_available: true, unavailable_until: '2026-11-21T05:00:00Z' },
    { is_available: true, unavailable_until: null },
  ],
])('the change %j writes %j', (change, written) => {
  expect(stockFields(change)).toEqual(written);
});
