import { expect, test } from 'vitest';
import { parseUserAgent, parseDeviceCode, formatDeviceCode } from '#accounts/devices.ts';

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
  expect(parseDeviceCode(text)).toBe(code);
});

test('a code that is spelt is read as the same', () => {
  expect(parseDeviceCode(formatDeviceCode('ABCD2345'))).toBe('ABCD2345');
});

test.each<[string, string | null, string | null]>([
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge',
    'Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Mac'],
  ['curl/8.5.0', null, null],
  ['', null, null],
])('%s', (userAgent, browser, system) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system });
});
