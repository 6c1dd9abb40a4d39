import { expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { requestedTimeWords, slotDays, tradingDaysWithSlotsOn } from '#ordering/web/checkout/checkout-when.tsx';
import { dayWords, localDateAt } from '#platform/date-words.ts';
import { findEarliestSlot } from '#store/slot-rules.ts';
import { slotsOn } from '#store/slots.ts';
import { weekdays } from '#database/page-values.ts';

const everyDay = (open: string, close: string) => weekdays.map((day) => ({ day, open, close }));
const evenings = aStore({ operational_hours: everyDay('17:00', '23:00'), preorder_days: 2, last_order_minutes: 0 });
const nights = { ...evenings, operational_hours: everyDay('17:00', '02:00') };
// A Saturday; London's time is UTC.
const at = (clock: string) => new Date(`2026-11-21T${clock}:00Z`);
const daysAt = (store: typeof evenings, now: Date) => slotDays(store, now, findEarliestSlot(store, 'collection', now));

test.each([
  ['an evening', evenings, at('18:00'), ['2026-11-21', '2026-11-22', '2026-11-23']],
  ['a shop that is closed for today', evenings, at('23:30'), ['2026-11-22', '2026-11-23']],
  [
    'a night, whose last day has the hours after midnight only',
    nights,
    at('18:00'),
    ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'],
  ],
  ['after midnight, today is the new day', nights, at('00:05'), ['2026-11-21', '2026-11-22', '2026-11-23']],
])('the days of %s', (_, store, now, days) => {
  expect(daysAt(store, now)).toEqual(days);
});

test.each([
  ['an evening', evenings, '2026-11-22', ['2026-11-22']],
  ['a night and the evening after it', nights, '2026-11-22', ['2026-11-21', '2026-11-22']],
  ['not the night before today', nights, '2026-11-21', ['2026-11-21']],
  ['a night after the last evening', nights, '2026-11-24', ['2026-11-23']],
])('the trading days in %s', (_, store, day, expected) => {
  expect(tradingDaysWithSlotsOn(store, day, at('18:00'))).toEqual(expected);
});

test.each([at('18:00'), at('23:50'), at('00:05')])(
  'each time is once under a day, which is the day that the button names, at %s',
  (now) => {
    const starts = daysAt(nights, now).flatMap((day) =>
      tradingDaysWithSlotsOn(nights, day, now)
        .flatMap((date) => slotsOn(nights, 'collection', date, now))
        .flatMap(({ starts_at: start }) => (localDateAt(start, nights.timezone) === day ? [{ day, start }] : [])),
    );
    expect(new Set(starts.map(({ start }) => start)).size).toBe(starts.length);
    const inAll = daysAt(evenings, now)
      .concat('2026-11-20')
      .flatMap((date) => slotsOn(nights, 'collection', date, now));
    expect(starts.length).toBeGreaterThanOrEqual(new Set(inAll.map((slot) => slot.starts_at)).size);
    for (const { day, start } of starts) {
      const isToday = dayWords(`${day}T12:00:00Z`, now, nights.timezone) === 'today';
      expect(/^\d\d:\d\d$/.test(requestedTimeWords(start, nights, now))).toBe(isToday);
    }
  },
);
