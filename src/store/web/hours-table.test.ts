import { expect, test } from 'vitest';
import { specialDatesAfterWeek } from '#store/web/coming-special-dates.tsx';
import { hoursOfComingWeek } from '#store/web/hours-table.tsx';

const store = {
  timezone: 'Europe/London',
  operational_hours: [
    { day: 'Saturday', open: '17:00', close: '01:00' },
    { day: 'Saturday', open: '12:00', close: '14:00' },
    { day: 'Sunday', open: '12:00', close: '22:00' },
  ],
  closures: [{ from: '2026-11-22', to: '2026-11-22', reason: 'A wedding' }],
} as const;
const saturdayNight = new Date('2026-11-21T23:30:00Z');

test('the week runs from Monday, with entries in order and today marked', () => {
  const week = hoursOfComingWeek(
    { ...store, operational_hours: [...store.operational_hours], closures: [] },
    saturdayNight,
  );
  expect(week.map(({ day }) => day)[0]).toBe('Monday');
  expect(week[5]).toMatchObject({ day: 'Saturday', isToday: true, date: '2026-11-21' });
  expect(week[5]?.entries.map(({ open }) => open)).toEqual(['12:00', '17:00']);
  expect(week.filter(({ isToday }) => isToday)).toHaveLength(1);
  expect(week[0]).toMatchObject({ date: '2026-11-23', entries: [] });
});

test("a special day's hours show on its day of the coming week, and later ones in a list of their own", () => {
  const christmas = {
    date: '2026-12-25',
    repeats_yearly: true,
    hours: [{ open: '12:00', close: '16:00' }],
    reason: 'Christmas Day',
  };
  const monday = { date: '2026-11-23', repeats_yearly: false, hours: [{ open: '18:00', close: '20:00' }], reason: '' };
  const closures = [{ from: '2026-12-31', to: '2027-01-01', reason: 'New year' }];
  const special = {
    ...store,
    operational_hours: [...store.operational_hours],
    closures,
    special_hours: [christmas, monday],
  };
  expect(hoursOfComingWeek(special, saturdayNight)[0]).toMatchObject({
    date: '2026-11-23',
    entries: monday.hours,
    special: monday,
  });
  expect(specialDatesAfterWeek(special, saturdayNight)).toEqual([
    { date: '2026-12-25', days: 'Friday 25 December', words: 'Christmas Day: 12:00–16:00' },
    { date: '2026-12-31', days: 'Thursday 31 December – Friday 1 January', words: 'Closed: New year' },
  ]);
});

test("a closure shows on the coming week's day that it falls on", () => {
  const week = hoursOfComingWeek(
    { ...store, operational_hours: [...store.operational_hours], closures: [...store.closures] },
    saturdayNight,
  );
  expect(week[6]?.closure?.reason).toBe('A wedding');
  expect(week[5]?.closure).toBeNull();
});
