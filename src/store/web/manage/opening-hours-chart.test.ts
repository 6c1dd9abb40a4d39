import { describe, expect, test } from 'vitest';
import { isAllDay } from '#store/opening-hours.ts';
import { copyDay, overlappingEntries, weekBars } from '#store/web/manage/opening-hours-chart.tsx';
import type { Weekday } from '#database/page-values.ts';

const entry = (day: Weekday, open: string, close: string) => ({ day, open, close });

describe('the picture of a week', () => {
  test('has a bar for each session of a day', () => {
    const bars = weekBars([entry('Friday', '12:00', '14:30'), entry('Friday', '17:00', '23:00')]);
    expect(bars).toEqual([
      { day: 'Friday', from: 720, to: 870, entry: 0, isAfterMidnight: false },
      { day: 'Friday', from: 1020, to: 1380, entry: 1, isAfterMidnight: false },
    ]);
  });

  test('shows a night on both of its days, from Sunday into Monday too', () => {
    expect(weekBars([entry('Sunday', '18:00', '02:00')])).toEqual([
      { day: 'Sunday', from: 1080, to: 1440, entry: 0, isAfterMidnight: false },
      { day: 'Monday', from: 0, to: 120, entry: 0, isAfterMidnight: true },
    ]);
  });

  test('shows closing at midnight on one day, and equal times as 24 hours', () => {
    expect(weekBars([entry('Monday', '18:00', '00:00')])).toHaveLength(1);
    expect(weekBars([entry('Monday', '18:00', '23:59')])).toEqual([
      { day: 'Monday', from: 1080, to: 1440, entry: 0, isAfterMidnight: false },
    ]);
    const all = weekBars([entry('Monday', '05:00', '05:00')]);
    expect(all.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(1440);
    const times = [
      entry('Monday', '05:00', '05:00'),
      entry('Monday', '00:00', '23:59'),
      entry('Monday', '00:00', '23:58'),
    ];
    expect(times.map(isAllDay)).toEqual([true, true, false]);
  });
});

describe('entries that overlap', () => {
  test.each([
    [entry('Friday', '12:00', '18:00'), entry('Friday', '17:00', '23:00'), true],
    [entry('Friday', '12:00', '17:00'), entry('Friday', '17:00', '23:00'), false],
    [entry('Friday', '18:00', '02:00'), entry('Saturday', '01:00', '05:00'), true],
    [entry('Sunday', '18:00', '02:00'), entry('Monday', '01:00', '05:00'), true],
    [entry('Sunday', '18:00', '01:00'), entry('Monday', '01:00', '05:00'), false],
    [entry('Friday', '17:00', '23:59'), entry('Saturday', '00:00', '05:00'), false],
    [entry('Monday', '05:00', '05:00'), entry('Tuesday', '04:00', '06:00'), true],
  ])('%o and %o: %s', (a, b, expected) => {
    expect(overlappingEntries([a, b])).toEqual(expected ? [{ entry: 1, with: 0 }] : []);
    expect(overlappingEntries([b, a])).toEqual(expected ? [{ entry: 1, with: 0 }] : []);
  });
});

test('copying a day replaces the days it is copied to, and leaves the rest', () => {
  const week = [
    entry('Monday', '12:00', '14:00'),
    entry('Monday', '17:00', '22:00'),
    entry('Tuesday', '09:00', '10:00'),
    entry('Wednesday', '11:00', '12:00'),
  ];
  expect(copyDay(week, 'Monday', ['Monday', 'Tuesday', 'Sunday'])).toEqual([
    entry('Monday', '12:00', '14:00'),
    entry('Monday', '17:00', '22:00'),
    entry('Tuesday', '12:00', '14:00'),
    entry('Tuesday', '17:00', '22:00'),
    entry('Wednesday', '11:00', '12:00'),
    entry('Sunday', '12:00', '14:00'),
    entry('Sunday', '17:00', '22:00'),
  ]);
});

test('copying a closed day closes the others', () => {
  expect(copyDay([entry('Tuesday', '09:00', '10:00')], 'Monday', ['Tuesday'])).toEqual([]);
});
