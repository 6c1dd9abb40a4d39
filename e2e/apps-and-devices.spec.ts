import { createHash } from 'node:crypto';
import { readTestApk, testApkPath } from '#app-release/testing/test-apks.ts';
import { findFaults, findFaultsInBoth } from './accessible.ts';
import { sendOrder } from './orders.ts';
import { signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test('an app with a debug key is marked before it is published, with what to do instead', async ({ shop, window }) => {
  const owner = await signedIn(await window(), shop.adminToken);
  await owner.goto('/admin/releases');
  const section = owner.getByRole('region', { name: "The kitchen's app" });
  await section.locator('input[type=file]').setInputFiles(testApkPath('debug-key'));
  await expect(section.getByRole('alert')).toContainText('signed with a debug key');
  await section.getByRole('button', { name: 'Keep version 3.10.20 as a draft' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Debug key');
  await section.getByRole('button', { name: 'Publish' }).click();
  await expect(owner.getByRole('dialog')).toContainText('Make a key of your own first');
  expect(await findFaultsInBoth(owner, 'light')).toEqual([]);
  await owner.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await section.getByRole('button', { name: 'Discard' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Withdrawn');
});

test('the owner uploads and publishes the app, and a phone gets it in parts', async ({ shop, window }) => {
  const owner = await signedIn(await window(), shop.adminToken);
  await owner.goto('/admin/releases');
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

  const bytes = readTestApk('only-v2');
  const asked = { platform: 'android', current_version: '3.10.18' };
  const check = await owner.request.post('/v1/app-release/check-update', { data: asked });
  const update = (await check.json()) as { download_url: string; sha256: string; size: number };
  expect(update.size).toBe(bytes.length);
  const path = new URL(update.download_url).pathname;
  const parts = [];
  for (const range of ['bytes=0-4999', 'bytes=5000-']) {
    const part = await owner.request.get(path, { headers: { range } });
    expect(part.status()).toBe(206);
    parts.push(await part.body());
  }
  expect(createHash('sha256').update(Buffer.concat(parts)).digest('hex')).toBe(update.sha256);

  const customer = await window();
  await customer.goto('/app');
  await expect(customer.getByRole('link', { name: 'Download the app' })).toHaveAttribute('href', path);
  expect(await findFaults(customer)).toEqual([]);

  await section.getByRole('button', { name: 'Withdraw' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await owner.getByRole('button', { name: 'Undo' }).click();
  await expect(section.getByRole('heading', { name: /3\.10\.20/ })).toContainText('Offered to phones');
});

test('a payment that the app began leads back to it', async ({ shop, window }) => {
  const { id } = await sendOrder(shop, { channel: 'app' });
  const customer = await window(phone);
  await customer.goto(`/orders/${id}/payment/callback?from=app`);
  const link = `intent://orders/${id}/payment/callback#Intent;scheme=com.example.shop;package=com.example.shop;end`;
  await expect(customer.getByRole('link', { name: 'Back to the app' })).toHaveAttribute('href', link);
  expect(await findFaults(customer)).toEqual([]);
  // In the browser that placed it, the order's page shows how it ended.
  await customer.goto(`/orders/${id}/payment/callback`);
  await customer.waitForURL(`**/orders/${id}`);
});

test('a browser becomes a board by a code, and is signed out by the owner', async ({ shop, window }) => {
  const owner = await signedIn(await window(), shop.adminToken);
  await owner.goto('/admin/devices');
  await owner.getByLabel('Name').fill('Wall screen');
  await owner.getByLabel('Station').fill('Grill');
  await owner.getByRole('button', { name: 'Show the code' }).click();
  const code = await owner.getByText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/).textContent();
  expect(await findFaultsInBoth(owner, 'light')).toEqual([]);

  const wall = await window();
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
  await expect(device).toContainText('Connected', { timeout: 20_000 });
  await device.getByRole('button', { name: 'Sign out' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(device).toContainText('Signed out');
  // It leaves by itself, because its socket is cut.
  await expect(wall).not.toHaveURL(/kitchen/, { timeout: 15_000 });
});
