import { describe, expect, test } from 'vitest';
import {
  customerViewAt,
  gmtOffsetWords,
  parseLocalTime,
  type PreviewedStore,
  formatLocalTime,
} from '#store/customer-preview.ts';
import { weekdays } from '#database/page-values.ts';
import * as fc from 'fast-check';

/** In London, 17:00 to 02:00 every day, 20 minutes to prepare. */
function shop(rest: Partial<PreviewedStore> = {}): PreviewedStore {
  return {
    timezone: 'Europe/London',
    day_starts_at: '05:00',
    operational_hours: weekdays.map((day) => ({ day, open: '17:00', close: '02:00' })),
    closures: [],
    is_accepting_orders: true,
    paused_until: null,
    pause_reason: null,
    pause_cause: null,
    prep_minutes: 20,
    busy_extra_minutes: 0,
    last_order_minutes: 0,
    slot_minutes: 15,
    max_orders_per_slot: null,
    preorder_days: 1,
    collection_enabled: true,
    delivery_enabled: true,
    ...rest,
  };
}
const now = new Date('2026-10-20T12:00:00Z');
const view = (at: string, rest: Partial<PreviewedStore> = {}) => customerViewAt(shop(rest), new Date(at), now);

describe('what a customer would see', () => {
  test('while the shop is open: since when, until when, and how soon', () => {
    const seen = view('2026-10-21T18:00:00Z');
    expect(seen.state).toMatchObject({ is_open: true, closes_at: '2026-10-22T01:00:00.000Z' });
    expect(seen.why).toBe('Within the opening hours: open since 17:00 today, until 02:00 tomorrow.');
    expect(seen.ways.map(({ soon }) => soon)).toEqual([{ minutes: 20 }, { minutes: 20 }]);
  });

  test('outside the hours: since when, and the first time that can be had', () => {
    const seen = view('2026-10-21T12:00:00Z');
    expect(seen.why).toBe('Outside the opening hours: closed since 02:00 today.');
    expect(seen.ways[0]).toMatchObject({ soon: { problem: 'We are closed until 17:00.' } });
    expect(seen.ways[0]?.earliest).toBe('2026-10-21T16:30:00.000Z');
  });

  test('delivery takes as long as the way to the zone', () => {
    const zone = { extra_minutes: 15 };
    const seen = customerViewAt(shop(), new Date('2026-10-21T18:00:00Z'), now, { zone });
    expect(seen.ways.map(({ soon }) => soon)).toEqual([{ minutes: 20 }, { minutes: 35 }]);
  });

  test('a pause counts until it ends, and never for the past', () => {
    const pause = { paused_until: '2026-10-20T20:00:00.000Z', pause_reason: 'Fryer' };
    expect(view('2026-10-20T18:00:00Z', pause).why).toBe('Paused until 21:00 today: Fryer');
    expect(view('2026-10-20T20:00:00Z', pause).state.is_open).toBe(true);
    expect(view('2026-10-19T18:00:00Z', pause).state.is_open).toBe(true);
    const evening = new Date('2026-10-20T18:00:30Z');
    const minute = new Date('2026-10-20T18:00:00Z');
    expect(customerViewAt(shop(pause), minute, evening).state.reason).toBe('paused');
  });

  test('orders switched off, and a shop without hours, say so', () => {
    expect(view('2026-10-21T18:00:00Z', { is_accepting_orders: false }).why).toMatch(/switched off/);
    expect(view('2026-10-21T18:00:00Z', { operational_hours: [] }).why).toBe('No opening hours are set.');
  });

  test('a full slot is shown as full', () => {
    const taken = new Map([['2026-10-21T18:15:00.000Z', 2]]);
    const store = shop({ max_orders_per_slot: 2 });
    const seen = customerViewAt(store, new Date('2026-10-21T18:00:00Z'), now, { taken });
    expect(seen.ways[0]?.soon).toEqual({ minutes: 30 });
  });
});

