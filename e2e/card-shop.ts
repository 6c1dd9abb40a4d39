import type { Page } from '@playwright/test';
import { Stripe } from 'stripe';
import { type LocalStripe, startLocalStripe } from '#payment/testing/stripe/local-stripe.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expect, test as base } from './shop.ts';

/** With a local Stripe, whose every request and answer must be as Stripe's types say. */
export const test = base.extend<{ stripe: LocalStripe }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
  stripe: async ({}, use) => {
    const stripe = await startLocalStripe();
    await openFirstPage(stripe);
    await use(stripe);
    expect(stripe.control.takeViolations()).toEqual([]);
    await stripe.close();
  },
});

/** The demo shop with a key of the local Stripe. */
export const testWithKey = test.extend<{ shop: Shop }>({
  shop: async ({ stripe }, use) => {
    const shop = await openShop({ STRIPE_API_BASE: stripe.origin, STRIPE_SECRET_KEY: stripe.secretKey });
    await use(shop);
    await shop.stop();
  },
});

/**
 * Opens a page for another account. At the first one the local Stripe compiles its schemas, which on a busy machine takes
 * longer than a shop waits.
 */
async function openFirstPage({ control, host, port }: LocalStripe): Promise<void> {
  const key = control.keys.create({ account: 'acct_of_nobody' });
  const { checkout } = new Stripe(key, { host, port, protocol: 'http' });
  const price_data = { currency: 'gbp', unit_amount: 100, product_data: { name: 'Cola' } };
  const address = 'http://127.0.0.1:1/';
  const line_items = [{ price_data, quantity: 1 }];
  await checkout.sessions.create({ mode: 'payment', success_url: address, cancel_url: address, line_items });
}

/** Fills in a card on Stripe's page and sends it. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^Pay £/ }).click();
}
