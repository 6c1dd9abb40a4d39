import { expect, test } from 'vitest';
import { parseCoordinates } from '#office/web/guided-set-up/typed-place.ts';

test.each([
  ['51.5', '-0.12', { latitude: 51.5, longitude: -0.12 }],
  ['51.5, -0.12', '1', { latitude: 51.5, longitude: -0.12 }],
  ['', ' 52.373,−1.265 ', { latitude: 52.373, longitude: -1.265 }],
  ['52.3730001 -1.265°', '', { latitude: 52.373, longitude: -1.265 }],
  ['https://maps.google.com/?q=52.3712,-1.2617', '', { latitude: 52.3712, longitude: -1.2617 }],
  [
    'https://www.google.com/maps/place/Nonna/@52.3712,-1.2617,17z/data=!3m1',
    '',
    { latitude: 52.3712, longitude: -1.2617 },
  ],
  ['https://www.google.com/maps?q=52.3712%2C-1.2617', '', { latitude: 52.3712, longitude: -1.2617 }],
  [
    '',
    'https://www.openstreetmap.org/?mlat=52.3712&mlon=-1.2617#map=17/52.4/-1.3',
    { latitude: 52.3712, longitude: -1.2617 },
  ],
  ['https://www.openstreetmap.org/#map=17/52.3712/-1.2617', '', { latitude: 52.3712, longitude: -1.2617 }],
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
