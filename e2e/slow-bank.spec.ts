import type { Page } from '@playwright/test';
import type { LocalStripe } from '#simulators/stripe/local-stripe.ts';
import { expectAccessible } from './accessible.ts';
import { testWithKey as test } from './card-shop.ts';
import { readOrder } from './orders.ts';
import { newAddress } from './people.ts';
import { expect } from './shop.ts';
import { fillCollection, openCheckout, openPart, orderIdOf, orderPage, payWith, phone } from './storefront.ts';

// A busy machine is slow; nothing here is measured.

const asking = 'Your bank is confirming your payment.';

/** On Stripe's page: pays by a bank that answers later, and comes back to the order's page. */
async function payByBank(page: Page, { origin }: LocalStripe): Promise<void> {
  await page.waitForURL(`${origin}/**`);
  await page.getByLabel('At the bank').selectOption('later');
  await page.getByRole('button', { name: 'Pay by Bank' }).click();
  await page.waitForURL(orderPage);
  await expect(page.getByText(asking)).toBeVisible();
}

test('while the bank is asked nobody is asked to pay again; when it refuses they pay again, and may cancel meanwhile', async ({
  shop,
  stripe,
  window,
}) => {
  const { tables } = stripe.control.books();
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  await openPart(page, 'who');
  await page.getByLabel('Email').fill(newAddress());
  await payWith(page, 'Card');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await payByBank(page, stripe);
  const id = orderIdOf(page);
  await expect(page.getByRole('heading', { name: 'Waiting for your bank' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0);
  await expectAccessible(page, 'a payment that the bank is asked about');

  // Elsewhere in the shop, too.
  const { number } = await readOrder(shop, { id });
  await page.goto('/');
  await expect(page.getByText(`Order ${number}: your bank is confirming the payment`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pay', exact: true })).toHaveCount(0);
  await page.goto('/checkout');
  await expect(page.getByText('If you order again, this order is cancelled.')).toBeVisible();
  await page.getByRole('link', { name: 'See the order' }).click();
  await expect(page.getByText(asking)).toBeVisible();

  const [intent] = tables.payment_intent.values();
  stripe.control.finishPayment(intent?.id ?? '', false);
  await expect(page.getByText('Your payment was declined. Nothing was taken.')).toBeVisible();
  await expect(page.getByText(asking)).toBeHidden();
  await page.getByRole('button', { name: 'Try to pay again' }).click();
  await payByBank(page, stripe);

  await page.getByRole('button', { name: 'Cancel the order' }).click();
  const question = page.getByRole('dialog', { name: /^Cancel this order\? If your bank has already taken the money/ });
  await question.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible();
  await expect
    .poll(() => [...tables.payment_intent.values()].map(({ status }) => status))
    .toEqual(['requires_payment_method', 'canceled']);
  expect(await readOrder(shop, { id })).toMatchObject({ status: 'cancelled' });
});
