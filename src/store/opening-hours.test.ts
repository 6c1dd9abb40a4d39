import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Closure, OpeningEntry } from '#store/hours-shapes.ts';
import {
  type OpeningStore,
  openStateAt,
  sessionsBetween,
  tradingDayBounds,
  tradingDayOf,
} from '#store/opening-hours.ts';
import { weekdays } from '#database/page-values.ts';
import { setKnownZoneOffset, zoneOffsetSpanAt } from '#platform/zone-clock.ts';

const london = 'Europe/London';

/** `'Friday 17:00-02:00, Sunday 12:00-20:00'` */
function hours(text: string): OpeningEntry[] {
  if (text === '') return [];
  return text.split(', ').map((part) => {
    const [, day, open, close] = /^(\w+) (\d\d:\d\d)-(\d\d:\d\d)$/.exec(part) ?? [];
    const weekday = weekdays.find((name) => name.startsWith(day ?? '?'));
    if (!weekday || !open || !close) throw new Error(`These are not opening hours: ${part}`);
    return { day: weekday, open, close };
  });
}

function shop(text: string, rest: Partial<OpeningStore> = {}): OpeningStore {
  return {
    timezone: london,
    operational_hours: hours(text),
    closures: [],
    is_accepting_orders: true,
    paused_until: null,
    pause_reason: null,
    pause_cause: null,
    ...rest,
  };
}

const everyDay = (times: string) => weekdays.map((day) => `${day} ${times}`).join(', ');
const state = (store: OpeningStore, at: string) => openStateAt(store, new Date(at));
const isOpen = (store: OpeningStore, at: string) => state(store, at).is_open;
const closedOn = (from: string, to: string, reason = ''): Closure => ({ from, to, reason });

describe('one ordinary day', () => {
  // 2026-11-20 is a Friday; London is on UTC.
  test.each([
    ['before opening', '2026-11-20T16:59:59.999Z', false],
    ['opening is included', '2026-11-20T17:00:00.000Z', true],
    ['in between', '2026-11-20T20:00:00.000Z', true],
    ['the last moment', '2026-11-20T22:59:59.999Z', true],
    ['closing is not included', '2026-11-20T23:00:00.000Z', false],
    ['a day without an entry', '2026-11-21T20:00:00.000Z', false],
  ])('%s', (_, at, expected) => {
    expect(isOpen(shop('Fri 17:00-23:00'), at)).toBe(expected);
  });

  test('tells when it closes while open, and when it opens while closed', () => {
    const store = shop('Fri 12:00-14:00, Fri 17:00-23:00, Sun 12:00-20:00');
    expect(state(store, '2026-11-20T13:00:00Z')).toEqual({
      is_open: true,
      reason: null,
      closes_at: '2026-11-20T14:00:00.000Z',
      opens_at: null,
      detail: null,
    });
    expect(state(store, '2026-11-20T15:00:00Z')).toEqual({
      is_open: false,
      reason: 'closed',
      closes_at: null,
      opens_at: '2026-11-20T17:00:00.000Z',
      detail: null,
    });
    expect(state(store, '2026-11-21T00:00:00Z').opens_at).toBe('2026-11-22T12:00:00.000Z');
  });

  test('a shop without hours is closed and opens at no known time', () => {
    expect(state(shop(''), '2026-11-20T13:00:00Z')).toMatchObject({ is_open: false, reason: 'closed', opens_at: null });
  });

  test('summer time moves the hours in UTC', () => {
    expect(isOpen(shop('Fri 17:00-23:00'), '2026-07-17T16:00:00Z')).toBe(true);
    expect(isOpen(shop('Fri 17:00-23:00'), '2026-07-17T22:00:00Z')).toBe(false);
  });
});

