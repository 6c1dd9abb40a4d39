import { expect, test } from 'vitest';
import { kilometresBetween, parseCoordinates } from '#office/web/guided-set-up/typed-place.ts';

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

test('the distance of two places is in kilometres', () => {
  const york = { latitude: 53.96, longitude: -1.08 };
  expect(kilometresBetween(york, york)).toBe(0);
  expect(kilometresBetween(york, { latitude: 53.99, longitude: -1.08 })).toBe(3.3);
  expect(kilometresBetween(york, { latitude: 40.42, longitude: -3.7 })).toBe(1518);
});
