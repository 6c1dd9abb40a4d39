import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { addDish, fillCollection, goToCheckout, orderPage, payByCard, phone, placeOrder } from './storefront.ts';

async function goToPaying(page: Page): Promise<void> {
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await payByCard(page);
}

test('Back from the payment page leads to the order that waits for its payment', async ({ window }) => {
  const page = await window(phone);
  await goToPaying(page);
  const payAt = page.url();
  await page.goBack();
  const waits = page.getByRole('status').filter({ hasText: 'is waiting for your payment' });
  await expect(waits).toBeVisible();
  await expectAccessible(page, 'an order waits, at the checkout');
  await page.goto('/');
  await expect(waits).toBeVisible();
  await expectAccessible(page, 'an order waits, on the home page');
  await expect(waits.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', new URL(payAt).pathname);
  await waits.getByRole('link', { name: 'See the order' }).click();
  await page.waitForURL(orderPage);
  await expect(page.getByRole('button', { name: /by card/ })).toBeVisible();
});

test('a customer who leaves the payment page comes to the order immediately, and can pay in cash', async ({
  window,
}) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  await page.getByRole('button', { name: /cash/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for the shop to accept your order');
});

test('a guest finds the way back to an open order', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  const id = await placeOrder(page);
  await page.goto('/menu');
  const going = page.getByRole('status').filter({ hasText: 'Waiting for the shop' });
  await expect(going).toBeVisible();
  await expectAccessible(page, 'an order under way, on the menu');
  await going.getByRole('link', { name: 'See the order' }).click();
  await page.waitForURL(new RegExp(id));
});