describe('past midnight', () => {
  const friday = shop('Fri 17:00-02:00');
  test.each([
    ['late on the day', friday, '2026-11-20T23:59:59.999Z', true],
    ['the rest of the night, on a day without an entry', friday, '2026-11-21T00:00:00Z', true],
    ['until closing', friday, '2026-11-21T01:59:59.999Z', true],
    ['not at closing', friday, '2026-11-21T02:00:00Z', false],
    ['not early on the day itself', friday, '2026-11-20T01:00:00Z', false],
    ['closing at midnight', shop('Fri 17:00-00:00'), '2026-11-20T23:59:59.999Z', true],
    ['closed from midnight', shop('Fri 17:00-00:00'), '2026-11-21T00:00:00Z', false],
    ['equal times mean 24 hours', shop('Fri 06:00-06:00'), '2026-11-21T05:59:59.999Z', true],
    ['and no more', shop('Fri 06:00-06:00'), '2026-11-21T06:00:00Z', false],
    ['and no sooner', shop('Fri 06:00-06:00'), '2026-11-20T05:59:59.999Z', false],
  ])('%s', (_, store, at, expected) => {
    expect(isOpen(store, at)).toBe(expected);
  });

  test('sessions that touch at midnight are one', () => {
    expect(state(shop('Fri 17:00-00:00, Sat 00:00-03:00'), '2026-11-20T20:00:00Z').closes_at).toBe(
      '2026-11-21T03:00:00.000Z',
    );
  });

  test.each([
    ['the last minute of the day', 'Fri 17:00-23:59', '2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z'],
    [
      'what opens at midnight joins it',
      'Fri 17:00-23:59, Sat 00:00-03:00',
      '2026-11-20T20:00:00Z',
      '2026-11-21T03:00:00.000Z',
    ],
    ['the last day of summer time', 'Sat 17:00-23:59', '2026-10-24T22:59:30Z', '2026-10-24T23:00:00.000Z'],
    ['but not 23:58', 'Fri 17:00-23:58, Sat 00:00-03:00', '2026-11-20T20:00:00Z', '2026-11-20T23:58:00.000Z'],
    ['equal times stay 24 hours', 'Fri 23:59-23:59', '2026-11-20T23:59:00Z', '2026-11-21T23:59:00.000Z'],
  ])('a close of 23:59 means midnight: %s', (_, text, at, closes) => {
    expect(state(shop(text), at)).toMatchObject({ is_open: true, closes_at: closes });
  });

  test.each(['00:00-00:00', '00:00-23:59'])('a shop that never closes (%s) says so', (times) => {
    expect(state(shop(everyDay(times)), '2026-11-20T20:00:00Z')).toMatchObject({
      is_open: true,
      closes_at: null,
    });
  });
});

describe('closures', () => {
  const store = shop(everyDay('17:00-02:00'), { closures: [closedOn('2026-12-25', '2026-12-26', 'Merry Christmas')] });
  test.each([
    ['the night before goes on to midnight', '2026-12-24T23:59:59.999Z', true],
    ['and stops there', '2026-12-25T00:00:00Z', false],
    ['the days themselves', '2026-12-26T20:00:00Z', false],
    ['the night that would have begun on the last day', '2026-12-27T01:00:00Z', false],
    ['the next opening', '2026-12-27T17:00:00Z', true],
  ])('%s', (_, at, expected) => {
    expect(isOpen(store, at)).toBe(expected);
  });

  test('say why, and when the shop opens again', () => {
    expect(state(store, '2026-12-25T18:00:00Z')).toMatchObject({
      reason: 'closure',
      detail: 'Merry Christmas',
      opens_at: '2026-12-27T17:00:00.000Z',
    });
    expect(state(store, '2026-12-24T20:00:00Z').closes_at).toBe('2026-12-25T00:00:00.000Z');
  });

  test('may last for months', () => {
    const closed = shop('Fri 17:00-23:00', { closures: [closedOn('2026-11-01', '2027-03-31')] });
    expect(state(closed, '2026-11-20T18:00:00Z')).toMatchObject({ detail: null, opens_at: '2027-04-02T16:00:00.000Z' });
  });

  test('a closed date begins and ends at the shop’s midnight, not at UTC’s', () => {
    const summer = shop(everyDay('00:00-00:00'), { closures: [closedOn('2026-07-17', '2026-07-17')] });
    expect(isOpen(summer, '2026-07-16T22:59:59.999Z')).toBe(true);
    expect(isOpen(summer, '2026-07-16T23:00:00Z')).toBe(false);
    expect(isOpen(summer, '2026-07-17T23:00:00Z')).toBe(true);
  });
});

describe('pause and not accepting', () => {
  const open = 'Fri 12:00-14:00, Fri 17:00-23:00';
  test('a pause closes until it ends', () => {
    const store = shop(open, { paused_until: '2026-11-20T18:30:00.000Z', pause_reason: 'Oven' });
    expect(state(store, '2026-11-20T18:00:00Z')).toEqual({
      is_open: false,
      reason: 'paused',
      closes_at: null,
      opens_at: '2026-11-20T18:30:00.000Z',
      detail: 'Oven',
    });
    expect(isOpen(store, '2026-11-20T18:30:00Z')).toBe(true);
  });

  test('a pause that outlasts the session ends at the next opening', () => {
    const store = shop(open, { paused_until: '2026-11-20T15:00:00.000Z' });
    expect(state(store, '2026-11-20T13:00:00Z')).toMatchObject({
      reason: 'paused',
      opens_at: '2026-11-20T17:00:00.000Z',
    });
  });

  test('while closed, a pause only puts off the opening', () => {
    const store = shop(open, { paused_until: '2026-11-20T17:30:00.000Z' });
    expect(state(store, '2026-11-20T16:00:00Z')).toMatchObject({
      reason: 'closed',
      opens_at: '2026-11-20T17:30:00.000Z',
    });
  });

  test('not accepting orders wins over everything and has no end', () => {
    const store = shop(open, { is_accepting_orders: false });
    expect(state(store, '2026-11-20T18:00:00Z')).toMatchObject({
      is_open: false,
      reason: 'not_accepting',
      opens_at: null,
    });
  });
});

