import type { Page } from '@playwright/test';
import { stripeRightNames } from '#payment/stripe-rights.ts';
import { shopChangedChannel } from '#store/server/change-store.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { expectAccessible } from './accessible.ts';
import { rightsBut, test } from './card-shop.ts';
import { openOffice } from './office.ts';
import { expect } from './shop.ts';
import { changeStore } from './storefront.ts';

const step = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

test('an owner pastes a key, sees what it lacks, tries it, and takes cards; is told when it fails, takes another, and stops', async ({
  shop,
  stripe,
  window,
}) => {
  // A real shop: it has no cards of its own, and offers none yet.
  await changeStore(shop, { payment_methods: { collection: ['cash'], delivery: ['cash'] } });
  await onDatabaseOf(shop.dataDir, async (client) => {
    await client.query('update stores set is_demo = false where id = $1', [shop.storeId]);
    await client.query('select pg_notify($1, $2)', [shopChangedChannel, shop.storeId]);
  });
  const page = await openOffice(shop, await window(), '/admin/payments');
  await expect(page.getByText('No cards yet')).toBeVisible();
  await page.getByRole('link', { name: 'Set up card payments' }).click();
  const link = page.getByRole('link', { name: 'Make a key at Stripe' });
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(`${address.origin}${address.pathname}`).toBe('https://dashboard.stripe.com/test/apikeys/create');
  expect(address.searchParams.getAll('permissions[]')).toEqual(expect.arrayContaining([...stripeRightNames]));
  await expectAccessible(page);

  const field = page.getByLabel('Your restricted key');
  await field.fill('pk_test_51AbC');
  await field.press('Enter');
  await expect(page.getByText('This is the publishable key')).toBeVisible();

  const key = stripe.control.keys.create({ rights: rightsBut('rak_coupon_write') });
  stripe.control.keys.limitToOthers(key);
  await field.fill(key);
  await page.getByRole('button', { name: 'Check the key' }).click();
  await expect(page.getByText('the key is limited to other IP addresses')).toBeVisible();
  await expect(page.getByText('or add the address of the shop’s computer')).toBeVisible();
  stripe.control.keys.limitToOthers(key, false);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('Missing: Coupons: Write.')).toBeVisible();
  await expect(page.getByRole('link', { name: "Stripe's keys" })).toBeVisible();
  await expectAccessible(page);
  stripe.control.keys.change(key, rightsBut());
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('button', { name: 'Use this key in test mode' }).click();

  await expect(page.getByText('Test mode', { exact: true })).toBeVisible();
  await expect(page.getByText(key)).toHaveCount(0);
  await step(page, 'Test payment').getByRole('button', { name: 'Pay £0.30 in test mode' }).click();
  await expect(step(page, 'Test payment').getByText('£0.30 was paid and refunded')).toBeVisible();
  await expect(step(page, 'Messages from Stripe').getByText('They arrive.')).toBeVisible();
  await step(page, 'At the checkout').getByRole('button', { name: 'Offer cards to customers' }).click();
  await expect(step(page, 'At the checkout').getByText('can pay by card for collection and delivery')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Payments', exact: true }).first().click();
  await expect(page.getByText('Test mode', { exact: true })).toBeVisible();
  await page.goto('/store/orders');
  await expect(page.getByText('Cards are in test mode')).toBeVisible();

  // Pages are refused, for a reason that no right explains.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/payments/setup');
  // A check that still runs would find the refusal before the owner does.
  const waiting = `select from payment_key_sets where ended_at is null and check_at < now() + interval '1 hour'`;
  const checks = () => onDatabaseOf(shop.dataDir, async (client) => (await client.query(waiting)).rowCount);
  await expect.poll(checks).toBe(0);
  const refusal = { message: 'This account cannot take that.', param: 'adaptive_pricing', code: 'parameter_unknown' };
  stripe.control.faults.add({ kind: 'refused', method: 'POST', path: '/v1/checkout/sessions', times: 20, refusal });
  await step(page, 'Test payment').getByRole('button', { name: 'Try it again' }).click();
  await expect(page.getByText('Stripe refused: This account cannot take that.')).toBeVisible();
  await shop.api('POST', '/v1/payments/setup/webhook', {}, shop.adminToken);
  await page.reload();
  await expect(page.getByRole('alert').getByText('Stripe says: “This account cannot take that.”')).toBeVisible();
  await expectAccessible(page);
  stripe.control.faults.clear();
  await page.getByRole('alert').getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);

  // The key is withdrawn.
  stripe.control.keys.revoke(key);
  await step(page, 'Test payment').getByRole('button', { name: 'Pay £0.30 in test mode' }).click();
  await expect(page.getByText("Stripe does not accept the shop's key for this")).toBeVisible();
  await shop.api('POST', '/v1/payments/setup/webhook', {}, shop.adminToken);
  await page.reload();
  const alert = page.getByRole('alert');
  await expect(alert.getByText("Stripe does not accept the shop's key any more")).toBeVisible();
  // The band above it says no other thing.
  await expect(page.getByText('Customers are not offered cards at the moment.')).toBeVisible();
  await expectAccessible(page);

  await alert.getByRole('button', { name: 'Use another key' }).click();
  const second = stripe.control.keys.create({ rights: rightsBut() });
  await page.getByLabel('Your restricted key').fill(second);
  await page.getByRole('button', { name: 'Check the key' }).click();
  // A key that failed is replaced by one like it, and another one is said to be that.
  const take = page.getByRole('button', { name: 'Use this key in test mode' });
  await expect(take).toBeVisible();
  await expect(page.getByText('This is a test key')).toBeHidden();
  await page.getByText('Take real cards', { exact: true }).click();
  await expect(page.getByText('This is a test key')).toBeVisible();
  await take.click();
  await expect(page.getByText(`ends in ${second.slice(-4)}`)).toBeVisible();

  await page.getByRole('button', { name: 'Stop taking cards' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop taking cards' }).click();
  await expect(page.getByText('No cards yet')).toBeVisible();
});
