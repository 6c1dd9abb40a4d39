import type { Page } from '@playwright/test';
import type { LocalStripe } from '#payment/testing/stripe/local-stripe.ts';
import { expectAccessible } from './accessible.ts';
import { testWithKey as test } from './card-shop.ts';
import { readOrder } from './orders.ts';
import { newAddress } from './people.ts';
import { expect as expectAtOnce } from './shop.ts';
import { addDish, fillCheckout, goToCheckout, orderIdOf, orderPage, phone } from './storefront.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

const asking = 'Your bank is confirming your payment.';

/** Pays by a bank that answers later, and comes back to the order's page. */
async function payByBank(page: Page, stripe: LocalStripe): Promise<string> {
  await fillCheckout(page);
  await page.getByLabel('Email').fill(newAddress());
  await page.getByRole('radio', { name: /^Card/ }).check({ force: true });
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await page.waitForURL(`${stripe.origin}/**`);
  await page.getByLabel('At the bank').selectOption('later');
  await page.getByRole('button', { name: 'Pay by Bank' }).click();
  await page.waitForURL(orderPage);
  return orderIdOf(page);
}

function finish({ control }: LocalStripe, isGood: boolean): void {
  const intent = [...control.books().tables.payment_intent.values()].find(({ status }) => status === 'processing');
  control.finishPayment(intent?.id ?? '', isGood);
}

test('while the bank is being asked the customer is not asked to pay again, and sees its answer', async ({
  shop,
  stripe,
  window,
}) => {
  const page = await window(phone);
  const id = await payByBank(page, stripe);
  await expect(page.getByRole('heading', { name: 'Waiting for your bank' })).toBeVisible();
  await expect(page.getByText(asking)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0);
  await expectAccessible(page, 'a payment that the bank is asked about');

  // Elsewhere in the shop, too.
  const { number } = await readOrder(shop, { id });
  await page.goto('/menu');
  await expect(page.getByText(`Order ${number}: your bank is confirming the payment`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pay', exact: true })).toHaveCount(0);
  await addDish(page);
  await goToCheckout(page);
  await expect(page.getByText('If you order again, this order is cancelled.')).toBeVisible();
  await page.getByRole('link', { name: 'See the order' }).click();
  await expect(page.getByText(asking)).toBeVisible();

  finish(stripe, true);
  await expect(page.getByText(asking)).toBeHidden();
  expect(await readOrder(shop, { id })).toMatchObject({ status: 'placed', payment_status: 'paid' });
});

test('a bank that refuses leaves the order to be paid again, and one that is not waited for takes nothing', async ({
  shop,
  stripe,
  window,
}) => {
  const page = await window(phone);
  await payByBank(page, stripe);
  await expect(page.getByText(asking)).toBeVisible();
  finish(stripe, false);
  await expect(page.getByText('Your payment was declined. Nothing was taken.')).toBeVisible();

  await page.getByRole('button', { name: 'Try to pay again' }).click();
  await page.waitForURL(`${stripe.origin}/**`);
  await page.getByLabel('At the bank').selectOption('later');
  await page.getByRole('button', { name: 'Pay by Bank' }).click();
  await page.waitForURL(orderPage);
  await expect(page.getByText(asking)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  const question = page.getByRole('dialog', { name: /^Cancel this order\? If your bank has already taken the money/ });
  await question.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible();
  await expect
    .poll(() => [...stripe.control.books().tables.payment_intent.values()].map(({ status }) => status))
    .toEqual(['requires_payment_method', 'canceled']);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'cancelled' });
});