describe('clock changes', () => {
  // London: 2026-03-29 01:00 GMT becomes 02:00 BST; 2026-10-25 02:00 BST becomes 01:00 GMT.
  test.each([
    ['spring: the night is an hour shorter', 'Sat 18:00-03:00', '2026-03-28T18:00:00.000Z', '2026-03-29T02:00:00.000Z'],
    [
      'spring: a close that the change skips is the change',
      'Sat 18:00-01:30',
      '2026-03-28T18:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'spring: an open that the change skips is the change',
      'Sun 01:30-05:00',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T04:00:00.000Z',
    ],
    ['spring: the afternoon after', 'Sun 17:00-23:00', '2026-03-29T16:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['spring: 24 hours by the clock', 'Sun 00:00-00:00', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
    ['autumn: the night is an hour longer', 'Sat 18:00-03:00', '2026-10-24T17:00:00.000Z', '2026-10-25T03:00:00.000Z'],
    [
      'autumn: a close that comes twice is the first',
      'Sat 18:00-01:30',
      '2026-10-24T17:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'autumn: an open that comes twice is the first',
      'Sun 01:30-05:00',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T05:00:00.000Z',
    ],
    [
      'autumn: the close at the change itself',
      'Sat 18:00-02:00',
      '2026-10-24T17:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ],
    ['autumn: 24 hours by the clock', 'Sun 00:00-00:00', '2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'],
  ])('%s', (_, text, opens, closes) => {
    const found = sessionsBetween(shop(text), new Date(opens), new Date(Date.parse(opens) + 1));
    expect(found).toEqual([{ opens_at: opens, closes_at: closes }]);
  });

  test('an entry that lies wholly in the skipped hour does not open', () => {
    const store = shop('Sun 01:15-01:45');
    expect(sessionsBetween(store, new Date('2026-03-28T00:00:00Z'), new Date('2026-03-30T00:00:00Z'))).toEqual([]);
  });

  test.each([
    ['New York', 'America/New_York', 'Sun 00:30-02:30', '2026-03-08T05:30:00.000Z', '2026-03-08T07:00:00.000Z'],
    [
      'Lord Howe, half an hour',
      'Australia/Lord_Howe',
      'Sun 01:00-04:00',
      '2026-10-03T14:30:00.000Z',
      '2026-10-03T17:00:00.000Z',
    ],
    ['Kathmandu, +05:45', 'Asia/Kathmandu', 'Sun 12:00-13:00', '2026-10-04T06:15:00.000Z', '2026-10-04T07:15:00.000Z'],
    [
      'Kiritimati, +14',
      'Pacific/Kiritimati',
      'Sun 12:00-13:00',
      '2026-10-03T22:00:00.000Z',
      '2026-10-03T23:00:00.000Z',
    ],
    [
      'Santiago, the change is at midnight',
      'America/Santiago',
      'Sun 00:00-06:00',
      '2026-09-06T04:00:00.000Z',
      '2026-09-06T09:00:00.000Z',
    ],
  ])('%s', (_, timezone, text, opens, closes) => {
    const store = shop(text, { timezone });
    const found = sessionsBetween(store, new Date(opens), new Date(Date.parse(opens) + 1));
    expect(found).toEqual([{ opens_at: opens, closes_at: closes }]);
  });
});

describe('trading days', () => {
  const store = { timezone: london, day_starts_at: '05:00' };
  test.each([
    ['2026-11-21T04:59:59.999Z', '2026-11-20'],
    ['2026-11-21T05:00:00.000Z', '2026-11-21'],
    ['2026-07-17T03:59:59.999Z', '2026-07-16'],
    ['2026-07-17T04:00:00.000Z', '2026-07-17'],
    ['2027-01-01T00:30:00.000Z', '2026-12-31'],
  ])('%s belongs to %s', (at, day) => {
    expect(tradingDayOf(store, new Date(at))).toBe(day);
  });

  test('a day that has begun goes on while the clock repeats the hour', () => {
    const early = { timezone: london, day_starts_at: '01:30' };
    expect(tradingDayOf(early, new Date('2026-10-25T00:29:59Z'))).toBe('2026-10-24');
    expect(tradingDayOf(early, new Date('2026-10-25T00:30:00Z'))).toBe('2026-10-25');
    expect(tradingDayOf(early, new Date('2026-10-25T01:15:00Z'))).toBe('2026-10-25');
  });

  test('a day with a clock change has 23 or 25 hours', () => {
    expect(tradingDayBounds(store, '2026-03-28')).toEqual({
      from: '2026-03-28T05:00:00.000Z',
      to: '2026-03-29T04:00:00.000Z',
    });
    expect(tradingDayBounds(store, '2026-10-24')).toEqual({
      from: '2026-10-24T04:00:00.000Z',
      to: '2026-10-25T05:00:00.000Z',
    });
  });

  const zone = fc.constantFrom(london, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago');
  const minuteOfDay = fc.integer({ min: 0, max: 1439 }).map(clock);
  const instant = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2029, 0) });

  test('every instant lies within the bounds of its own trading day', () => {
    fc.assert(
      fc.property(zone, minuteOfDay, nearChange(instant), (timezone, day_starts_at, at) => {
        const any = { timezone, day_starts_at };
        const { from, to } = tradingDayBounds(any, tradingDayOf(any, new Date(at)));
        expect(Date.parse(from)).toBeLessThanOrEqual(at);
        expect(Date.parse(to)).toBeGreaterThan(at);
      }),
    );
  });
});

