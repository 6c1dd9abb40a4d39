import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '#store/contract.ts';
import { findEarliestSlot, type SlotDemand } from '#store/slot-rules.ts';
import { openStateAt, tradingDayOf } from '#store/opening-hours.ts';
import { answerDeadline, checkRequestedTime, slotsOn, slotStartOf } from '#store/slots.ts';
import { weekdays } from '#database/page-values.ts';

type TestStore = Parameters<typeof slotsOn>[0] &
  Parameters<typeof answerDeadline>[0] &
  Parameters<typeof openStateAt>[0];

/** In London, 17:00 to 23:00 every day, 20 minutes to prepare, quarter-hour slots, two days ahead. */
function shop(rest: Partial<Store> = {}): TestStore {
  return {
    timezone: 'Europe/London',
    day_starts_at: '05:00',
    operational_hours: weekdays.map((day) => ({ day, open: '17:00', close: '23:00' })),
    closures: [],
    is_accepting_orders: true,
    paused_until: null,
    pause_reason: null,
    pause_cause: null,
    prep_minutes: 20,
    busy_extra_minutes: 0,
    answer_minutes: 10,
    last_order_minutes: 0,
    slot_minutes: 15,
    max_orders_per_slot: null,
    preorder_days: 2,
    collection_enabled: true,
    delivery_enabled: true,
    ...rest,
  };
}

// 2026-11-20 is a Friday; London is on UTC.
const on = (clock: string, day = '2026-11-20') => `${day}T${clock}:00.000Z`;
const at = (clock: string, day?: string) => new Date(on(clock, day));
const hours = (open: string, close: string) => weekdays.map((day) => ({ day, open, close }));

function startsOn(store: TestStore, date: string, now: Date, need?: SlotDemand) {
  return slotsOn(store, 'collection', date, now, need).map(({ starts_at }) => starts_at);
}

