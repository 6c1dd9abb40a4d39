import { expect, test } from 'vitest';
import { redirectAddressProblem } from '#accounts/web/providers/provider-form.tsx';

test.each([
  ['https://pizza.example/auth/callback', null, null],
  ['http://pizza.example/auth/callback', 'https', 'https'],
  ['http://localhost:3000/auth/callback', null, 'domain'],
  ['https://localhost/auth/callback', null, 'domain'],
  ['https://192.0.2.7/auth/callback', 'domain', 'domain'],
  ['http://127.0.0.1:3000/auth/callback', 'domain', 'domain'],
  ['https://[2001:db8::1]/auth/callback', 'domain', 'domain'],
])('%s: Google says %s, Apple %s', (address, google, apple) => {
  expect([redirectAddressProblem('google', address), redirectAddressProblem('apple', address)]).toEqual([
    google,
    apple,
  ]);
});
