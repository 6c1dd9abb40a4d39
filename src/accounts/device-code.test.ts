import { expect, test } from 'vitest';
import { readDeviceCode, spellDeviceCode } from '#accounts/device-code.ts';

test.each([
  ['ABCD2345', 'ABCD2345'],
  [' abcd-2345 ', 'ABCD2345'],
  ['ab cd 23 45', 'ABCD2345'],
  ['ABCD234', null],
  ['ABCD23456', null],
  ['ABCD234O', null],
  ['ABCD234ß', null],
  ['', null],
])('%j is read as %j', (text, code) => {
  expect(readDeviceCode(text)).toBe(code);
});

test('a code that is spelt is read as the same', () => {
  expect(readDeviceCode(spellDeviceCode('ABCD2345'))).toBe('ABCD2345');
});
