import { expect, test } from 'vitest';
import { kilometresBetween } from '#store/distance.ts';
import { nearestSectors, postcodeSectorCentre } from '#store/server/postcode-sector-centre.ts';

test.each([
  ['cv212aa', { latitude: 52.3737, longitude: -1.2619 }],
  ['AB10 1AA', { latitude: 57.1457, longitude: -2.1061 }],
])('%s lies in the middle of its sector', (postcode, near) => {
  const found = postcodeSectorCentre(postcode);
  expect(found?.latitude).toBeCloseTo(near.latitude, 1);
  expect(found?.longitude).toBeCloseTo(near.longitude, 1);
});

test.each(['', 'Rugby', 'BT1 1AA', 'sector', 'CV21'])('%j has no position', (text) => {
  expect(postcodeSectorCentre(text)).toBeNull();
});

test('the distance of two places is in kilometres', () => {
  const york = { latitude: 53.96, longitude: -1.08 };
  expect(kilometresBetween(york, york)).toBe(0);
  expect(kilometresBetween(york, { latitude: 53.99, longitude: -1.08 })).toBe(3.3);
  expect(kilometresBetween(york, { latitude: 40.42, longitude: -3.7 })).toBe(1518);
});

test('the sectors around a place are the nearest ones', () => {
  const rugby = { latitude: 52.3737, longitude: -1.2619 };
  const around = nearestSectors(rugby, 4);
  expect(around[0]?.sector).toBe('CV21 2');
  expect(around.map(({ sector }) => sector.slice(0, 3))).toEqual(['CV2', 'CV2', 'CV2', 'CV2']);
  const distances = around.map(({ kilometres }) => kilometres);
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
});