describe('properties', () => {
  const entry = fc.record({
    day: fc.constantFrom(...weekdays),
    open: fc.integer({ min: 0, max: 1439 }).map(clock),
    close: fc.integer({ min: 0, max: 1439 }).map(clock),
  });
  const closure = fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 10 }))
    .map(([start, length]) => ({ from: march(start), to: march(start + length), reason: '' }));
  const store = fc.record({
    timezone: fc.constantFrom(london, 'America/New_York', 'Australia/Lord_Howe'),
    operational_hours: fc.array(entry, { maxLength: 10 }),
    closures: fc.array(closure, { maxLength: 2 }),
    is_accepting_orders: fc.constant(true),
    paused_until: fc.option(fc.integer({ min: Date.UTC(2026, 2, 20), max: Date.UTC(2026, 3, 10) }).map(text), {
      nil: null,
    }),
    pause_reason: fc.constant(null),
    pause_cause: fc.constant(null),
  });
  const at = fc.integer({ min: Date.UTC(2026, 2, 20), max: Date.UTC(2026, 3, 10) });

  test('outside the hour of a clock change, open is what the shop’s own wall clock says', () => {
    fc.assert(
      fc.property(store, at, (any, instant) => {
        const unpaused = { ...any, paused_until: null };
        if (changes.some((change) => Math.abs(change - instant) <= 3_600_000)) return;
        expect(openStateAt(unpaused, new Date(instant)).is_open).toBe(isOpenByTheClock(unpaused, instant));
      }),
    );
  });

  test('it is open until just before closes_at, and closed until just before opens_at', () => {
    fc.assert(
      fc.property(store, at, (any, instant) => {
        const now = openStateAt(any, new Date(instant));
        expect(now.is_open).toBe(now.reason === null);
        const change = now.closes_at ?? now.opens_at;
        if (change === null) return;
        expect(Date.parse(change)).toBeGreaterThan(instant);
        expect(openStateAt(any, new Date(Date.parse(change) - 1)).is_open).toBe(now.is_open);
        expect(openStateAt(any, new Date(change)).is_open).toBe(!now.is_open);
      }),
    );
  });

  test('sessions are in order, apart from each other, and exactly the open times', () => {
    fc.assert(
      fc.property(store, at, (any, instant) => {
        const unpaused = { ...any, paused_until: null };
        const sessions = sessionsBetween(unpaused, new Date('2026-03-15T00:00:00Z'), new Date('2026-04-20T00:00:00Z'));
        let last = -Infinity;
        for (const { opens_at, closes_at } of sessions) {
          expect(Date.parse(opens_at)).toBeGreaterThan(last);
          last = closes_at === null ? Infinity : Date.parse(closes_at);
          expect(last).toBeGreaterThan(Date.parse(opens_at));
        }
        const inside = sessions.some(
          ({ opens_at, closes_at }) =>
            Date.parse(opens_at) <= instant && (closes_at === null || instant < Date.parse(closes_at)),
        );
        expect(inside).toBe(openStateAt(unpaused, new Date(instant)).is_open);
      }),
    );
  });
});

