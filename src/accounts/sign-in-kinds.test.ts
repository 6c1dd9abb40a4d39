import { expect, test } from 'vitest';
import { type AddressClaims, isAddressConfirmed, isAppleRelayAddress } from '#accounts/sign-in-kinds.ts';
import type { SignInProviderKind } from '#database/column-values.ts';

test.each<[SignInProviderKind, AddressClaims, boolean]>([
  ['other', { email: 'ada@example.com', email_verified: true }, true],
  ['other', { email: 'ada@example.com', email_verified: 'true' }, true],
  ['other', { email: 'ada@example.com', email_verified: false }, false],
  ['other', { email: 'ada@example.com', email_verified: 'false' }, false],
  ['other', { email: 'ada@example.com', email_verified: 1 }, false],
  ['other', { email: 'ada@example.com' }, false],
  ['other', { email_verified: true }, false],
  ['apple', { email: 'x7@privaterelay.appleid.com', email_verified: 'true' }, true],
  ['apple', { email: 'ada@example.com', email_verified: true }, true],
  ['apple', { email: 'ada@example.com', email_verified: 'false' }, false],
  ['google', { email: 'ada@gmail.com', email_verified: true }, true],
  ['google', { email: 'Ada@GMail.com', email_verified: true }, true],
  ['google', { email: 'ada@gmail.com', email_verified: false }, false],
  ['google', { email: 'ada@notgmail.com', email_verified: true }, false],
  ['google', { email: 'ada@gmail.com.example', email_verified: true }, false],
  ['google', { email: 'ada@yahoo.com', email_verified: true }, false],
  ['google', { email: 'ada@yahoo.com', email_verified: true, hd: '' }, false],
  ['google', { email: 'ada@yahoo.com', email_verified: true, hd: true }, false],
  ['google', { email: 'ada@school.example', email_verified: true, hd: 'school.example' }, true],
  ['google', { email: 'ada@school.example', email_verified: false, hd: 'school.example' }, false],
])('%s vouches for the address of %j: %s', (kind, claims, isConfirmed) => {
  expect(isAddressConfirmed(kind, claims)).toBe(isConfirmed);
});

test('an address at which Apple forwards mail is known as such', () => {
  expect(isAppleRelayAddress('dpdcnf87nu@privaterelay.appleid.com')).toBe(true);
  expect(isAppleRelayAddress('ada@privaterelay.appleid.com.example')).toBe(false);
  expect(isAppleRelayAddress('ada@icloud.com')).toBe(false);
});
