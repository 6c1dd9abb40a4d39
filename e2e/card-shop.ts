import type { Page } from '@playwright/test';
import { Stripe } from 'stripe';
import { checkProviderKey } from '#payment/server/keys/check-key.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';
import type { Right } from '#simulators/stripe/api/keys.ts';
import { type LocalStripe, startLocalStripe } from '#simulators/stripe/local-stripe.ts';
import { expect, test as base } from './shop.ts';

/** With a local Stripe, whose every request and answer must be as Stripe's types say. */
export const test = base.extend<{ stripe: LocalStripe }>({
  stripe: async ({ shop, stripeServer }, use) => {
    const stripe = await startLocalStripe({ server: stripeServer });
    await callFirst(stripe);
    await use(stripe);
    // The next journey's shop takes no cards with these keys.
    await shop.api('DELETE', '/v1/payments/setup', undefined, shop.adminToken);
    await stripe.control.webhooks.settled();
    expect(stripe.control.takeViolations()).toEqual([]);
    await stripe.close();
  },
});

/** The shop takes cards with `key`. */
export const testWithKey = test.extend<{ key: string }>({
  key: [
    async ({ shop, stripe }, use) => {
      const key = stripe.control.keys.create({ rights: rightsBut() });
      const { status, body } = await shop.api('POST', '/v1/payments/setup', { secret_key: key }, shop.adminToken);
      expect(status, JSON.stringify(body)).toBe(200);
      await use(key);
    },
    { auto: true },
  ],
});

/** The rights of a key that the shop can use, without some. */
export const rightsBut = (...without: string[]): Right[] => [
  ...stripeRightNames.filter((name) => !without.includes(name)).map((name) => name.replace('rak_', '') as Right),
  'accounts_kyc_basic_read',
  'payment_method_configurations_read',
];

/**
 * Calls as for another account. At its first calls the local Stripe compiles its schemas, which on a busy machine takes longer
 * than a shop waits.
 */
async function callFirst({ control, host, port }: LocalStripe): Promise<void> {
  const stripe = new Stripe(control.keys.create({ account: 'acct_of_nobody' }), { host, port, protocol: 'http' });
  const address = 'http://127.0.0.1:1/';
  await checkProviderKey(stripe, 'test', {
    currency: 'GBP',
    merchant: { id: '', name: 'Napoli' },
    words: { dish: 'Cola', discount: 'Off', note: 'Held.' },
    returnUrl: address,
    now: new Date(),
  });
  await stripe.webhookEndpoints.create({ url: address, enabled_events: ['charge.refunded'] });
  const price_data = { currency: 'gbp', unit_amount: 100, product_data: { name: 'Cola' } };
  const line_items = [{ price_data, quantity: 1 }];
  await stripe.checkout.sessions.create({ mode: 'payment', success_url: address, cancel_url: address, line_items });
}

/** Fills in a card on Stripe's page and sends it. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^Pay £/ }).click();
}
