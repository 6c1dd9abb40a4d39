import { describe, expect, test } from 'vitest';
import { bankHolidaysFrom, closureDaysWords, closureProblems } from '#store/closure-rules.ts';

const closure = (from: string, to: string) => ({ from, to, reason: '' });

test('closures that follow each other are in order, in any order of the list', () => {
  const list = [closure('2026-12-27', '2027-01-02'), closure('2026-12-24', '2026-12-26')];
  expect(closureProblems(list)).toEqual([]);
});

test('a closure that ends before it begins is named by its last day', () => {
  expect(closureProblems([closure('2026-12-26', '2026-12-24')])).toMatchObject([{ index: 0, field: 'to' }]);
});

test.each([
  ['2026-12-26', '2026-12-28'],
  ['2026-12-20', '2026-12-24'],
  ['2026-12-25', '2026-12-25'],
  ['2026-12-01', '2026-12-31'],
])('%s to %s overlaps with 24 to 26 December, and says with what', (from, to) => {
  const [problem] = closureProblems([closure('2026-12-24', '2026-12-26'), closure(from, to)]);
  expect(problem).toMatchObject({ index: 1, field: 'from' });
  expect(problem?.message).toContain('24 December 2026 to 26 December 2026');
});

test('a backward closure is not also said to overlap', () => {
  const list = [closure('2026-12-24', '2026-12-26'), closure('2026-12-26', '2026-12-25')];
  expect(closureProblems(list)).toHaveLength(1);
});

test('a single day is said once', () => {
  expect(closureDaysWords(closure('2026-12-25', '2026-12-25'))).toBe('25 December 2026');
});

const list = (from: string, nation: Parameters<typeof bankHolidaysFrom>[1]) =>
  bankHolidaysFrom(from, nation).map(
    ({ date, name, isSubstitute }) => `${date} ${name}${isSubstitute ? ' instead' : ''}`,
  );

describe('the bank holidays of a year', () => {
  // The dates that gov.uk/bank-holidays names, with the days themselves where they fall on a weekend.
  test('in England and Wales, with Boxing Day 2026 on a Saturday', () => {
    expect(list('2026-01-01', 'england_wales')).toEqual([
      '2026-01-01 new_year',
      '2026-04-03 good_friday',
      '2026-04-06 easter_monday',
      '2026-05-04 early_may',
      '2026-05-25 spring',
      '2026-08-31 summer',
      '2026-12-25 christmas',
      '2026-12-26 boxing',
      '2026-12-28 boxing instead',
    ]);
  });

  test('in England and Wales, with Christmas 2027 on a Saturday', () => {
    expect(list('2027-01-01', 'england_wales')).toEqual([
      '2027-01-01 new_year',
      '2027-03-26 good_friday',
      '2027-03-29 easter_monday',
      '2027-05-03 early_may',
      '2027-05-31 spring',
      '2027-08-30 summer',
      '2027-12-25 christmas',
      '2027-12-26 boxing',
      '2027-12-27 christmas instead',
      '2027-12-28 boxing instead',
    ]);
  });

  test('with Christmas on a Sunday, only its own substitute moves, past Boxing Day', () => {
    expect(list('2022-12-01', 'england_wales').slice(0, 5)).toEqual([
      '2022-12-25 christmas',
      '2022-12-26 boxing',
      '2022-12-27 christmas instead',
      '2023-01-01 new_year',
      '2023-01-02 new_year instead',
    ]);
  });

  test('in Scotland, where the second of January is one too', () => {
    expect(list('2026-01-01', 'scotland')).toEqual([
      '2026-01-01 new_year',
      '2026-01-02 second_january',
      '2026-04-03 good_friday',
      '2026-05-04 early_may',
      '2026-05-25 spring',
      '2026-08-03 summer',
      '2026-11-30 st_andrew',
      '2026-12-25 christmas',
      '2026-12-26 boxing',
      '2026-12-28 boxing instead',
    ]);
  });

  test('in Northern Ireland, with the twelfth of July on a Sunday', () => {
    expect(list('2026-03-01', 'northern_ireland').filter((one) => /patrick|boyne/.test(one))).toEqual([
      '2026-03-17 st_patrick',
      '2026-07-12 boyne',
      '2026-07-13 boyne instead',
    ]);
  });

  test.each([
    ['2024', '2024-04-01'],
    ['2025', '2025-04-21'],
    ['2028', '2028-04-17'],
    ['2038', '2038-04-26'],
  ])('Easter Monday of %s is %s', (year, date) => {
    const easter = bankHolidaysFrom(`${year}-01-01`, 'england_wales').find(({ name }) => name === 'easter_monday');
    expect(easter?.date).toBe(date);
  });

  test('from the middle of a year they go on into the next, and nothing comes twice', () => {
    const dates = bankHolidaysFrom('2026-11-21', 'england_wales').map(({ date }) => date);
    expect(dates.at(0)).toBe('2026-12-25');
    expect(dates.at(-1)).toBe('2027-08-30');
    expect(new Set(dates).size).toBe(dates.length);
  });
});