describe('slotsOn', () => {
  test('before opening, the slots of the evening begin when the kitchen can be ready', () => {
    const slots = slotsOn(shop(), 'collection', '2026-11-20', at('12:00'));
    expect(slots[0]).toEqual({ starts_at: on('17:30'), ends_at: on('17:45'), is_available: true });
    expect(slots.at(-1)).toEqual({ starts_at: on('22:45'), ends_at: on('23:00'), is_available: true });
    expect(slots).toHaveLength(22);
  });

  test.each<[string, Partial<Store>, SlotDemand, string, string]>([
    ['during the evening, what is still in time', {}, {}, '18:30', '22:45'],
    ['a rush takes longer', { busy_extra_minutes: 20 }, {}, '18:45', '22:45'],
    ['so does an item of its own', {}, { itemsPrepMinutes: 60 }, '19:15', '22:45'],
    ['but not one that is quicker than the shop', {}, { itemsPrepMinutes: 5 }, '18:30', '22:45'],
    ['last orders come before closing', { last_order_minutes: 30 }, {}, '18:30', '22:30'],
    ['slots of half an hour', { slot_minutes: 30 }, {}, '18:30', '22:30'],
    ['slots go by the clock, not by the opening', { slot_minutes: 40 }, {}, '18:40', '22:40'],
    ['past midnight belongs to the evening', { operational_hours: hours('17:00', '01:00') }, {}, '18:30', '00:45'],
  ])('%s', (_, rest, need, first, last) => {
    const starts = startsOn(shop(rest), '2026-11-20', at('18:05'), need);
    expect(starts[0]?.slice(11, 16)).toBe(first);
    expect(starts.at(-1)?.slice(11, 16)).toBe(last);
  });

  test('the way to a zone counts for delivery only', () => {
    const need = { zoneExtraMinutes: 30 };
    expect(slotsOn(shop(), 'delivery', '2026-11-20', at('18:05'), need)[0]?.starts_at).toBe(on('19:00'));
    expect(slotsOn(shop(), 'collection', '2026-11-20', at('18:05'), need)[0]?.starts_at).toBe(on('18:30'));
  });

  test('entries that join at midnight have no gap there, and last orders before their end', () => {
    const joined = {
      operational_hours: [...hours('17:00', '23:59'), ...hours('00:00', '02:00')],
      last_order_minutes: 30,
    };
    const starts = startsOn(shop(joined), '2026-11-20', at('23:00')).map((start) => start.slice(11, 16));
    expect(starts).toEqual(['23:30', '23:45', '00:00', '00:15', '00:30', '00:45', '01:00', '01:15', '01:30']);
  });

  test('each sitting begins again', () => {
    const two = shop({ operational_hours: [...hours('12:00', '13:00'), ...hours('17:00', '18:00')] });
    expect(startsOn(two, '2026-11-20', at('08:00')).map((start) => start.slice(11, 16))).toEqual([
      '12:30',
      '12:45',
      '17:30',
      '17:45',
    ]);
  });

  test('a rush now does not delay tomorrow’s opening', () => {
    expect(startsOn(shop({ busy_extra_minutes: 60 }), '2026-11-21', at('18:00'))[0]).toBe(on('17:30', '2026-11-21'));
  });

  test.each<[string, Partial<Store>, string]>([
    ['further ahead than the shop allows', {}, '2026-11-23'],
    ['today only', { preorder_days: 0 }, '2026-11-21'],
    ['yesterday', {}, '2026-11-19'],
    ['a closure', { closures: [{ from: '2026-11-21', to: '2026-11-21', reason: '' }] }, '2026-11-21'],
    ['not accepting orders', { is_accepting_orders: false }, '2026-11-20'],
    ['no collection', { collection_enabled: false }, '2026-11-20'],
    ['no hours', { operational_hours: [] }, '2026-11-20'],
  ])('none: %s', (_, rest, date) => {
    expect(startsOn(shop(rest), date, at('18:00'))).toEqual([]);
  });

  test('the last day ahead is included', () => {
    expect(startsOn(shop(), '2026-11-22', at('18:00'))).toHaveLength(22);
  });

  test('a pause and full slots are listed as not available', () => {
    const store = shop({ paused_until: on('19:00'), max_orders_per_slot: 2 });
    const taken = new Map([
      [on('19:15'), 2],
      [on('19:30'), 1],
    ]);
    const slots = slotsOn(store, 'collection', '2026-11-20', at('18:00'), { taken });
    const free = slots.filter(({ is_available }) => is_available).map(({ starts_at }) => starts_at);
    expect(slots[0]?.starts_at).toBe(on('18:30'));
    expect(free.slice(0, 3)).toEqual([on('19:00'), on('19:30'), on('19:45')]);
  });

  test('without a limit, no slot is full', () => {
    const taken = new Map([[on('19:15'), 1000]]);
    expect(
      slotsOn(shop(), 'collection', '2026-11-20', at('18:00'), { taken }).every(({ is_available }) => is_available),
    ).toBe(true);
  });

  test('clock changes: the skipped hour has no slots, the repeated hour has them twice', () => {
    const night = shop({ operational_hours: hours('22:00', '04:00'), slot_minutes: 60, preorder_days: 1 });
    expect(startsOn(night, '2026-03-28', at('12:00', '2026-03-28')).map((start) => start.slice(11, 16))).toEqual([
      '23:00',
      '00:00',
      '01:00',
      '02:00',
    ]);
    expect(startsOn(night, '2026-10-24', at('12:00', '2026-10-24')).map((start) => start.slice(11, 16))).toEqual([
      '22:00',
      '23:00',
      '00:00',
      '01:00',
      '02:00',
      '03:00',
    ]);
  });

  test('clock changes: slots that do not divide an hour follow the clock', () => {
    const night = shop({ operational_hours: hours('00:00', '05:00'), slot_minutes: 50, prep_minutes: 0 });
    // 00:00, 00:50, then the clock goes from 01:00 to 02:00, 02:30, 03:20, 04:10.
    expect(startsOn(night, '2026-03-28', at('22:00', '2026-03-28')).map((start) => start.slice(11, 16))).toEqual([
      '00:00',
      '00:50',
      '01:30',
      '02:20',
      '03:10',
    ]);
  });
});

const check = (store: TestStore, requested: string | null, now: Date, need?: SlotDemand) =>
  checkRequestedTime(store, 'collection', requested, now, need);

