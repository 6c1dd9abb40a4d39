import { expect, test } from 'vitest';
import { parseCoordinates } from '#office/web/guided-set-up/typed-place.ts';

test.each([
  ['51.5', '-0.12', { latitude: 51.5, longitude: -0.12 }],
  ['51.5, -0.12', '1', { latitude: 51.5, longitude: -0.12 }],
  ['', ' 52.373,−1.265 ', { latitude: 52.373, longitude: -1.265 }],
  ['52.3730001 -1.265°', '', { latitude: 52.373, longitude: -1.265 }],
])('“%s” and “%s” are read as a place', (latitude, longitude, point) => {
  expect(parseCoordinates({ latitude, longitude })).toMatchObject({ point, faults: {} });
});

test.each([
  ['', '-0.12', ['latitude']],
  ['91', '-0.12', ['latitude']],
  ['51.5', '-180.1', ['longitude']],
  ['north', 'west', ['latitude', 'longitude']],
  ['51.5, ', '-0.12', ['latitude']],
])('“%s” and “%s” are no place, and each field that is wrong says so', (latitude, longitude, wrong) => {
  const { point, faults } = parseCoordinates({ latitude, longitude });
  expect(point).toBeNull();
  expect(Object.keys(faults)).toEqual(wrong);
});
