import { admin, openShop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { fillSignIn, register, signIn } from './people.ts';
import { expect, test } from './shop.ts';

test('a page that needs a sign-in leads to it, and then back to the page', async ({ window }) => {
  const page = await window();
  await page.goto('/store/orders?from=a-link');
  await page.waitForURL('/login');
  await fillSignIn(page);
  await page.waitForURL('/store/orders?from=a-link');
});

test('wrong credentials have an error beside the field, and nobody is signed in', async ({ window }) => {
  const page = await window({ viewport: { width: 390, height: 844 } });
  await page.goto('/login');
  await fillSignIn(page, { email: admin.email, password: 'not the password' });
  await expect(page.getByText('The email address or the password is wrong.').first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('a customer cannot enter the office, and a signed-in visitor cannot open the sign-in page', async ({
  shop,
  window,
}) => {
  const page = await signIn(await window(), await register(shop));
  await expect(page).toHaveURL('/');
  for (const path of ['/store/orders', '/kitchen', '/login', '/register']) {
    await page.goto(path);
    await page.waitForURL('/');
  }
});

test('signing out leads home and ends the sign-in immediately', async ({ shop, window }) => {
  const page = await window();
  await signIn(page);
  const token = await page.evaluate(() => localStorage.getItem('token'));
  expect((await shop.api('GET', '/v1/auth/user', undefined, token ?? '')).status).toBe(200);
  await page.getByRole('button', { name: /Account of/ }).click();
  await page
    .getByRole('button', { name: 'Sign out' })
    .or(page.getByRole('menuitem', { name: 'Sign out' }))
    .click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await expect(page).toHaveURL('/');
  // The page does not wait for the server, which may be a moment later.
  await expect.poll(async () => (await shop.api('GET', '/v1/auth/user', undefined, token ?? '')).status).toBe(401);
});

test('an unknown address shows a not-found page, with status 404', async ({ window }) => {
  const page = await window();
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('an empty shop is set up by its first visitor, once', async ({ browser }) => {
  const empty = await openShop({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }, ['--empty']);
  const context = await browser.newContext({ baseURL: empty.url });
  try {
    const page = await context.newPage();
    for (const path of ['/menu', '/checkout', '/orders/x', '/']) {
      await page.goto(path);
      await page.waitForURL('/setup');
    }
    await page.getByLabel('Code', { exact: true }).fill('AAAA-AAAA');
    await page.getByLabel('Name of the shop').fill('Nonna’s Kitchen');
    await page.getByLabel('Name', { exact: true }).fill('Nonna');
    await page.getByLabel('Email').fill('nonna@example.com');
    await page.getByLabel('Password').fill('a secret of mine');
    await page.getByRole('button', { name: 'Open the shop' }).click();
    await expect(page.getByRole('alert')).toContainText('not the code that the server showed');
    await expectAccessible(page);
    const [, code = ''] = /with the code (\S+)/.exec(empty.printed()) ?? [];
    await page.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Open the shop' }).click();
    // The owner is signed in, with the board open.
    await page.waitForURL('/store/orders');
    expect(((await empty.api('GET', '/v1/stores')).body['data'] as unknown[]).length).toBe(1);
    const again = await empty.api('POST', '/v1/setup', {
      owner: { name: 'Thief', email: 'thief@example.com', password: 'a secret of mine' },
      store: { name: 'Mine' },
      code,
    });
    expect([again.status, again.body['code']]).toEqual([409, 'already_set_up']);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Nonna’s Kitchen' }).first()).toBeVisible();
  } finally {
    await context.close();
    await empty.stop();
  }
});