describe('checkRequestedTime', () => {
  const two = shop({ operational_hours: [...hours('12:00', '14:00'), ...hours('17:00', '23:00')] });

  test.each<[string, Partial<Store>, string | null, string, string | null, string | null]>([
    ['as soon as possible, open', {}, null, '18:00', null, null],
    ['at opening', {}, null, '17:00', null, null],
    ['closed, opening today', {}, null, '16:59', 'shop_closed', 'We are closed until 17:00.'],
    ['closed for today', {}, null, '23:00', 'shop_closed', 'We are closed at the moment.'],
    [
      'after last orders',
      { last_order_minutes: 30 },
      null,
      '22:31',
      'shop_closed',
      'We have taken the last orders for now.',
    ],
    ['at last orders', { last_order_minutes: 30 }, null, '22:30', null, null],
    ['paused', { paused_until: on('19:00') }, null, '18:00', 'shop_paused', 'We are not taking orders until 19:00.'],
    [
      'paused for the rest of the day',
      { paused_until: on('05:00', '2026-11-21') },
      null,
      '18:00',
      'shop_paused',
      'We are closed at the moment.',
    ],
    ['after the pause', { paused_until: on('19:00') }, null, '19:00', null, null],
    [
      'not accepting',
      { is_accepting_orders: false },
      null,
      '18:00',
      'not_accepting_orders',
      'We are not taking orders at the moment.',
    ],
    ['not accepting, ahead', { is_accepting_orders: false }, on('19:00'), '18:00', 'not_accepting_orders', null],
    ['a slot this evening', {}, on('19:00'), '18:00', null, null],
    ['a slot this evening, while closed', {}, on('19:00'), '12:00', null, null],
    ['a slot in two days', {}, on('19:00', '2026-11-22'), '12:00', null, null],
    ['a slot in three', {}, on('19:00', '2026-11-23'), '12:00', 'slot_unavailable', null],
    ['in the past', {}, on('17:45'), '18:00', 'slot_past', 'That time has passed. Choose a later one.'],
    ['now', {}, on('18:00'), '18:00', 'slot_past', null],
    ['too soon', {}, on('18:15'), '18:00', 'slot_unavailable', '18:15 is too soon. The earliest is 18:20.'],
    ['before the kitchen is ready', {}, on('17:15'), '12:00', 'slot_unavailable', null],
    ['between slots', {}, on('19:05'), '18:00', 'slot_unavailable', null],
    ['at closing', {}, on('23:00'), '18:00', 'slot_unavailable', null],
    ['outside the hours', {}, on('15:00', '2026-11-21'), '18:00', 'slot_unavailable', null],
    ['within a pause', { paused_until: on('19:30') }, on('19:00'), '18:00', 'shop_paused', null],
    ['after a pause', { paused_until: on('19:30') }, on('19:30'), '18:00', null, null],
    [
      'in a closure',
      { closures: [{ from: '2026-11-21', to: '2026-11-21', reason: '' }] },
      on('19:00', '2026-11-21'),
      '18:00',
      'slot_unavailable',
      null,
    ],
    ['written with an offset', {}, '2026-11-20T20:00:00+01:00', '18:00', null, null],
    ['no time at all', {}, 'soon', '18:00', 'slot_unavailable', null],
    ['the end of time', {}, '+275760-09-13T00:00:00.000Z', '18:00', 'slot_unavailable', null],
  ])('%s', (_, rest, requested, now, code, message) => {
    const problem = check(shop(rest), requested, at(now));
    expect(problem?.code ?? null).toBe(code);
    expect(problem?.message ?? null).toBe(message ?? problem?.message ?? null);
  });

  test('between two sittings, as soon as possible is closed, and a slot of the next is fine', () => {
    expect(check(two, null, at('15:00'))?.message).toBe('We are closed until 17:00.');
    expect(check(two, on('17:30'), at('15:00'))).toBeNull();
  });

  test('a full slot', () => {
    const store = shop({ max_orders_per_slot: 3 });
    const need = { taken: new Map([[on('19:00'), 3]]) };
    expect(check(store, on('19:00'), at('18:00'), need)).toEqual({
      code: 'slot_full',
      message: '19:00 is full. Choose another time.',
      details: { kind: 'slot_full', time: '19:00' },
    });
    expect(check(store, on('19:15'), at('18:00'), need)).toBeNull();
  });
});

