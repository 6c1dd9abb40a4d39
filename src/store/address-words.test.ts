import { expect, test } from 'vitest';
import { addressWords } from '#store/address-words.ts';

test('an address stands on one line without what is empty, and its postcode does not break', () => {
  expect(addressWords({ line1: '27 Fennel Row', line2: '', city: 'Rugby', postcode: 'CV21 2ZZ' })).toBe(
    '27 Fennel Row, Rugby, CV21\u00a02ZZ',
  );
});