describe('a closure over the autumn change, 24 to 26 October 2026', () => {
  const closures = [{ from: '2026-10-24', to: '2026-10-26', reason: 'Refit' }];

  test.each([
    ['the evening before is cut off at midnight, summer time', '2026-10-23T22:59:00Z', true],
    ['midnight by the summer clock', '2026-10-23T23:00:00Z', false],
    ['the first 01:30 of the night of the change', '2026-10-25T00:30:00Z', false],
    ['the second 01:30', '2026-10-25T01:30:00Z', false],
    ['its last minute is by the winter clock', '2026-10-26T23:59:00Z', false],
    ['the next opening is by the winter clock', '2026-10-27T17:00:00Z', true],
    ['an hour before, which was 17:00 in summer', '2026-10-27T16:00:00Z', false],
  ])('%s', (_name, at, isOpen) => {
    expect(view(at, { closures }).state.is_open).toBe(isOpen);
  });

  test('the reason and the next opening are told', () => {
    const seen = view('2026-10-25T00:30:00Z', { closures });
    expect(seen.why).toBe('A closure, 24 October 2026 to 26 October 2026: Refit');
    expect(seen.state.opens_at).toBe('2026-10-27T17:00:00.000Z');
  });
});

test('over the spring change a closed night opens by the summer clock', () => {
  const closures = [{ from: '2027-03-28', to: '2027-03-28', reason: '' }];
  const seen = view('2027-03-28T01:00:00Z', { closures });
  expect(seen.why).toBe('A closure: 28 March 2027.');
  expect(seen.state.opens_at).toBe('2027-03-29T16:00:00.000Z');
});

const london = 'Europe/London';

describe('a local date and time', () => {
  test('is one instant on an ordinary day, in winter and in summer', () => {
    expect(parseLocalTime(london, '2026-11-21T18:00')).toEqual({
      kind: 'once',
      instant: new Date('2026-11-21T18:00:00Z'),
    });
    expect(parseLocalTime(london, '2026-07-01T18:00')).toEqual({
      kind: 'once',
      instant: new Date('2026-07-01T17:00:00Z'),
    });
  });

  test('in the hour that October repeats is two instants', () => {
    expect(parseLocalTime(london, '2026-10-25T01:30')).toEqual({
      kind: 'twice',
      instants: [new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z')],
    });
    expect(parseLocalTime(london, '2026-10-25T01:00')?.kind).toBe('twice');
    expect(parseLocalTime(london, '2026-10-25T00:59')?.kind).toBe('once');
    expect(parseLocalTime(london, '2026-10-25T02:00')?.kind).toBe('once');
  });

  test('in the hour that March skips is none: the change itself', () => {
    const change = new Date('2027-03-28T01:00:00Z');
    expect(parseLocalTime(london, '2027-03-28T01:30')).toEqual({ kind: 'skipped', instant: change });
    expect(parseLocalTime(london, '2027-03-28T02:00')).toEqual({ kind: 'once', instant: change });
  });

  test('works where the clocks change by half an hour', () => {
    expect(parseLocalTime('Australia/Lord_Howe', '2026-04-05T01:45')?.kind).toBe('twice');
    expect(parseLocalTime('Australia/Lord_Howe', '2026-10-04T02:15')?.kind).toBe('skipped');
  });

  test.each(['', 'tomorrow', '2026-02-30T12:00', '2026-11-21', '2026-11-21T25:00', '9999-01-01T00:00'])(
    'is not read from “%s”',
    (text) => expect(parseLocalTime(london, text)).toBeNull(),
  );

  test('every instant is found again from what the clocks showed', () => {
    const zones = fc.constantFrom(london, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    const minute = fc.integer({ min: 10_000_000, max: 50_000_000 });
    fc.assert(
      fc.property(zones, minute, (zone, at) => {
        const instant = new Date(at * 60_000);
        const read = parseLocalTime(zone, formatLocalTime(zone, instant));
        const found = read?.kind === 'twice' ? read.instants : [read?.instant];
        expect(found).toContainEqual(instant);
      }),
    );
  });
});

test.each([
  [london, '2026-10-25T00:30:00Z', 'GMT+1'],
  [london, '2026-10-25T01:30:00Z', 'GMT'],
  ['Asia/Kathmandu', '2026-10-25T01:30:00Z', 'GMT+5:45'],
  ['America/New_York', '2026-12-01T00:00:00Z', 'GMT−5'],
])('the clocks of %s at %s are %s', (zone, at, words) => {
  expect(gmtOffsetWords(zone, new Date(at))).toBe(words);
});
