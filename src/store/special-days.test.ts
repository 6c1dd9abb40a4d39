import { describe, expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { specialDayProblems } from '#store/closure-rules.ts';
import type { SpecialDay } from '#store/hours-shapes.ts';
import { hoursOfDay, openStateAt, sessionsBetween, specialDayOn } from '#store/opening-hours.ts';
import { slotsOn, checkRequestedTime } from '#store/slots.ts';
import {
  clockChangeWords,
  closeEarly,
  earlyClosingTimes,
  isClosedEarly,
  withoutEarlyClosing,
} from '#store/special-days.ts';
import { findEarliestSlot } from '#store/slot-rules.ts';
import type { StaffStore } from '#store/contract.ts';
import { weekdays } from '#database/page-values.ts';
import { dayNumberOf } from '#platform/zone-clock.ts';

const special = (date: string, times: string, rest: Partial<SpecialDay> = {}): SpecialDay => ({
  date,
  repeats_yearly: false,
  hours: times === '' ? [] : times.split(', ').map((span) => ({ open: span.slice(0, 5), close: span.slice(6) })),
  reason: '',
  ...rest,
});
const christmas = special('2026-12-25', '12:00-16:00', { reason: 'Christmas Day' });
const daily = (...spans: string[]) =>
  weekdays.flatMap((day) => spans.map((span) => ({ day, open: span.slice(0, 5), close: span.slice(6) })));
const shop = (special_hours: SpecialDay[], rest: Partial<StaffStore> = {}) => aStore({ special_hours, ...rest });
const sessions = (store: StaffStore, from: string, to: string) =>
  sessionsBetween(store, new Date(from), new Date(to)).map(({ opens_at, closes_at }) => `${opens_at} ${closes_at}`);

describe('a special day', () => {
  test('replaces the openings that begin on its date, for the sign, its reason and the slots', () => {
    const store = shop([christmas], { preorder_days: 30 });
    const at = (time: string) => openStateAt(store, new Date(`2026-12-25T${time}:00Z`));
    expect(at('11:59')).toMatchObject({
      is_open: false,
      opens_at: '2026-12-25T12:00:00.000Z',
      detail: 'Christmas Day',
    });
    expect(at('12:00')).toMatchObject({ is_open: true, closes_at: '2026-12-25T16:00:00.000Z' });
    expect(at('17:30')).toMatchObject({ is_open: false, opens_at: '2026-12-26T17:00:00.000Z' });
    const slots = slotsOn(store, 'collection', '2026-12-25', new Date('2026-12-20T10:00:00Z'));
    expect([slots[0]?.starts_at, slots.at(-1)?.starts_at]).toEqual([
      '2026-12-25T12:30:00.000Z',
      '2026-12-25T15:45:00.000Z',
    ]);
    const ask = (time: string) =>
      checkRequestedTime(store, 'collection', `2026-12-25T${time}:00Z`, new Date('2026-12-20T10:00:00Z'))?.code ?? null;
    expect([ask('13:00'), ask('18:00')]).toEqual([null, 'slot_unavailable']);
  });

  test('lets the night before go on, and its own hours pass midnight', () => {
    const store = shop([special('2026-12-31', '18:00-04:00')], { operational_hours: daily('17:00-02:00') });
    expect(sessions(store, '2026-12-30T12:00:00Z', '2027-01-01T12:00:00Z')).toEqual([
      '2026-12-30T17:00:00.000Z 2026-12-31T02:00:00.000Z',
      '2026-12-31T18:00:00.000Z 2027-01-01T04:00:00.000Z',
    ]);
    const closed = shop([special('2026-12-31', '')], { operational_hours: daily('17:00-02:00') });
    expect(sessions(closed, '2026-12-30T12:00:00Z', '2027-01-01T12:00:00Z')).toEqual([
      '2026-12-30T17:00:00.000Z 2026-12-31T02:00:00.000Z',
    ]);
  });

  test('loses to a closure, which also ends the night before', () => {
    const closures = [{ from: '2026-12-25', to: '2026-12-25', reason: 'Refit' }];
    const store = shop([christmas], { operational_hours: daily('17:00-02:00'), closures });
    expect(hoursOfDay(store, dayNumberOf('2026-12-25'))).toEqual({ entries: [], closure: closures[0], special: null });
    expect(sessions(store, '2026-12-24T12:00:00Z', '2026-12-26T12:00:00Z')).toEqual([
      '2026-12-24T17:00:00.000Z 2026-12-25T00:00:00.000Z',
    ]);
  });

  test('of one date wins over one of every year, which begins in its own year', () => {
    const yearly = special('2026-12-25', '', { repeats_yearly: true });
    const days = [yearly, special('2027-12-25', '10:00-14:00')];
    expect(specialDayOn(days, '2026-12-25')).toBe(yearly);
    expect(specialDayOn(days, '2027-12-25')).toBe(days[1]);
    expect(specialDayOn(days, '2028-12-25')).toBe(yearly);
    expect(specialDayOn(days, '2025-12-25')).toBeNull();
  });

  test('on 29 February exists in leap years only', () => {
    const leap = [special('2028-02-29', '', { repeats_yearly: true })];
    const found = ['2028-02-29', '2029-02-28', '2029-03-01', '2032-02-29'].map((date) => specialDayOn(leap, date));
    expect(found).toEqual([leap[0], null, null, leap[0]]);
  });

  test.each([
    // London skips 01:00 to 02:00 on 28 March 2027, and repeats it on 31 October 2027.
    ['2027-03-28', '00:30-03:00', '2027-03-28T00:30:00.000Z 2027-03-28T02:00:00.000Z'],
    ['2027-03-28', '01:30-03:00', '2027-03-28T01:00:00.000Z 2027-03-28T02:00:00.000Z'],
    ['2027-10-31', '00:30-03:00', '2027-10-30T23:30:00.000Z 2027-10-31T03:00:00.000Z'],
  ])('over a clock change follows the clock of the shop: %s %s', (date, times, expected) => {
    const store = shop([special(date, times)], { operational_hours: [] });
    expect(sessions(store, `${dateBefore(date)}T12:00:00Z`, `${date}T12:00:00Z`)).toEqual([expected]);
  });

  test.each([
    ['12:00-15:00, 14:00-18:00, 13:00-14:00', ['12:00-18:00']],
    ['17:00-22:00, 12:00-17:00', ['12:00-22:00']],
    ['18:00-02:00, 12:00-18:00', ['12:00-02:00']],
    ['12:00-14:00, 17:00-22:00', ['12:00-14:00', '17:00-22:00']],
    ['12:00-16:00, 15:00-12:00', ['12:00-12:00']],
    // A text of two times cannot say 26 hours.
    ['12:00-16:00, 15:00-14:00', ['12:00-16:00', '15:00-14:00']],
  ])('with openings that overlap or touch has one of them, for all readers: %s', (times, expected) => {
    const { entries, special: day } = hoursOfDay(shop([special('2026-12-25', times)]), dayNumberOf('2026-12-25'));
    expect(entries.map(({ open, close }) => `${open}-${close}`)).toEqual(expected);
    expect(day?.hours).toEqual(entries);
  });

  test('is in the time zone of the shop', () => {
    const store = shop([christmas], { timezone: 'Pacific/Auckland', operational_hours: [] });
    expect(sessions(store, '2026-12-01T00:00:00Z', '2026-12-30T00:00:00Z')).toEqual([
      '2026-12-24T23:00:00.000Z 2026-12-25T03:00:00.000Z',
    ]);
  });

  test('of a date that has one already is refused in words', () => {
    const yearly = special('2026-12-25', '', { repeats_yearly: true });
    expect(specialDayProblems([christmas, yearly])).toEqual([]);
    expect(specialDayProblems([christmas, special('2026-12-25', '')])).toEqual([
      { index: 1, message: '25 December 2026 has hours of its own already. Change those.' },
    ]);
    const other = special('2027-12-25', '10:00-12:00', { repeats_yearly: true });
    expect(specialDayProblems([yearly, other]).map(({ index }) => index)).toEqual([1]);
  });
});

function dateBefore(date: string): string {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
}

describe('closing early today', () => {
  const evening = new Date('2026-12-18T18:10:00Z');
  const early = (store: StaffStore, at: string, now = evening) => {
    const days = closeEarly(store, at, now);
    return Array.isArray(days)
      ? days.map(({ date, hours }) => [date, ...hours.map((h) => `${h.open}-${h.close}`)])
      : days;
  };

  test.each([
    ['an evening', daily('12:00-14:30', '17:00-23:00'), [['2026-12-18', '12:00-14:30', '17:00-21:00']]],
    ['a night', daily('17:00-02:00'), [['2026-12-18', '17:00-21:00']]],
    [
      'a night in two entries',
      daily('17:00-23:59', '00:00-02:00'),
      [
        ['2026-12-18', '00:00-02:00', '17:00-21:00'],
        ['2026-12-19', '17:00-23:59'],
      ],
    ],
    [
      'a shop without a closing time',
      daily('00:00-00:00'),
      [
        ['2026-12-18', '00:00-21:00'],
        ['2026-12-19', '05:00-00:00'],
      ],
    ],
  ])('ends %s, and the next trading day is as ever', (_name, operational_hours, expected) => {
    const store = aStore({ operational_hours });
    const days = early(store, '21:00');
    expect(JSON.stringify(days)).toBe(JSON.stringify(expected).replace('17:00-23:59', '17:00-00:00'));
    const closed = { ...store, special_hours: closeEarly(store, '21:00', evening) as SpecialDay[] };
    expect(openStateAt(closed, new Date('2026-12-18T20:59:00Z')).is_open).toBe(true);
    expect(openStateAt(closed, new Date('2026-12-18T21:00:00Z')).is_open).toBe(false);
    expect(openStateAt(closed, new Date('2026-12-19T03:00:00Z')).is_open).toBe(false);
    expect(openStateAt(closed, new Date('2026-12-19T18:00:00Z')).is_open).toBe(true);
  });

  test('after midnight is of the same trading day', () => {
    const store = aStore({ operational_hours: daily('17:00-02:00') });
    expect(early(store, '00:30')).toEqual([['2026-12-18', '17:00-00:30']]);
    expect(early(store, '01:00', new Date('2026-12-19T00:15:00Z'))).toEqual([['2026-12-18', '17:00-01:00']]);
  });

  test('is refused for a time that is over, and for one at which the shop is closed anyway', () => {
    expect([early(aStore(), '18:00'), early(aStore(), '23:00'), early(aStore(), '04:00')]).toEqual([
      'past',
      'closed',
      'closed',
    ]);
  });

  test('is replaced by a later one, and taken back to the day that was there before', () => {
    const own = special('2026-12-18', '16:00-22:00', { reason: 'Party' });
    const yearly = special('2025-12-18', '15:00-22:00', { repeats_yearly: true });
    for (const before of [[], [own], [yearly]]) {
      const store = shop(before);
      const first = { ...store, special_hours: closeEarly(store, '20:00', evening) as SpecialDay[] };
      const second = { ...first, special_hours: closeEarly(first, '21:00', evening) as SpecialDay[] };
      expect(openStateAt(second, evening).closes_at).toBe('2026-12-18T21:00:00.000Z');
      expect([isClosedEarly(store, evening), isClosedEarly(second, evening)]).toEqual([false, true]);
      expect(withoutEarlyClosing(second, evening)).toEqual(before);
    }
  });

  test('of an opening that begins after midnight is taken back', () => {
    const store = aStore({ operational_hours: daily('00:30-03:00') });
    const closed = { ...store, special_hours: closeEarly(store, '02:00', evening) as SpecialDay[] };
    expect(closed.special_hours.map(({ date }) => date)).toEqual(['2026-12-19']);
    expect([isClosedEarly(store, evening), isClosedEarly(closed, evening)]).toEqual([false, true]);
    expect(withoutEarlyClosing(closed, evening)).toEqual([]);
  });

  test('drops the early closings of earlier days, and leaves the days of the owner', () => {
    const early = special('2026-12-10', '17:00-21:00', { instead_of: null });
    const own = special('2026-12-11', '17:00-21:00');
    expect(withoutEarlyClosing(shop([early, own, christmas]), evening)).toEqual([own, christmas]);
  });

  test('offers the last full hours before closing', () => {
    const store = aStore({ operational_hours: daily('12:00-14:30', '17:00-23:00') });
    expect(earlyClosingTimes(store, evening)).toEqual(['19:00', '20:00', '21:00', '22:00']);
    expect(earlyClosingTimes(store, new Date('2026-12-18T21:30:00Z'))).toEqual(['22:00']);
    expect(earlyClosingTimes(store, new Date('2026-12-18T22:30:00Z'))).toEqual([]);
    expect(earlyClosingTimes(aStore({ operational_hours: daily('17:00-02:00') }), evening)).toEqual([
      '22:00',
      '23:00',
      '00:00',
      '01:00',
    ]);
  });
});

test('an opening that goes on past the start of the trading day can be closed early before it', () => {
  // The trading day starts at 05:00, so that at 04:10 the day before goes on.
  const night = new Date('2026-12-18T04:10:00Z');
  const store = aStore({ operational_hours: daily('03:00-10:00') });
  expect(earlyClosingTimes(store, night)).toEqual(['06:00', '07:00', '08:00', '09:00']);
  const days = closeEarly(store, '06:00', night) as SpecialDay[];
  const closed = { ...store, special_hours: days };
  expect(sessions(closed, '2026-12-18T04:00:00Z', '2026-12-19T12:00:00Z')).toEqual([
    '2026-12-18T03:00:00.000Z 2026-12-18T06:00:00.000Z',
    '2026-12-19T03:00:00.000Z 2026-12-19T10:00:00.000Z',
  ]);
  expect(isClosedEarly(closed, night)).toBe(true);
  expect(withoutEarlyClosing(closed, night)).toEqual([]);
  expect(withoutEarlyClosing(closed, new Date('2026-12-18T05:30:00Z'))).toEqual([]);
});

test('the time of an early closing is not offered again, and the others are', () => {
  const evening = new Date('2026-12-18T18:10:00Z');
  const store = aStore({ operational_hours: daily('12:00-14:30', '17:00-23:00') });
  const closed = { ...store, special_hours: closeEarly(store, '21:00', evening) as SpecialDay[] };
  expect(earlyClosingTimes(closed, evening)).toEqual(['19:00', '20:00', '22:00']);
});

describe('a pause of one way to order', () => {
  const now = new Date('2026-12-18T18:00:00Z');
  const until = '2026-12-18T19:00:00.000Z';
  const store = aStore({ pauses: [{ fulfilment_type: 'delivery', until, reason: '' }] });

  test('refuses that way until it ends by itself, and the other goes on', () => {
    expect(checkRequestedTime(store, 'collection', null, now)).toBeNull();
    expect(checkRequestedTime(store, 'delivery', null, now)).toMatchObject({
      code: 'shop_paused',
      message: 'We are not delivering until 19:00. You can still collect.',
    });
    expect(findEarliestSlot(store, 'delivery', now)).toMatchObject({ isSoon: false, at: until });
    expect(checkRequestedTime(store, 'delivery', null, new Date(until))).toBeNull();
    const slots = slotsOn(store, 'delivery', '2026-12-18', now).filter(({ starts_at }) => starts_at < until);
    expect(slots.length > 0 && slots.every(({ is_available }) => !is_available)).toBe(true);
  });

  test('for the rest of the day says so, and a pause of the whole shop wins', () => {
    const rest = aStore({ pauses: [{ fulfilment_type: 'delivery', until: '2026-12-19T05:00:00.000Z', reason: '' }] });
    expect(checkRequestedTime(rest, 'delivery', null, now)?.message).toBe('We are not delivering any more today.');
    const whole = { ...store, paused_until: '2026-12-18T19:30:00.000Z' };
    expect(checkRequestedTime(whole, 'delivery', null, now)?.message).toBe('We are not taking orders until 19:30.');
  });
});

describe('the nights of a clock change', () => {
  const night = (date: string, times: string) => shop([special(date, times)], { operational_hours: [] });
  const shownOn = (store: StaffStore, date: string) =>
    hoursOfDay(store, dayNumberOf(date)).entries.map(({ open, close }) => `${open}-${close}`);

  test.each([
    [
      'opening in it',
      '2027-03-28',
      '01:30-05:00',
      ['02:00-05:00'],
      '2027-03-28T01:00:00.000Z 2027-03-28T04:00:00.000Z',
    ],
    [
      'closing in it',
      '2027-03-27',
      '20:00-01:30',
      ['20:00-02:00'],
      '2027-03-27T20:00:00.000Z 2027-03-28T01:00:00.000Z',
    ],
    ['all in it', '2027-03-28', '01:00-02:00', [], undefined],
    ['around it', '2027-03-28', '00:30-03:00', ['00:30-03:00'], '2027-03-28T00:30:00.000Z 2027-03-28T02:00:00.000Z'],
    [
      'in the doubled hour',
      '2027-10-31',
      '01:30-05:00',
      ['01:30-05:00'],
      '2027-10-31T00:30:00.000Z 2027-10-31T05:00:00.000Z',
    ],
  ])('show the hours that are really kept: %s', (_which, date, times, shown, session) => {
    const store = night(date, times);
    expect(shownOn(store, date)).toEqual(shown);
    expect(sessions(store, '2027-03-27T12:00:00Z', '2027-11-01T00:00:00Z')[0]).toBe(session);
    expect(hoursOfDay(store, dayNumberOf(date)).special?.hours).toHaveLength(shown.length);
  });

  test('are told to the owner beside each time', () => {
    const said = (date: string, times: string) => {
      const [entry] = special(date, times).hours;
      return (['open', 'close'] as const).map((field) => clockChangeWords('Europe/London', date, entry!, field));
    };
    expect(said('2027-03-28', '01:30-05:00')).toEqual([
      'The clocks go forward that night: 01:30 does not exist. You open at 02:00.',
      null,
    ]);
    expect(said('2027-03-27', '20:00-01:30')).toEqual([
      null,
      'The clocks go forward that night: 01:30 does not exist. You close at 02:00.',
    ]);
    expect(said('2027-03-28', '01:00-02:00')[0]).toBe(
      'The clocks go forward that night and skip all of this opening. Choose other times, or “Closed all day”.',
    );
    expect(said('2027-10-31', '01:30-05:00')[0]).toBe(
      'The clocks go back that night: 01:30 comes twice. You open at the first.',
    );
    expect(said('2027-10-30', '20:00-01:30')[1]).toBe(
      'The clocks go back that night: 01:30 comes twice. You close at the first.',
    );
    expect(said('2027-10-31', '12:00-16:00')).toEqual([null, null]);
    expect(said('2027-03-28', '-16:00')).toEqual([null, null]);
  });
});