describe('the device’s own zone', () => {
  const device = process.env['TZ'];
  afterAll(() => {
    if (device === undefined) delete process.env['TZ'];
    else process.env['TZ'] = device;
  });

  const cases: [OpeningStore, string][] = [
    [shop('Sat 18:00-01:30'), '2026-10-25T00:15:00Z'],
    [shop('Sat 18:00-01:30'), '2026-03-29T00:59:00Z'],
    [shop(everyDay('17:00-02:00'), { closures: [closedOn('2026-12-25', '2026-12-26')] }), '2026-12-27T01:00:00Z'],
    [shop('Sun 12:00-13:00', { timezone: 'Pacific/Kiritimati' }), '2026-10-03T22:30:00Z'],
  ];
  const answers = () =>
    JSON.stringify([
      cases.map(([store, at]) => state(store, at)),
      tradingDayOf({ timezone: london, day_starts_at: '05:00' }, new Date('2026-07-17T03:59:59Z')),
      tradingDayBounds({ timezone: london, day_starts_at: '05:00' }, '2026-10-24'),
    ]);

  test.each([
    ['UTC', 0],
    ['Asia/Tokyo', -540],
    ['America/Los_Angeles', 420],
    ['Pacific/Kiritimati', -840],
    ['Asia/Kathmandu', -345],
  ])('%s changes no answer', (zone, minutes) => {
    process.env['TZ'] = 'Europe/London';
    const expected = answers();
    process.env['TZ'] = zone;
    expect(new Date('2026-07-01T12:00:00Z').getTimezoneOffset()).toBe(minutes);
    expect(answers()).toBe(expected);
  });
});

/** The clock changes of the zones above within the range under test. */
const changes = ['2026-03-29T01:00:00Z', '2026-03-08T07:00:00Z', '2026-04-04T15:00:00Z'].map((change) =>
  Date.parse(change),
);

/** The rule in its plainest form, from a formatter: today's entries, and last night's that run past midnight. */
function isOpenByTheClock(store: OpeningStore, instant: number): boolean {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: store.timezone }).format(instant);
  const clockNow = new Intl.DateTimeFormat('en-GB', {
    timeZone: store.timezone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(instant);
  const yesterday = text(Date.parse(today) - 86_400_000).slice(0, 10);
  const isClosedOn = (date: string) => store.closures.some(({ from, to }) => from <= date && date <= to);
  const entriesOn = (date: string) => {
    const name = weekdays[(new Date(date).getUTCDay() + 6) % 7];
    return store.operational_hours.filter(({ day }) => day === name);
  };
  if (isClosedOn(today)) return false;
  if (entriesOn(today).some(({ open, close }) => open <= clockNow && (close <= open || clockNow < close))) return true;
  return !isClosedOn(yesterday) && entriesOn(yesterday).some(({ open, close }) => close <= open && clockNow < close);
}

function nearChange(instant: fc.Arbitrary<number>): fc.Arbitrary<number> {
  const minutes = fc.integer({ min: -200, max: 200 });
  const near = fc.tuple(
    fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-11-01T06:00:00Z'),
    minutes,
  );
  return fc.oneof(
    instant,
    near.map(([change, away]) => Date.parse(change) + away * 60_000),
  );
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function march(day: number): string {
  return text(Date.UTC(2026, 2, 10 + day)).slice(0, 10);
}

function text(instant: number): string {
  return new Date(instant).toISOString();
}

describe('a page that knows the offset of the shop’s zone', () => {
  /** `Intl` knows no zone of this name, and throws when it is asked for one. */
  const nowhere = 'Nowhere/At_All';

  afterEach(() => setKnownZoneOffset(null));

  test('tells whether the shop is open without asking for the zone', () => {
    const minute = fc.nat(24 * 60 - 1);
    fc.assert(
      fc.property(
        // The furthest from UTC, and one between; none of them changes its clocks.
        fc.constantFrom('Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu'),
        fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2030-01-01') }),
        minute,
        minute,
        (zone, instant, open, close) => {
          const now = new Date(instant);
          const store = shop(everyDay(`${clock(open)}-${clock(close)}`), { timezone: zone });
          setKnownZoneOffset(null);
          const expected = openStateAt(store, now);
          setKnownZoneOffset({ ...zoneOffsetSpanAt(zone, instant), zone: nowhere });
          expect(openStateAt({ ...store, timezone: nowhere }, now)).toEqual(expected);
        },
      ),
    );
  });
});
