import { expect, test } from 'vitest';
import { sectorPosition } from '#store/server/sector-position.ts';

test.each([
  ['cv212aa', { latitude: 52.3737, longitude: -1.2619 }],
  ['AB10 1AA', { latitude: 57.1457, longitude: -2.1061 }],
])('%s lies in the middle of its sector', (postcode, near) => {
  const found = sectorPosition(postcode);
  expect(found?.latitude).toBeCloseTo(near.latitude, 1);
  expect(found?.longitude).toBeCloseTo(near.longitude, 1);
});

test.each(['', 'Rugby', 'BT1 1AA', 'sector', 'CV21'])('%j has no position', (text) => {
  expect(sectorPosition(text)).toBeNull();
});
