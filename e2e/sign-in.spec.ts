import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { googleDetails, offer, person, signInThere, withoutFonts } from './companies.ts';
import { openOffice } from './office.ts';
import { openGuestOrder } from './orders.ts';
import { password, readMail, register, signedIn, signIn } from './people.ts';
import { expect, test as base } from './shop.ts';

interface Companies {
  google: TestProvider;
  apple: TestProvider;
}

/** One shop for which local providers play Google and Apple; each journey begins without any of them. */
const test = base.extend<{ companies: Companies; shop: Shop }, { world: Companies & { shop: Shop } }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
    async ({}, use) => {
      const [google, apple] = await Promise.all([startTestProvider('google'), startTestProvider('apple')]);
      const shop = await openShop({ OIDC_GOOGLE_ISSUER: google.issuer, OIDC_APPLE_ISSUER: apple.issuer });
      for (const company of [google, apple]) company.admitShop(shop.url);
      await use({ google, apple, shop });
      await shop.stop();
      await Promise.all([google.close(), apple.close()]);
    },
    { scope: 'worker' },
  ],
  companies: async ({ world: { google, apple } }, use) => {
    for (const company of [google, apple]) company.fail(null);
    await use({ google, apple });
  },
  shop: async ({ world: { shop } }, use) => {
    const { body } = await shop.api('GET', '/v1/sign-in-providers', undefined, shop.adminToken);
    const { providers } = body['data'] as { providers: { id: string }[] };
    for (const { id } of providers) {
      await shop.api('DELETE', `/v1/sign-in-providers/${id}`, undefined, shop.adminToken);
    }
    await use(shop);
  },
});

const phone = { width: 390, height: 844 };
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const step = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

const appleDetails = ({ apple: { clientId, apple } }: Companies) => ({
  kind: 'apple',
  client_id: clientId,
  team_id: apple.teamId,
  key_id: apple.keyId,
  private_key: apple.privateKey,
});

