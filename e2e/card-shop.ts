import type { Page } from '@playwright/test';
import { type LocalStripe, startLocalStripe } from '#payment/testing/stripe/local-stripe.ts';
import { expect, test as base } from './shop.ts';

/** With a local Stripe, whose every request and answer must be as Stripe's types say. */
export const test = base.extend<{ stripe: LocalStripe }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
  stripe: async ({}, use) => {
    const stripe = await startLocalStripe();
    await use(stripe);
    expect(stripe.control.takeViolations()).toEqual([]);
    await stripe.close();
  },
});

/** Fills in a card on Stripe's page and sends it. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^Pay £/ }).click();
}
