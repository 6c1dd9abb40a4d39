import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findZone } from '#store/delivery-zones.ts';
import { isPrefixWithin, normalisePostcode, normalisePrefix, splitPrefixes } from '#store/postcodes.ts';

const zone = (name: string, ...postcode_prefixes: string[]) => ({ name, postcode_prefixes });

describe('normalisePostcode', () => {
  test.each([
    ['CV21 2AA', 'CV21 2AA'],
    ['cv212aa', 'CV21 2AA'],
    ['  c v2 12 a a ', 'CV21 2AA'],
    ['CV21-2AA', 'CV21 2AA'],
    ['M1 1AE', 'M1 1AE'],
    ['b338th', 'B33 8TH'],
    ['CR2 6XH', 'CR2 6XH'],
    ['W1A 0AX', 'W1A 0AX'],
    ['ec1a1bb', 'EC1A 1BB'],
    ['gir0aa', 'GIR 0AA'],
  ])('%j is %s', (text, expected) => {
    expect(normalisePostcode(text)).toBe(expected);
  });

  test.each([
    '',
    'CV21',
    'CV21 2',
    'CV21 2A',
    'CV211 2AA',
    'CVV1 2AA',
    '21 2AA',
    'CV21 22A',
    'CV21 2AAA',
    '90210',
    'CV21 2AA; DROP',
  ])('%j is no postcode', (text) => {
    expect(normalisePostcode(text)).toBeNull();
  });
});

test.each([
  ['CV1, CV2;CV3', ['CV1', 'CV2', 'CV3']],
  ['cv1 cv2  B1', ['cv1', 'cv2', 'B1']],
  ['CV21 2, CV21 3 CV22', ['CV21 2', 'CV21 3', 'CV22']],
  [' , ', []],
])('the prefixes in %j', (text, prefixes) => {
  expect(splitPrefixes(text)).toEqual(prefixes);
});

describe('normalisePrefix', () => {
  test.each([
    ['cv2', 'CV2'],
    [' CV21 ', 'CV21'],
    ['CV21  2', 'CV21 2'],
    ['cv212', 'CV21 2'],
    ['cv2 1', 'CV2 1'],
    ['w1a', 'W1A'],
    ['W1A 0', 'W1A 0'],
    ['ec1a1', 'EC1A 1'],
    ['CV', null],
    ['CV21 2A', null],
    ['CV21 2AA', null],
    ['', null],
  ])('%j is %j', (text, expected) => {
    expect(normalisePrefix(text)).toBe(expected);
  });
});

describe('findZone', () => {
  const near = zone('Near', 'CV2');
  const town = zone('Town', 'CV21', 'CV22');
  const centre = zone('Centre', 'CV21 2');
  const all = [near, town, centre];

  test.each([
    ['CV2 1AA', 'Near'],
    ['CV21 1AA', 'Town'],
    ['CV21 2AA', 'Centre'],
    ['cv21 2zz', 'Centre'],
    ['CV22 2AA', 'Town'],
    ['CV3 2AA', undefined],
    ['CV20 1AA', undefined],
    ['C2 1AA', undefined],
    ['CV21', undefined],
    ['', undefined],
  ])('%j goes to %s', (postcode, name) => {
    expect(findZone(all, postcode)?.name).toBe(name);
    expect(findZone(all.toReversed(), postcode)?.name).toBe(name);
  });

  test('CV2 does not take CV21, even when it is the only zone', () => {
    expect(findZone([near], 'CV21 2AA')).toBeNull();
    expect(findZone([zone('Sector', 'CV2 1')], 'CV21 2AA')).toBeNull();
  });

  test('prefixes need not be stored tidily', () => {
    expect(findZone([zone('Untidy', 'nonsense', ' cv21   2')], 'CV21 2AA')?.name).toBe('Untidy');
  });

  test('the first of two zones with one prefix wins', () => {
    expect(findZone([zone('One', 'CV21'), zone('Two', 'CV21')], 'CV21 2AA')?.name).toBe('One');
  });
});

describe('properties', () => {
  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  const first = fc.constantFrom(...'ABCDEFGHIJKLMNOPRSTUWYZ');
  const second = fc.constantFrom(...'ABCDEFGHKLMNOPQRSTUVWXY');
  const last = fc.constantFrom(...'ABDEFGHJLNPQRSTUWXYZ');
  const outward = fc
    .oneof(
      fc.tuple(first, digit),
      fc.tuple(first, digit, digit),
      fc.tuple(first, digit, fc.constantFrom(...'ABCDEFGHJKPSTUW')),
      fc.tuple(first, second, digit),
      fc.tuple(first, second, digit, digit),
      fc.tuple(first, second, digit, fc.constantFrom(...'ABEHMNPRVWXY')),
    )
    .map((parts) => parts.join(''))
    // These have postcodes only with a letter behind them.
    .filter((code) => !/^(EC[1-4]|SW1|W1|WC[12])$/.test(code));
  const inward = fc.tuple(digit, last, last).map((parts) => parts.join(''));

  test('spacing and case never matter, and a normal form stays as it is', () => {
    fc.assert(
      fc.property(outward, inward, fc.integer({ min: 0, max: 7 }), (out, tail, at) => {
        const joined = out + tail;
        const untidy = ` ${joined.slice(0, at)} ${joined.slice(at)}`.toLowerCase();
        expect(normalisePostcode(untidy)).toBe(`${out} ${tail}`);
        expect(normalisePostcode(`${out} ${tail}`)).toBe(`${out} ${tail}`);
      }),
    );
  });

  test('an outward code takes just its own postcodes, and its sector wins over it', () => {
    fc.assert(
      fc.property(outward, outward, inward, (out, other, tail) => {
        const whole = zone('whole', out);
        expect(findZone([whole], `${other} ${tail}`) === whole).toBe(out === other || isPrefixWithin(other, out));
        const sector = zone('sector', `${out} ${tail.charAt(0)}`);
        expect(findZone([whole, sector], `${out} ${tail}`)).toBe(sector);
      }),
    );
  });

  test('any text at all is a postcode or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const found = normalisePostcode(text);
        expect(found === null || normalisePostcode(found) === found).toBe(true);
        expect(() => normalisePrefix(text)).not.toThrow();
      }),
    );
  });
});
