import { describe, expect, test } from 'vitest';
import { chooseCopyNumbersToRemove, leavesDiskReserve, isCopyDue } from '#backup/schedule.ts';

const now = new Date('2026-11-22T04:00:00Z');
const hoursAgo = (hours: number | null) => (hours === null ? null : new Date(now.getTime() - hours * 60 * 60_000));

describe('a nightly copy is due', () => {
  test.each([
    ['at the first start: not yet', 0.5, null, null, false, 18, false],
    ['an hour after it', 1, null, null, false, 18, true],
    ['half an hour after a try without a copy: not yet', 99, 0.5, null, false, 4, false],
    ['an hour after a try without a copy', 99, 1, null, false, 18, true],
    ['at night', 99, 24, 24, true, 4, true],
    ['in the evening: not yet', 99, 24, 24, true, 18, false],
    ['at night after one of this evening: not yet', 99, 9, 9, true, 4, false],
    ['late, at any hour', 99, 26, 26, true, 18, true],
    ['five hours after one that was not proven: not yet', 99, 5, 29, true, 4, false],
    ['six hours after one that was not proven', 99, 6, 29, true, 18, true],
    ['after one of a clock that was then set back by a day', 99, -30, -30, true, 18, true],
    ['after one of the near future: not yet', 99, -0.5, -0.5, true, 4, false],
  ])('%s', (_, since, tried, made, isUnproven, hour, isDue) => {
    const tries = { since: hoursAgo(since) ?? now, attemptedAt: hoursAgo(tried), copiedAt: hoursAgo(made), isUnproven };
    expect(isCopyDue(tries, now, hour)).toBe(isDue);
  });
});

test.each([
  [1e9, { free: 50e9, all: 100e9 }, true],
  [1e9, { free: 10.5e9, all: 100e9 }, false],
  [1e9, { free: 2.9e9, all: 10e9 }, false],
  [1e9, { free: 3e9, all: 10e9 }, true],
])('%d bytes on a disk with %j: %s', (bytes, room, isMade) => {
  expect(leavesDiskReserve(bytes, room)).toBe(isMade);
});

test.each([
  [[1, 2, 3], 3, []],
  [[1, 2, 3, 4, 5], 5, [1, 2]],
  [[1, 2, 3, 4, 5], 3, [1, 2]],
  [[1, 2, 3, 4, 5], 1, [2, 3]],
  [[5, 4, 3, 2, 1], null, [2, 1]],
  [[1, 2, 3, 4], 9, [1]],
])('of the copies %j, with %s the last good one, %j are removed', (numbers, good, removed) => {
  expect(chooseCopyNumbersToRemove(numbers, good)).toEqual(removed);
});
