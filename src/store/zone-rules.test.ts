import { describe, expect, test } from 'vitest';
import { findZonesOfPostcode, sharedPrefixes } from '#store/zone-rules.ts';

const zone = (name: string, ...prefixes: string[]) => ({ name, postcode_prefixes: prefixes });
const town = zone('Town', 'CV21', 'cv22');
const hill = zone('Hill', 'CV21 3');
const late = zone('Late', 'CV22');
const zones = [town, hill, late];

describe('who takes a postcode', () => {
  test('the longest prefix wins, whatever the order, and the others are named', () => {
    expect(findZonesOfPostcode(zones, 'cv213ph')).toEqual({
      postcode: 'CV21 3PH',
      taker: { zone: hill, prefix: 'CV21 3' },
      others: [{ zone: town, prefix: 'CV21' }],
    });
  });

  test('of two alike the first has it', () => {
    expect(findZonesOfPostcode(zones, 'CV22 1AA')).toMatchObject({
      taker: { zone: town, prefix: 'CV22' },
      others: [{ zone: late }],
    });
  });

  test('nobody takes what no zone names, and CV2 is not CV21', () => {
    expect(findZonesOfPostcode([zone('Two', 'CV2')], 'CV21 2AA')).toEqual({
      postcode: 'CV21 2AA',
      taker: null,
      others: [],
    });
  });

  test('what is no postcode has no answer', () => {
    expect(findZonesOfPostcode(zones, 'CV21')).toBeNull();
  });
});

test('overlaps are the same prefix twice, and a sector within an outward code', () => {
  expect(sharedPrefixes(zones)).toEqual([
    { prefix: 'CV22', taker: town, other: late, isSame: true },
    { prefix: 'CV21 3', taker: hill, other: town, isSame: false },
  ]);
  expect(sharedPrefixes([zone('Two', 'CV2'), zone('One', 'CV21'), zone('Odd', '???')])).toEqual([]);
});
