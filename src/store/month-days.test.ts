import { expect, test } from 'vitest';
import { dateAfterArrowKey, addMonths, weeksOfMonth } from '#store/month-days.ts';

test.each([
  // December 2026 begins on a Tuesday; February 2027 has exactly four weeks from Monday.
  ['2026-12-25', 5, '2026-12-01', '2026-12-31'],
  ['2027-02-10', 4, '2027-02-01', '2027-02-28'],
  ['2028-02-29', 5, '2028-02-01', '2028-02-29'],
])('the weeks of %s begin on Monday and have all days of the month', (date, count, first, last) => {
  const weeks = weeksOfMonth(date);
  const days = weeks.flat().filter((day) => day !== null);
  expect([weeks.length, days[0], days.at(-1)]).toEqual([count, first, last]);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect(new Set(days).size).toBe(Number(last.slice(8)));
});

test.each([
  ['ArrowLeft', '2026-11-30'],
  ['ArrowRight', '2026-12-02'],
  ['ArrowUp', '2026-11-24'],
  ['ArrowDown', '2026-12-08'],
  ['Home', '2026-11-30'],
  ['End', '2026-12-06'],
  ['PageUp', '2026-11-01'],
  ['PageDown', '2027-01-01'],
  ['a', null],
])('%s in the calendar moves from 1 December 2026 to %s', (key, expected) => {
  expect(dateAfterArrowKey('2026-12-01', key)).toBe(expected);
});

test('a month later is the last day of a shorter month', () => {
  expect([addMonths('2027-01-31', 1), addMonths('2028-01-31', 1), addMonths('2026-12-31', -1)]).toEqual([
    '2027-02-28',
    '2028-02-29',
    '2026-11-30',
  ]);
});
