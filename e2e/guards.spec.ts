import { admin, openShop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { fillSignIn, register } from './people.ts';
import { expect, test } from './shop.ts';
import { goWithin } from './storefront.ts';

test('the office asks who is there and leads back to the wanted page, until they sign out; a customer is led home', async ({
  shop,
  window,
}) => {
  const page = await window();
  const keptToken = () => page.evaluate(() => localStorage.getItem('token'));
  const statusOf = async (token: string | null) =>
    (await shop.api('GET', '/v1/auth/user', undefined, token ?? '')).status;
  await page.goto('/store/orders?from=a-link');
  await page.waitForURL('/login');
  await fillSignIn(page, { email: admin.email, password: 'not the password' });
  await expect(page.getByText('The email address or the password is wrong.').first()).toBeVisible();
  expect(await keptToken()).toBeNull();
  // As a chat copies it.
  await fillSignIn(page, { email: `\u200B${admin.email}\u200E`, password: admin.password });
  await page.waitForURL('/store/orders?from=a-link');
  const token = await keptToken();
  expect(await statusOf(token)).toBe(200);

  // Signing out leads home and ends the sign-in immediately.
  await page.getByRole('button', { name: 'Account and more' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('/');
  expect(await keptToken()).toBeNull();
  // The page does not wait for the server, which may be a moment later.
  await expect.poll(() => statusOf(token)).toBe(401);

  // A customer cannot enter the office, and nobody who is signed in opens the pages for guests.
  const customer = await register(shop);
  await page.evaluate((value) => localStorage.setItem('token', value), customer.token);
  await page.goto('/store/orders');
  await page.waitForURL('/');
  await expect(page.getByRole('button', { name: `Account of ${customer.name}` })).toBeVisible();
  for (const path of ['/login', '/register']) {
    await goWithin(page, path);
    await page.waitForURL('/');
  }
  await goWithin(page, '/nowhere');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('an empty shop is set up by its first visitor, who has the code that the server showed', async ({ browser }) => {
  const empty = await openShop({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }, ['--empty']);
  const context = await browser.newContext({ baseURL: empty.url });
  try {
    const page = await context.newPage();
    await page.goto('/menu');
    await page.waitForURL('/setup');
    await page.getByLabel('Code', { exact: true }).fill('AAAA-AAAA');
    await page.getByLabel('Name of the shop').fill('Nonna’s Kitchen');
    await page.getByLabel('Name', { exact: true }).fill('Nonna');
    await page.getByLabel('Email').fill('nonna@example.com');
    await page.getByLabel('Password').fill('nonna2026');
    await page.getByRole('button', { name: 'Open the shop' }).click();
    await expect(page.getByRole('alert')).toContainText('not the code that the server showed');
    await expect(page.getByRole('alert')).toContainText('little more than your name');
    await expectAccessible(page);
    await page.getByLabel('Password').fill('a secret of mine');
    const [, code = ''] = /with the code ([A-Z\d-]+)/.exec(empty.printed()) ?? [];
    await page.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Open the shop' }).click();
    // The owner is signed in, and led on.
    await page.waitForURL('/admin/set-up');
    expect(await (await fetch(empty.url)).text()).toContain('Nonna’s Kitchen</h1>');
  } finally {
    await context.close();
    await empty.stop();
  }
});
