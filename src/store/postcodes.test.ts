import { expect, test } from 'vitest';
import { findZone } from '#store/delivery-zones.ts';
import { correctedPostcode, normalisePostcode, normalisePrefix, postcodeFaultWords } from '#store/postcodes.ts';
import { sharedPrefixes } from '#store/zone-rules.ts';

test.each([
  ['cv212aa', 'CV21 2AA'],
  ['CV21\u00A02AA\u202C', 'CV21 2AA'],
  ['CV21\u20112AA', 'CV21 2AA'],
  ['sw1a 1aa', 'SW1A 1AA'],
  ['EC1A1BB', 'EC1A 1BB'],
  ['m1 1ae', 'M1 1AE'],
  ['gir 0aa', 'GIR 0AA'],
])('%j is the postcode %s', (typed, postcode) => {
  expect(normalisePostcode(typed)).toBe(postcode);
});

test.each(['CV21 2OA', 'CV2I 2AA', 'CV21 2AC', 'QV21 2AA', 'CI21 2AA', 'W1I 1AA', 'CV2I', 'EC1 1AA', 'W1 1AA'])(
  '%s cannot exist',
  (typed) => {
    expect(normalisePostcode(typed)).toBeNull();
  },
);

test.each([
  ['CV2I 2AA', 'CV21 2AA'],
  ['cvz1 2aa', 'CV21 2AA'],
  ['CV21 OAA', 'CV21 0AA'],
  ['SWIA 1AA', 'SW1A 1AA'],
  // Nothing that looks like an O stands there, half a postcode is not corrected, nor is a right one.
  ['CV21 2OA', null],
  ['CV21 2A', null],
  // OV is no area.
  ['0V21 2AA', null],
  ['CV21 2AA', null],
  ['hello', null],
])('%s was meant as %s', (typed, likely) => {
  expect(correctedPostcode(typed)).toBe(likely);
});

test('a fault is told with the likely postcode, or the one that cannot be', () => {
  expect(postcodeFaultWords('cv2i 2aa')).toBe('Check the postcode: did you mean CV21 2AA?');
  expect(postcodeFaultWords('cv21 2oa')).toBe('Check the postcode: CV21 2OA cannot be one.');
  expect(postcodeFaultWords('CV21')).toBe('Enter a full UK postcode, for example CV21 2AA.');
});

test('a district that exists only with a letter stands for all its letters', () => {
  const zone = (name: string, ...prefixes: string[]) => ({ name, postcode_prefixes: prefixes });
  const taker = (postcode: string, ...zones: ReturnType<typeof zone>[]) => findZone(zones, postcode)?.name ?? null;
  const west = zone('west', 'W1');
  expect(['W1A 1AA', 'W1W 5PN', 'W10 5AA', 'W11 1AA'].map((each) => taker(each, west))).toEqual([
    'west',
    'west',
    null,
    null,
  ]);
  expect(['EC4Y 0AB', 'SW1E 5JL', 'WC2N 5DU'].map((each) => taker(each, zone('city', 'EC4', 'SW1', 'WC2')))).toEqual([
    'city',
    'city',
    'city',
  ]);
  // E1 and E1W are two districts.
  expect(taker('E1W 1AA', zone('east', 'E1'))).toBeNull();
  // The narrower prefix goes before.
  expect(taker('W1A 1AA', west, zone('part', 'W1A'))).toBe('part');
  expect(sharedPrefixes([west, zone('part', 'W1A 1'), zone('other', 'W10')])).toMatchObject([
    { prefix: 'W1A 1', taker: { name: 'part' }, other: { name: 'west' }, isSame: false },
  ]);
});

test.each([
  ['cv2', 'CV2'],
  ['CV21  2', 'CV21 2'],
  ['cv212', 'CV21 2'],
  ['\u200Bw1\u00A0', 'W1'],
  ['CV2I', null],
  ['hello', null],
])('the prefix %j is %s', (typed, prefix) => {
  expect(normalisePrefix(typed)).toBe(prefix);
});