describe('findEarliestSlot', () => {
  const earliestReady = (...asked: Parameters<typeof findEarliestSlot>) => findEarliestSlot(...asked)?.at ?? null;

  test.each<[string, Partial<Store>, string, string | null]>([
    ['now and the kitchen’s minutes', {}, '18:02', on('18:22')],
    ['with a rush', { busy_extra_minutes: 15 }, '18:02', on('18:37')],
    ['the first slot while closed', {}, '12:00', on('17:30')],
    ['tomorrow’s first slot', {}, '23:30', on('17:30', '2026-11-21')],
    ['after last orders', { last_order_minutes: 30 }, '22:45', on('17:30', '2026-11-21')],
    ['after a pause', { paused_until: on('19:01') }, '18:02', on('19:15')],
    ['never, today only', { preorder_days: 0 }, '23:30', null],
    ['never, not accepting', { is_accepting_orders: false }, '18:00', null],
    ['never, no collection', { collection_enabled: false }, '18:00', null],
    ['never, no hours', { operational_hours: [] }, '18:00', null],
  ])('%s', (_, rest, now, expected) => {
    expect(earliestReady(shop(rest), 'collection', at(now))).toBe(expected);
  });

  test('the way counts for delivery', () => {
    expect(earliestReady(shop(), 'delivery', at('18:00'), { zoneExtraMinutes: 25 })).toBe(on('18:45'));
  });

  test('full slots push it on; with all of them full it is tomorrow, and as soon as possible is refused', () => {
    const store = shop({ max_orders_per_slot: 1 });
    const some = new Map([on('18:15'), on('18:30')].map((slot) => [slot, 1]));
    expect(earliestReady(store, 'collection', at('18:00'), { taken: some })).toBe(on('18:45'));
    expect(checkRequestedTime(store, 'collection', null, at('18:00'), { taken: some })).toBeNull();
    const all = new Map(startsOn(store, '2026-11-20', at('12:00')).map((slot) => [slot, 1]));
    all.set(on('18:15'), 1);
    expect(earliestReady(store, 'collection', at('18:00'), { taken: all })).toBe(on('17:30', '2026-11-21'));
    expect(checkRequestedTime(store, 'collection', null, at('18:00'), { taken: all })?.code).toBe('slot_full');
  });
});

test.each([
  [on('18:00'), on('18:00')],
  [on('18:14'), on('18:00')],
  [on('18:15'), on('18:15')],
])('an order ready at %s takes the slot of %s', (ready, slot) => {
  expect(slotStartOf(shop(), ready)).toBe(slot);
});

describe('answerDeadline', () => {
  test.each<[string, Partial<Store>, string, string]>([
    ['while open', {}, on('18:00'), on('18:10')],
    ['placed in the morning', {}, on('09:00'), on('17:10')],
    ['placed at night', {}, on('23:30'), on('17:10', '2026-11-21')],
    ['during a pause', { paused_until: on('20:00') }, on('18:00'), on('18:10')],
    [
      'before a closure',
      { closures: [{ from: '2026-11-21', to: '2026-11-22', reason: '' }] },
      on('23:30'),
      on('17:10', '2026-11-23'),
    ],
    ['in a shop that never opens', { operational_hours: [] }, on('18:00'), on('18:10')],
  ])('%s', (_, rest, placed, expected) => {
    expect(answerDeadline(shop(rest), new Date(placed)).toISOString()).toBe(expected);
  });
});

