import type { Page } from '@playwright/test';
import { testApkPath } from '#app-release/testing/test-apks.ts';
import type { Shop } from '#testing/running-shop.ts';
import { findFaults, findFaultsInBoth } from './accessible.ts';
import { openOffice } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test('the owner publishes an app but one with a debug key is marked; phones find it; a browser becomes a board by a code', async ({
  shop,
  window,
}) => {
  const owner = await openOffice(shop, await window(), '/admin/releases');
  await markDebugKey(owner);
  await publishApp(shop, owner, await window(phone));
  await owner.evaluate("history.pushState(null, '', '/admin/devices')");
  await connectBoard(owner, await window());
});

/** An app with a debug key is marked before it is published, with what to do instead. */
async function markDebugKey(owner: Page): Promise<void> {
  const section = owner.getByRole('region', { name: "The kitchen's app" });
  await section.locator('input[type=file]').setInputFiles(testApkPath('debug-key'));
  await expect(section.getByRole('alert')).toContainText('signed with a debug key');
  await section.getByRole('button', { name: 'Keep version 3.10.20 as a draft' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Debug key');
  await section.getByRole('button', { name: 'Publish' }).click();
  await expect(owner.getByRole('dialog')).toContainText('signed with a key of your own');
  expect(await findFaultsInBoth(owner, 'light')).toEqual([]);
  await owner.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await section.getByRole('button', { name: 'Discard' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Withdrawn');
}

/** The owner uploads and publishes the app, a phone finds it, and a payment that the app began leads back to it. */
async function publishApp(shop: Shop, owner: Page, customer: Page): Promise<void> {
  const section = owner.getByRole('region', { name: "The customers' app" });
  await section.locator('input[type=file]').setInputFiles(testApkPath('only-v1'));
  await expect(section.getByRole('alert')).toContainText('not signed');
  await section.locator('input[type=file]').setInputFiles(testApkPath('shop-18'));
  await expect(section.getByRole('alert')).toContainText('built for the shop at https://shop.example.com');
  await section.locator('input[type=file]').setInputFiles(testApkPath('only-v2'));
  await expect(section.getByText('com.example.shop')).toBeVisible();
  await section.getByLabel("What's new?").fill('Faster checkout');
  await section.getByRole('button', { name: 'Keep version 3.10.20 as a draft' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Draft');
  await section.getByRole('button', { name: 'Publish' }).click();
  const question = owner.getByRole('dialog');
  await expect(question).toContainText('Keep the key safe');
  await question.getByRole('button', { name: 'Publish' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Offered to phones');
  expect(await findFaultsInBoth(owner, 'light')).toEqual([]);

  const asked = { platform: 'android', current_version: '3.10.18' };
  const { body: update } = await shop.api('POST', '/v1/app-release/check-update', asked);
  const path = new URL(String(update['download_url'])).pathname;
  await customer.goto('/app');
  await expect(customer.getByRole('link', { name: 'Download the app' })).toHaveAttribute('href', path);
  expect(await findFaults(customer)).toEqual([]);

  await section.getByRole('button', { name: 'Withdraw' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await owner.getByRole('button', { name: 'Undo' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Offered to phones');

  const { id } = await sendOrder(shop, { channel: 'app' });
  await customer.goto(`/orders/${id}/payment/callback?from=app`);
  const link = `intent://orders/${id}/payment/callback#Intent;scheme=com.example.shop;package=com.example.shop;end`;
  await expect(customer.getByRole('link', { name: 'Back to the app' })).toHaveAttribute('href', link);
  expect(await findFaults(customer)).toEqual([]);
}

/** A browser becomes a board by a code, and is signed out by the owner. */
async function connectBoard(owner: Page, wall: Page): Promise<void> {
  await owner.getByLabel('Name').fill('Wall screen');
  await owner.getByLabel('Station').fill('Grill');
  await owner.getByRole('button', { name: 'Show the code' }).click();
  const code = await owner.getByText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/).textContent();
  expect(await findFaultsInBoth(owner, 'light')).toEqual([]);

  await wall.goto(`/app/device#${code ?? ''}`);
  await expect(wall.getByLabel('Code from the office')).toHaveValue(code ?? '');
  expect(new URL(wall.url()).hash).toBe('');
  await wall.getByRole('button', { name: 'Use as an order board' }).click();
  await wall.waitForURL('**/kitchen');
  await expect(wall.getByRole('main')).toBeVisible();
  await expect(wall.getByText('Station Grill: its dishes, and every new order.')).toBeVisible();
  await wall.getByRole('button', { name: 'Show all orders' }).click();
  await expect(wall.getByText('Station Grill. Orders of all stations are shown.')).toBeVisible();

  const device = owner.getByRole('listitem', { name: 'Wall screen' });
  await expect(device).toContainText('Connected');
  await device.getByRole('button', { name: 'Sign out' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(device).toContainText('Signed out');
  // It leaves by itself, because its socket is cut.
  await expect(wall).not.toHaveURL(/kitchen/);
}
