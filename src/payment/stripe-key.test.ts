import { expect, test } from 'vitest';
import { readStripeKey } from '#payment/stripe-key.ts';

test.each([
  ['rk_test_51AbC', 'test', true],
  ['rk_live_51AbC', 'live', true],
  ['sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'test', false],
  ['sk_live_51AbC', 'live', false],
] as const)('%s is a key', (text, mode, isRestricted) => {
  expect(readStripeKey(text)).toEqual({ isUsable: true, mode, isRestricted });
});

test.each([
  ['pk_live_51AbC', 'publishable'],
  ['whsec_abc', 'webhook_secret'],
  ['acct_1PgafTB7WZ01zgkW', 'account'],
  ['rk_live_...dp7d', 'masked'],
  ['rk_live_••••dp7d', 'masked'],
  ['', 'unknown'],
  ['rk_test_', 'unknown'],
  ['rk_test_51 AbC', 'unknown'],
  ['rk_prod_51AbC', 'unknown'],
  ['Stripe', 'unknown'],
] as const)('%s is no key: %s', (text, instead) => {
  expect(readStripeKey(text)).toEqual({ isUsable: false, instead });
});
