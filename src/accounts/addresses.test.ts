import { expect, test } from 'vitest';
import { addressWords, withAddress, withDefault, withoutAddress } from '#accounts/addresses.ts';

const at = (line1: string) => ({ line1, line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' });
const [home, work, gran] = [at('1 High Street'), at('2 Low Road'), at('3 Mill Lane')];
const lines = (addresses: readonly { line1: string }[]) => addresses.map(({ line1 }) => line1);

test('a new address comes last, an edited one stays where it was', () => {
  expect(withAddress([home, work], null, gran)).toEqual([home, work, gran]);
  expect(withAddress([home, work], 0, gran)).toEqual([gran, work]);
});

test('what is removed is gone, the others stay in order', () => {
  expect(withoutAddress([home, work, gran], 1)).toEqual([home, gran]);
});

test('the default comes first, the others stay in order', () => {
  expect(lines(withDefault([home, work, gran], 2))).toEqual(lines([gran, home, work]));
  expect(withDefault([home], 0)).toEqual([home]);
});

test('is said on one line without what is empty', () => {
  expect(addressWords(home)).toBe('1 High Street, Rugby, CV21 2AA');
});
