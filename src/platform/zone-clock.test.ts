import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { DAY, setKnownZoneOffset, MINUTE, zoneOffsetSpanAt, wallTimeAt } from '#platform/zone-clock.ts';

const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca'];
const at = (time: string) => Date.parse(time);

afterEach(() => setKnownZoneOffset(null));

describe('the span of an offset', () => {
  test('reaches from four days before to three weeks after', () => {
    const span = zoneOffsetSpanAt('Europe/London', at('2026-11-21T19:00:00Z'));
    expect(span).toEqual({
      zone: 'Europe/London',
      offset: 0,
      from: at('2026-11-17T00:00:00Z'),
      until: at('2026-12-13T00:00:00Z'),
    });
  });

  test('ends where the clocks change, and begins there the day after', () => {
    const change = at('2027-03-28T01:00:00Z');
    expect(zoneOffsetSpanAt('Europe/London', at('2027-03-27T19:00:00Z'))).toMatchObject({ offset: 0, until: change });
    expect(zoneOffsetSpanAt('Europe/London', change - 1)).toMatchObject({ offset: 0, until: change });
    expect(zoneOffsetSpanAt('Europe/London', change)).toMatchObject({ offset: 60 * MINUTE, from: change });
    expect(zoneOffsetSpanAt('Europe/London', at('2027-03-29T19:00:00Z'))).toMatchObject({
      offset: 60 * MINUTE,
      from: change,
    });
  });

  test('says what the zone’s clocks show, at each of its instants', () => {
    const instants = fc.integer({ min: at('2026-01-01'), max: at('2030-01-01') });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        instants,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (zone, now, part) => {
          const { offset, from, until } = zoneOffsetSpanAt(zone, now);
          expect(from).toBeLessThanOrEqual(now);
          expect(until).toBeGreaterThan(now);
          const some = Math.floor(from + (until - 1 - from) * part);
          for (const instant of [from, some, until - 1]) expect(wallTimeAt(zone, instant) - instant).toBe(offset);
        },
      ),
    );
  });
});

test('what is known of a zone is taken for it and its span alone', () => {
  const now = at('2026-11-21T19:00:00Z');
  setKnownZoneOffset({ zone: 'Europe/London', offset: 7 * MINUTE, from: now, until: now + DAY });
  const shown = (instant: number, zone = 'Europe/London') => (wallTimeAt(zone, instant) - instant) / MINUTE;
  expect([shown(now - 1), shown(now), shown(now + DAY - 1), shown(now + DAY)]).toEqual([0, 7, 7, 0]);
  expect(shown(now, 'Europe/Lisbon')).toBe(0);
});
