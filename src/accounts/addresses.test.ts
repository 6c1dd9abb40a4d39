import { describe, expect, test } from 'vitest';
import {
  savedAddressWords,
  hasSameLinesAndPostcode,
  replaceOrAppendAddress,
  withDefaultAddress,
  removeAddressAt,
  mergeOrderAddress,
} from '#accounts/addresses.ts';

const at = (line1: string) => ({ line1, line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' });
const [home, work, gran] = [at('1 High Street'), at('2 Low Road'), at('3 Mill Lane')];
const lines = (addresses: readonly { line1: string }[]) => addresses.map(({ line1 }) => line1);

test('a new address comes last, an edited one stays where it was', () => {
  expect(replaceOrAppendAddress([home, work], null, gran)).toEqual([home, work, gran]);
  expect(replaceOrAppendAddress([home, work], 0, gran)).toEqual([gran, work]);
});

test('what is removed is gone, the others stay in order', () => {
  expect(removeAddressAt([home, work, gran], 1)).toEqual([home, gran]);
});

test('the default comes first, the others stay in order', () => {
  expect(lines(withDefaultAddress([home, work, gran], 2))).toEqual(lines([gran, home, work]));
  expect(withDefaultAddress([home], 0)).toEqual([home]);
});

test('is said on one line without what is empty', () => {
  expect(savedAddressWords(home)).toBe('1 High Street, Rugby, CV21 2AA');
});

test.each([
  ['1 high street', 'CV212AA'],
  ['1, High  Street.', 'cv21 2aa'],
])('%s, %s is the same door however it is written', (line1, postcode) => {
  expect(hasSameLinesAndPostcode(home, { ...at(line1), postcode })).toBe(true);
});

test.each([{ line1: '11 High Street' }, { postcode: 'CV21 2AB' }, { line2: 'Flat 2' }])(
  '%j is another door',
  (change) => {
    expect(hasSameLinesAndPostcode(home, { ...home, ...change })).toBe(false);
  },
);

describe('the address of an order', () => {
  test('is added to the end', () => {
    expect(mergeOrderAddress([home], gran, null)).toEqual([home, gran]);
  });

  test('takes the place of the same door, with what the driver is told now', () => {
    const told = { ...home, line1: '1 high street', instructions: 'Ring twice' };
    expect(mergeOrderAddress([home, work], told, null)).toEqual([told, work]);
  });

  test('takes the place of the one that was changed', () => {
    expect(mergeOrderAddress([home, work], gran, work)).toEqual([home, gran]);
  });

  test('is there once when another was changed into it', () => {
    expect(mergeOrderAddress([home, work, gran], home, gran)).toEqual([work, home]);
  });

  test('is added where the one that was changed is gone by now', () => {
    expect(mergeOrderAddress([home], gran, work)).toEqual([home, gran]);
  });
});
