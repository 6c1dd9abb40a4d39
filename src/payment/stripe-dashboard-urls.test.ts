import { expect, test } from 'vitest';
import { stripePages } from '#payment/stripe-dashboard-urls.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';

const live = { account: 'acct_1', mode: 'live' } as const;
const trial = { account: null, mode: 'test' } as const;

test.each([
  [stripePages.payment(live, 'pi_1'), '/acct_1/payments/pi_1'],
  [stripePages.payment({ ...live, mode: 'test' }, 'pi_1'), '/acct_1/test/payments/pi_1'],
  [stripePages.payment(live, null), '/acct_1/payments'],
  [stripePages.payout(trial, 'po_1'), '/test/payouts/po_1'],
  [stripePages.keys('live'), '/apikeys'],
  [stripePages.keys('test'), '/test/apikeys'],
  [stripePages.webhooks('test'), '/test/webhooks'],
  [stripePages.activate, '/account/onboarding'],
])('%s', (address, path) => {
  expect(address).toBe(`https://dashboard.stripe.com${path}`);
});

test('the page on which a key is made has its name, and every right that the shop needs', () => {
  const { pathname, searchParams } = new URL(stripePages.newKey('live', 'Hatch & Co'));
  expect(pathname).toBe('/apikeys/create');
  expect(searchParams.get('name')).toBe('Hatch & Co');
  expect(searchParams.getAll('permissions[]')).toEqual(expect.arrayContaining(stripeRightNames));
});