test('an owner sets Google up, tries it and shows it, and a customer signs in with it', async ({
  shop,
  companies,
  window,
}) => {
  const { google } = companies;
  const page = await withoutFonts(await openOffice(shop, await window(), '/admin/sign-in'));
  await page.getByRole('button', { name: 'Add Google' }).click();
  await expect(page.getByRole('textbox', { name: 'Authorised redirect URI' })).toHaveValue(`${shop.url}/auth/callback`);
  await expectAccessible(page);
  await page.getByLabel('Client ID', { exact: true }).fill('the-shop');
  await page.getByLabel('Client secret', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expect(page.getByText("Google's client ID ends in .apps.googleusercontent.com.")).toBeVisible();
  await page.getByLabel('Client ID', { exact: true }).fill(google.clientId);
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expect(page.getByText('Google does not accept the client ID and secret.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Client secret', { exact: true }).fill(google.clientSecret);
  await page.getByRole('button', { name: 'Check and save' }).click();

  await expect(step(page, "On the shop's pages").getByText('Customers do not see Google yet.')).toBeVisible();
  await step(page, 'Try it yourself').getByRole('button', { name: 'Try it yourself' }).click();
  await signInThere(page, person(google, { email: 'owner@gmail.com', name: 'Olive Owner' }));
  await page.waitForURL('/admin/sign-in');
  await expect(page.getByText('Olive Owner, owner@gmail.com. The address is confirmed')).toBeVisible();
  await expect(step(page, 'Try it yourself').getByText('It worked on')).toBeVisible();
  await step(page, "On the shop's pages").getByRole('button', { name: 'Show it to customers' }).click();
  await expect(page.getByText('Customers see “Continue with Google”.')).toBeVisible();
  await expectAccessible(page);
  // Of the trial nobody is signed in, and no account is left.
  await expect(page.getByText('One customer signs in this way.')).toHaveCount(0);

  const customer = await withoutFonts(await window({ viewport: phone }));
  await customer.goto('/customer/orders');
  await customer.waitForURL('/login');
  await expectAccessible(customer);
  await customer.getByRole('button', { name: 'Continue with Google' }).click();
  await signInThere(customer, person(google, { email: 'ada@gmail.com', name: 'Ada Byron' }));
  await customer.waitForURL('/customer/orders');
  await expect(customer.getByRole('button', { name: 'Account of Ada Byron' })).toBeVisible();

  await page.reload();
  await expect(page.getByText('One customer signs in this way.')).toBeVisible();
  await step(page, 'Details').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('dialog').getByText('One customer has no other way to sign in')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Add Google' })).toBeVisible();
  await customer.goto('/login');
});

test('a customer connects Apple, which posts its answer, signs in with it, and disconnects it', async ({
  shop,
  companies,
  window,
}) => {
  await offer(shop, appleDetails(companies));
  const { apple } = companies;
  const { email, token } = await register(shop);
  const page = await withoutFonts(await signedIn(await window({ viewport: phone }), token));
  await page.goto('/customer/profile');
  const ways = section(page, 'Other ways to sign in');
  await expect(ways.getByText('Confirm your email address first.')).toBeVisible();
  const [link] = /\/verify-email#token=[\w-]+/.exec(await readMail(shop, email, 'Confirm')) ?? [];
  await page.goto(link ?? '');
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();

  await page.goto('/customer/profile');
  await ways.getByRole('button', { name: 'Connect Apple' }).click();
  await ways.getByLabel('Your password').fill('not my password');
  await ways.getByRole('button', { name: 'Continue with Apple' }).click();
  await expect(ways.getByText('This password is wrong.').first()).toBeVisible();
  await expectAccessible(page);
  await ways.getByLabel('Your password').fill(password);
  await ways.getByRole('button', { name: 'Continue with Apple' }).click();
  const login = person(apple, { email: 'x7@privaterelay.appleid.com', email_verified: 'true', name: 'Mary Berry' });
  await signInThere(page, login);
  await page.waitForURL('/customer/profile');
  await expect(ways.getByText('x7@privaterelay.appleid.com · since')).toBeVisible();
  await expectAccessible(page);

  const elsewhere = await withoutFonts(await window());
  await elsewhere.goto('/login');
  await elsewhere.getByRole('button', { name: 'Continue with Apple' }).click();
  await signInThere(elsewhere, login);
  await elsewhere.waitForURL('/');
  await elsewhere.getByRole('button', { name: 'Account of Mary Berry' }).click();
  await expect(elsewhere.getByText(email)).toBeVisible();

  await ways.getByRole('button', { name: 'Disconnect Apple' }).click();
  await ways.getByLabel('Your password').fill(password);
  await ways.getByRole('button', { name: 'Disconnect Apple' }).click();
  await expect(ways.getByRole('button', { name: 'Connect Apple' })).toBeVisible();
  expect(await readMail(shop, email, 'Apple no longer signs you in')).toContain('/customer/profile');
});

test("a guest's order goes into the account of who signs in with Google from its page", async ({
  shop,
  companies,
  window,
}) => {
  await offer(shop, googleDetails(companies.google));
  const page = await withoutFonts(await window({ viewport: phone }));
  const id = await openGuestOrder(shop, page, 'grace@example.com');
  const keep = page.getByRole('region', { name: 'Keep this order in an account' });
  await expect(keep.getByRole('link', { name: 'Create an account' })).toBeVisible();
  await expectAccessible(page);
  await keep.getByRole('button', { name: 'Continue with Google' }).click();
  await signInThere(page, person(companies.google, { email: 'grace.hopper@gmail.com', name: 'Grace Hopper' }));
  await page.waitForURL(`/orders/${id}`);
  await expect(page.getByText('The order is in your account.')).toBeVisible();
  await expect(keep).toHaveCount(0);
  await page.goto('/customer/orders');
  await expect(page.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();
});

test('what can go wrong on the way back has a message, and a password still signs in', async ({
  shop,
  companies,
  window,
}) => {
  await offer(shop, googleDetails(companies.google));
  const { google } = companies;
  const login = person(google, { email: 'grace@gmail.com', name: 'Grace Hopper' });
  const page = await withoutFonts(await window({ viewport: phone }));
  const failed = page.getByRole('heading', { name: 'You are not signed in' });

  await page.goto('/login');
  google.fail(503);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page.getByRole('alert').getByText('not working at the moment')).toBeVisible();
  await expectAccessible(page);
  google.fail(null);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('link', { name: '[ Cancel ]' }).click();
  await expect(failed).toBeVisible();
  await expect(page.getByText('The sign-in was cancelled.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/auth/callback?code=stolen&state=unknown');
  await expect(page.getByText('was started in another window')).toBeVisible();
  await expect(page).toHaveURL('/auth/callback');

  // Two tabs at once: each ends what it began itself.
  await page.goto('/login');
  const second = await page.context().newPage();
  await second.goto('/login');
  for (const tab of [page, second]) await tab.getByRole('button', { name: 'Continue with Google' }).click();
  await signInThere(page, login);
  await page.waitForURL('/');
  await second.locator('input[name=login]').fill(login);
  await second.locator('input[name=password]').fill('any');
  await second.locator('button[type=submit]').click();
  await second.waitForURL('/');
  await expect(second.getByRole('button', { name: 'Account of Grace Hopper' })).toBeVisible();

  const { email } = await register(shop);
  google.fail(503);
  await shop.api('POST', '/v1/auth/social/begin', {});
  const office = await openOffice(shop, await window({ viewport: phone }), '/admin/sign-in');
  await expect(section(office, 'Google').getByText('Google does not answer.')).toBeVisible();
  await expectAccessible(office);

  const other = await window();
  await signIn(other, { email, password });
  await expect(other.getByRole('button', { name: 'Account of Mary Berry' })).toBeVisible();
});

test('the clocks of the shop and the company may differ by minutes, not by more', async ({ shop, companies }) => {
  await offer(shop, googleDetails(companies.google));
  await offer(shop, appleDetails(companies));
  const signInByApi = async (company: TestProvider, at: number) => {
    const { body: offered } = await shop.api('GET', '/v1/auth/social/providers');
    const provider = (offered['data'] as { id: string }[])[at]?.id;
    const { body } = await shop.api('POST', '/v1/auth/social/begin', { provider });
    const begun = body['data'] as { url: string; secret: string };
    const login = person(company, { email: `${randomUUID()}@gmail.com`, name: 'Ada Byron' });
    const { answer } = await company.visit(begun.url, login);
    const ended = { secret: begun.secret, ...Object.fromEntries(answer) };
    return (await shop.api('POST', '/v1/auth/social/end', ended)).status;
  };
  for (const minutes of [0, 4, -4]) {
    await shop.setClock(minutes);
    expect([minutes, await signInByApi(companies.google, 0)]).toEqual([minutes, 200]);
    expect([minutes, await signInByApi(companies.apple, 1)]).toEqual([minutes, 200]);
  }
  // Its tokens are good for ten minutes, and none can be of later.
  for (const minutes of [-6, 16]) {
    await shop.setClock(minutes);
    expect([minutes, await signInByApi(companies.google, 0)]).toEqual([minutes, 422]);
  }
  await shop.setClock(0);
  const { body } = await shop.api('GET', '/v1/sign-in-providers', undefined, shop.adminToken);
  const { providers } = body['data'] as { providers: { problem: { kind: string } | null }[] };
  expect(providers.map(({ problem }) => problem?.kind)).toEqual(['clock', undefined]);
});
