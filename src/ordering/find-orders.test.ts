import { expect, test } from 'vitest';
import { filterOrdersBySearch } from '#ordering/find-orders.ts';

const aisha = { number: '12', contact: { name: 'Aisha Khan', phone: '+44 7700 900123', email: '' } };
const tom = { number: '120', contact: { name: 'Tom Hughes', phone: '01788 555012', email: '' } };

test.each([
  ['', [aisha, tom]],
  ['  ', [aisha, tom]],
  ['12', [aisha]],
  ['#12', [aisha]],
  ['khan', [aisha]],
  ['TOM', [tom]],
  ['07700 900123', [aisha]],
  ['900123', [aisha]],
  ['5550', [tom]],
  ['5012', [tom]],
  ['nobody', []],
])('“%s” finds the right orders', (text, expected) => {
  expect(filterOrdersBySearch([aisha, tom], text)).toEqual(expected);
});
