import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offsetWords, readLocalTime, writeLocalTime } from '#store/local-time.ts';

const london = 'Europe/London';

describe('a local date and time', () => {
  test('is one instant on an ordinary day, in winter and in summer', () => {
    expect(readLocalTime(london, '2026-11-21T18:00')).toEqual({
      kind: 'once',
      instant: new Date('2026-11-21T18:00:00Z'),
    });
    expect(readLocalTime(london, '2026-07-01T18:00')).toEqual({
      kind: 'once',
      instant: new Date('2026-07-01T17:00:00Z'),
    });
  });

  test('in the hour that October repeats is two instants', () => {
    expect(readLocalTime(london, '2026-10-25T01:30')).toEqual({
      kind: 'twice',
      instants: [new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z')],
    });
    expect(readLocalTime(london, '2026-10-25T01:00')?.kind).toBe('twice');
    expect(readLocalTime(london, '2026-10-25T00:59')?.kind).toBe('once');
    expect(readLocalTime(london, '2026-10-25T02:00')?.kind).toBe('once');
  });

  test('in the hour that March skips is none: the change itself', () => {
    const change = new Date('2027-03-28T01:00:00Z');
    expect(readLocalTime(london, '2027-03-28T01:30')).toEqual({ kind: 'skipped', instant: change });
    expect(readLocalTime(london, '2027-03-28T02:00')).toEqual({ kind: 'once', instant: change });
  });

  test('works where the clocks change by half an hour', () => {
    expect(readLocalTime('Australia/Lord_Howe', '2026-04-05T01:45')?.kind).toBe('twice');
    expect(readLocalTime('Australia/Lord_Howe', '2026-10-04T02:15')?.kind).toBe('skipped');
  });

  test.each(['', 'tomorrow', '2026-02-30T12:00', '2026-11-21', '2026-11-21T25:00', '9999-01-01T00:00'])(
    'is not read from “%s”',
    (text) => expect(readLocalTime(london, text)).toBeNull(),
  );

  test('every instant is found again from what the clocks showed', () => {
    const zones = fc.constantFrom(london, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    const minute = fc.integer({ min: 10_000_000, max: 50_000_000 });
    fc.assert(
      fc.property(zones, minute, (zone, at) => {
        const instant = new Date(at * 60_000);
        const read = readLocalTime(zone, writeLocalTime(zone, instant));
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
  expect(offsetWords(zone, new Date(at))).toBe(words);
});
