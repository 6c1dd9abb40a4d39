import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseCopyNumbersToRetain } from '#backup/retention.ts';

const store = { timezone: 'Europe/London', day_starts_at: '05:00' };
const copy = (number: number, made_at: string) => ({ number, made_at });
/** One copy each night at 03:30 in winter, the newest on `last`; numbers rise with time. */
const nights = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    copy(index + 1, new Date(Date.parse(`${last}T03:30:00Z`) - (count - 1 - index) * 86_400_000).toISOString()),
  );

describe('copies in a second place', () => {
  test.each<[string, ReturnType<typeof copy>[], number[]]>([
    ['none', [], []],
    ['the only one, however old', [copy(1, '2020-01-01T03:30:00Z')], [1]],
    ['all of a week', nights('2026-11-29', 7), [1, 2, 3, 4, 5, 6, 7]],
    [
      'the newest of a day, which begins at five',
      [copy(1, '2026-11-28T05:00:00Z'), copy(2, '2026-11-28T23:00:00Z'), copy(3, '2026-11-29T04:59:00Z')],
      [3],
    ],
    [
      'both sides of the beginning of a day',
      [copy(1, '2026-11-29T04:59:00Z'), copy(2, '2026-11-29T05:00:00Z')],
      [1, 2],
    ],
    [
      'a day’s beginning in summer, an hour earlier in UTC',
      [copy(1, '2026-07-01T03:59:00Z'), copy(2, '2026-07-01T04:00:00Z')],
      [1, 2],
    ],
    [
      // Number 70 is of Saturday the 28th. The Sundays before it are 64, 57 and 50, the ends of months 42 and 11.
      'seven days, four weeks and the months',
      nights('2026-11-29', 70),
      [11, 42, 50, 57, 64, 65, 66, 67, 68, 69, 70],
    ],
    [
      'seven days that have a copy, also when the shop was closed for a month',
      [...nights('2026-10-20', 8), copy(9, '2026-11-29T03:30:00Z')],
      [3, 4, 5, 6, 7, 8, 9],
    ],
    [
      'by number where a clock was a year ahead for a night',
      [copy(1, '2026-11-27T03:30:00Z'), copy(2, '2027-11-28T03:30:00Z'), copy(3, '2026-11-29T03:30:00Z')],
      [1, 2, 3],
    ],
  ])('that stay: %s', (_, copies, kept) => {
    expect([...chooseCopyNumbersToRetain(copies, store)].toSorted((a, b) => a - b)).toEqual(kept);
  });

  test('are a year long at most one per month', () => {
    const all = nights('2026-11-29', 800);
    const kept = all.filter(({ number }) => chooseCopyNumbersToRetain(all, store).has(number));
    expect(kept[0]?.made_at.slice(0, 7)).toBe('2026-01');
    expect(kept.length).toBeLessThanOrEqual(7 + 4 + 12);
  });

  test('always have the newest, never more than 23, and what stays now stays when it is judged again', () => {
    const anyCopies = fc.uniqueArray(
      fc.tuple(
        fc.nat(2000),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
      ),
      { selector: ([number]) => number, minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(anyCopies, (drawn) => {
        const copies = drawn.map(([number, at]) => copy(number, at.toISOString()));
        const kept = chooseCopyNumbersToRetain(copies, store);
        expect(kept.has(Math.max(...copies.map(({ number }) => number)))).toBe(true);
        expect(kept.size).toBeLessThanOrEqual(23);
        expect(
          chooseCopyNumbersToRetain(
            copies.filter(({ number }) => kept.has(number)),
            store,
          ),
        ).toEqual(kept);
      }),
    );
  });
});