describe('properties', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const clock = minute.map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`);
  const entry = fc.record({ day: fc.constantFrom(...weekdays), open: clock, close: clock });
  const now = fc.integer({ min: Date.UTC(2026, 2, 26), max: Date.UTC(2026, 3, 1) }).map((instant) => new Date(instant));
  const store = fc
    .record({
      timezone: fc.constantFrom('Europe/London', 'Australia/Lord_Howe', 'America/New_York'),
      operational_hours: fc.array(entry, { minLength: 1, maxLength: 6 }),
      closures: fc.constantFrom<Store['closures'][]>([], [{ from: '2026-03-29', to: '2026-03-29', reason: '' }]),
      paused_until: fc.constantFrom(null, '2026-03-28T12:00:00.000Z', '2026-03-30T20:10:00.000Z'),
      prep_minutes: fc.integer({ min: 0, max: 90 }),
      busy_extra_minutes: fc.integer({ min: 0, max: 60 }),
      last_order_minutes: fc.integer({ min: 0, max: 90 }),
      slot_minutes: fc.constantFrom(5, 15, 20, 30, 45, 60),
      preorder_days: fc.integer({ min: 0, max: 2 }),
      max_orders_per_slot: fc.constantFrom(null, 1, 2),
    })
    .map(shop);

  test('a slot can be asked for exactly when it is listed as available', () => {
    fc.assert(
      fc.property(store, now, (any, from) => {
        const need = halfTaken(any, from);
        for (const { starts_at, is_available } of allSlots(any, from, need)) {
          expect(checkRequestedTime(any, 'collection', starts_at, from, need) === null).toBe(is_available);
        }
      }),
    );
  });

  test('slots are in order, in open hours, in time, and never listed twice', () => {
    fc.assert(
      fc.property(store, now, (any, from) => {
        const unpaused = { ...any, paused_until: null };
        let last = from.getTime() + (any.prep_minutes + any.busy_extra_minutes) * 60_000 - 1;
        for (const { starts_at } of allSlots(any, from, {})) {
          expect(Date.parse(starts_at)).toBeGreaterThan(last);
          last = Date.parse(starts_at);
          expect(openStateAt(unpaused, new Date(last)).is_open).toBe(true);
          expect(slotStartOf(any, starts_at)).toBe(starts_at);
        }
      }),
    );
  });

  test('the earliest is as soon as possible when that is taken, else the first free slot', () => {
    fc.assert(
      fc.property(store, now, (any, from) => {
        const need = halfTaken(any, from);
        const earliest = findEarliestSlot(any, 'collection', from, need)?.at ?? null;
        const firstFree = allSlots(any, from, need).find(({ is_available }) => is_available)?.starts_at ?? null;
        const canBeSoon = checkRequestedTime(any, 'collection', null, from, need) === null;
        const soon = new Date(from.getTime() + (any.prep_minutes + any.busy_extra_minutes) * 60_000).toISOString();
        expect(earliest === firstFree || canBeSoon).toBe(true);
        expect(!canBeSoon || (earliest ?? '') >= soon).toBe(true);
      }),
    );
  });

  test('as soon as possible is taken only while the shop is open', () => {
    fc.assert(
      fc.property(store, now, (any, from) => {
        const isRefused = checkRequestedTime(any, 'collection', null, from) !== null;
        expect(isRefused || openStateAt(any, from).is_open).toBe(true);
      }),
    );
  });

  test('the answer is due in open hours, or answer_minutes after placing', () => {
    fc.assert(
      fc.property(store, now, (any, placed) => {
        const since = new Date(answerDeadline(any, placed).getTime() - any.answer_minutes * 60_000);
        expect(since.getTime()).toBeGreaterThanOrEqual(placed.getTime());
        expect(openStateAt({ ...any, paused_until: null }, since).is_open).toBe(true);
      }),
    );
  });
});

function allSlots(any: TestStore, from: Date, need: SlotDemand) {
  const today = Date.parse(tradingDayOf(any, from));
  return [0, 1, 2, 3].flatMap((days) =>
    slotsOn(any, 'collection', new Date(today + days * 86_400_000).toISOString().slice(0, 10), from, need),
  );
}

/** Every other slot has one order in it. */
function halfTaken(any: TestStore, from: Date): SlotDemand {
  return {
    taken: new Map(
      allSlots(any, from, {}).flatMap(({ starts_at }, index) => (index % 2 === 0 ? [[starts_at, 1]] : [])),
    ),
  };
}
