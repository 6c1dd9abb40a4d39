import { expect, test } from 'vitest';
import { totpCodeOf, findTotpStep, encodeTotpSecret, totpStepAt, totpUrl } from '#accounts/server/factors/totp.ts';

/* The vectors of RFC 6238, appendix B, for SHA-1: eight digits. */
const secret = Buffer.from('12345678901234567890');
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %d seconds the code is %s', (seconds, code) => {
  expect(totpCodeOf(secret, totpStepAt(new Date(seconds * 1000)), 8)).toBe(code);
});

test('a code works in its half minute, the one before and the one after, and once', () => {
  const now = new Date(1111111111 * 1000);
  const step = totpStepAt(now);
  const tried = [-2, -1, 0, 1, 2].map((off) => findTotpStep(secret, totpCodeOf(secret, step + off), now, 0));
  expect(tried).toEqual([null, step - 1, step, step + 1, null]);
  expect(findTotpStep(secret, totpCodeOf(secret, step), now, step)).toBeNull();
  expect(
    findTotpStep(secret, ` ${totpCodeOf(secret, step).slice(0, 3)} ${totpCodeOf(secret, step).slice(3)}`, now, 0),
  ).toBe(step);
  for (const wrong of ['', '12345', '1234567', 'abcdef', totpCodeOf(secret, step, 8)]) {
    expect(findTotpStep(secret, wrong, now, 0)).toBeNull();
  }
});

test('the secret is spelt as RFC 4648 says, and an app is told whose it is', () => {
  expect(encodeTotpSecret(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(encodeTotpSecret(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(totpUrl(secret, { account: 'ada@example.com', issuer: 'Nonna’s Kitchen' })).toBe(
    `otpauth://totp/${encodeURIComponent('Nonna’s Kitchen')}:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Nonna%E2%80%99s%20Kitchen`,
  );
});
