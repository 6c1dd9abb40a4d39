import { describe, expect, test } from 'vitest';
import type { Availability } from '#menu/menu-shapes.ts';
import { isWithinAvailability } from '#menu/menu-availability.ts';
import { weekdays } from '#database/page-values.ts';

const london = { timezone: 'Europe/London' };
const lunch: Availability = { days: ['Friday'], from: '12:00', to: '14:30' };
const night: Availability = { days: ['Friday'], from: '22:00', to: '02:00' };
const evening: Availability = { days: ['Friday'], from: '17:00', to: '23:59' };
const allDay: Availability = { days: ['Friday'], from: '00:00', to: '00:00' };

// 2026-11-20 is a Friday; London is on UTC.
test.each<[string, Availability, string, boolean]>([
  ['no window is always', null, '2026-11-20T03:00:00Z', true],
  ['before it', lunch, '2026-11-20T11:59:59Z', false],
  ['from is included', lunch, '2026-11-20T12:00:00Z', true],
  ['to is not', lunch, '2026-11-20T14:30:00Z', false],
  ['another day', lunch, '2026-11-21T13:00:00Z', false],
  ['late', night, '2026-11-20T23:00:00Z', true],
  ['after midnight', night, '2026-11-21T01:59:59Z', true],
  ['too late', night, '2026-11-21T02:00:00Z', false],
  ['the night before is not its day', night, '2026-11-20T01:00:00Z', false],
  ['a to of 23:59 is midnight', evening, '2026-11-20T23:59:59Z', true],
  ['and no later', evening, '2026-11-21T00:00:00Z', false],
  ['equal times are the whole day', allDay, '2026-11-20T00:00:00Z', true],
  ['and not the next', allDay, '2026-11-21T00:00:00Z', false],
  ['no days, never', { days: [], from: '00:00', to: '00:00' }, '2026-11-20T12:00:00Z', false],
])('%s', (_, availability, at, expected) => {
  expect(isWithinAvailability(london, availability, new Date(at))).toBe(expected);
});

describe('the shop’s own clock', () => {
  test('counts in summer', () => {
    expect(isWithinAvailability(london, { ...lunch, days: [...weekdays] }, new Date('2026-07-17T11:00:00Z'))).toBe(
      true,
    );
  });

  test('counts elsewhere', () => {
    expect(isWithinAvailability({ timezone: 'Asia/Tokyo' }, lunch, new Date('2026-11-20T03:00:00Z'))).toBe(true);
  });
});
