import { describe, expect, test } from 'vitest';
import {
  presetOfRange,
  presetRange,
  previousRange,
  rangePresets,
  readRangeFromQuery,
  rangeToQuery,
  datesInRange,
} from '#reports/date-range.ts';

/** A Saturday. */
const today = '2026-11-21';

describe('presets', () => {
  test.each([
    ['today', '2026-11-21', '2026-11-21'],
    ['yesterday', '2026-11-20', '2026-11-20'],
    ['this_week', '2026-11-16', '2026-11-21'],
    ['last_week', '2026-11-09', '2026-11-15'],
    ['this_month', '2026-11-01', '2026-11-21'],
    ['last_month', '2026-10-01', '2026-10-31'],
    ['this_quarter', '2026-10-01', '2026-11-21'],
    ['last_quarter', '2026-07-01', '2026-09-30'],
  ] as const)('%s', (preset, from, to) => {
    expect(presetRange(preset, today)).toEqual({ from, to });
    expect(presetOfRange({ from, to }, today)).toBe(preset);
  });

  test('on the first of January, last month is December of the year before', () => {
    expect(presetRange('last_month', '2027-01-01')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  test.each([
    ['2027-01-01', '2027-01-01', '2026-10-01', '2026-12-31'],
    ['2026-06-30', '2026-04-01', '2026-01-01', '2026-03-31'],
  ])('on %s, this quarter began on %s and the last one is %s to %s', (day, began, from, to) => {
    expect(presetRange('this_quarter', day)).toEqual({ from: began, to: day });
    expect(presetRange('last_quarter', day)).toEqual({ from, to });
  });

  test('on a Monday, this week is today alone', () => {
    expect(presetRange('this_week', '2026-11-16')).toEqual({ from: '2026-11-16', to: '2026-11-16' });
  });
});

test.each([
  ['a day: the same weekday before', '2026-11-21', '2026-11-21', '2026-11-14', '2026-11-14'],
  ['a week that goes on', '2026-11-16', '2026-11-21', '2026-11-09', '2026-11-14'],
  ['a month that goes on', '2026-11-01', '2026-11-21', '2026-10-01', '2026-10-21'],
  ['a whole month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
  ['a whole month after a longer one', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['the end of March, in a February without it', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['ten days across a month', '2026-10-28', '2026-11-06', '2026-10-18', '2026-10-27'],
])('compared with: %s', (_name, from, to, previousFrom, previousTo) => {
  expect(previousRange({ from, to })).toEqual({ from: previousFrom, to: previousTo });
});

describe('the address', () => {
  test.each([...rangePresets, { from: '2026-03-28', to: '2026-03-30' }])('keeps %o', (range) => {
    const wanted = typeof range === 'string' ? presetRange(range, today) : range;
    expect(readRangeFromQuery(rangeToQuery(range), today)).toEqual(wanted);
  });

  test.each([
    '',
    '?range=never',
    '?from=2026-11-22&to=2026-11-21',
    '?from=2026-02-30&to=2026-03-01',
    '?from=1999-01-01&to=2026-01-01',
  ])('that makes no sense (%s) is today', (search) => {
    expect(readRangeFromQuery(search, today)).toEqual({ from: today, to: today });
  });
});

test('a range across clock changes has each of its days once', () => {
  expect(datesInRange({ from: '2026-10-24', to: '2026-10-26' })).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
});
