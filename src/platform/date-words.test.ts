import { expect, test } from 'vitest';
import { dateWords, dayWords, localDateAt, nearDayWords, timeWords } from '#platform/date-words.ts';

const zone = 'Europe/London';
const now = new Date('2026-07-03T22:30:00Z'); // 23:30 on Friday the 3rd in London

test('times are read from the clocks of the zone, summer time included', () => {
  expect(timeWords('2026-07-03T17:30:00Z', zone)).toBe('18:30');
  expect(timeWords('2026-11-21T17:30:00Z', zone)).toBe('17:30');
  expect(timeWords('2026-11-21T00:05:00Z', zone)).toBe('00:05');
});

test('a day is named as seen from now, on the calendar of the zone', () => {
  expect(dayWords('2026-07-03T22:45:00Z', now, zone)).toBe('today');
  expect(dayWords('2026-07-03T23:15:00Z', now, zone)).toBe('tomorrow');
  expect(dayWords('2026-07-06T11:00:00Z', now, zone)).toBe('Monday 6 July');
});

test('in little room a day of the next six is its weekday alone', () => {
  expect(nearDayWords('2026-07-03T22:45:00Z', now, zone)).toBe('today');
  expect(nearDayWords('2026-07-03T23:15:00Z', now, zone)).toBe('tomorrow');
  expect(nearDayWords('2026-07-09T11:00:00Z', now, zone)).toBe('Thursday');
  expect(nearDayWords('2026-07-10T11:00:00Z', now, zone)).toBe('Friday 10 July');
  expect(nearDayWords('2026-07-01T11:00:00Z', now, zone)).toBe('Wednesday 1 July');
});

test('dates', () => {
  expect(localDateAt('2026-07-03T23:15:00Z', zone)).toBe('2026-07-04');
  expect(dateWords('2026-11-21T12:00:00Z', zone)).toBe('21 November 2026');
});

test.each([
  // Clocks go back on 25 October 2026, forward on 28 March 2027.
  ['2026-10-24T23:30:00Z', '2026-10-26T12:00:00Z', 'the day after a day of 25 hours'],
  ['2027-03-27T23:30:00Z', '2027-03-28T12:00:00Z', 'a day of 23 hours'],
])('at %s, %s is tomorrow: %s', (at, then) => {
  expect(dayWords(then, new Date(at), 'Europe/London')).toBe('tomorrow');
});

test('the day after tomorrow is not tomorrow, late on the eve of a day of 23 hours', () => {
  expect(dayWords('2027-03-29T12:00:00Z', new Date('2027-03-27T23:30:00Z'), 'Europe/London')).not.toBe('tomorrow');
});
