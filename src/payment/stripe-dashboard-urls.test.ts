import { expect, test } from 'vitest';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';

const live = { account: 'acct_1', mode: 'live' } as const;
const trial = { account: null, mode: 'test' } as const;

test.each([
  [stripeDashboardUrls.payment(live, 'pi_1'), '/acct_1/payments/pi_1'],
  [stripeDashboardUrls.payment({ ...live, mode: 'test' }, 'pi_1'), '/acct_1/test/payments/pi_1'],
  [stripeDashboardUrls.payment(live, null), '/acct_1/payments'],
  [stripeDashboardUrls.payout(trial, 'po_1'), '/test/payouts/po_1'],
  [stripeDashboardUrls.keys('live'), '/apikeys'],
  [stripeDashboardUrls.keys('test'), '/test/apikeys'],
  [stripeDashboardUrls.webhooks('test'), '/test/webhooks'],
  [stripeDashboardUrls.activate, '/account/onboarding'],
])('%s', (address, path) => {
  expect(address).toBe(`https://dashboard.stripe.com${path}`);
});

test('the page on which a key is made has its name, and every right that the shop needs', () => {
  const { pathname, searchParams } = new URL(stripeDashboardUrls.newKey('live', 'Hatch & Co'));
  expect(pathname).toBe('/apikeys/create');
  expect(searchParams.get('name')).toBe('Hatch & Co');
  expect(searchParams.getAll('permissions[]')).toEqual(expect.arrayContaining(stripeRightNames));
});
