import { expect, test } from 'vitest';
import { directionsUrl } from '#store/web/directions-link.tsx';

const address = { line1: '27 Fennel Row', line2: '', city: 'Rugby', postcode: 'CV21 3AA' };
const place = {
  name: 'Fire & Oven',
  address,
  location: { latitude: 52.37, longitude: -1.26 },
  location_confirmed: true,
};
const destination = (of: typeof place) => {
  const href = directionsUrl(of);
  return href && new URL(href).searchParams.get('destination');
};

test('directions lead to the pin that a person confirmed', () => {
  expect(destination(place)).toBe('52.37,-1.26');
});

test('until then they lead to the address, and nowhere without one', () => {
  const unconfirmed = { ...place, location_confirmed: false };
  expect(destination(unconfirmed)).toBe('Fire & Oven, 27 Fennel Row, Rugby, CV21 3AA');
  expect(destination({ ...unconfirmed, address: { line1: '', line2: '', city: '', postcode: 'CV21 3AA' } })).toContain(
    'CV21 3AA',
  );
  expect(destination({ ...unconfirmed, address: { line1: ' ', line2: '', city: 'Rugby', postcode: '' } })).toBeNull();
});
