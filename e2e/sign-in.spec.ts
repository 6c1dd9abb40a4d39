import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '#testing/mail-server.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { googleDetails, offer, person, signInThere, withoutFonts } from './companies.ts';
import { openOffice } from './office.ts';
import { moveOrder, openGuestOrder } from './orders.ts';
import { newAddress, password, register, signIn } from './people.ts';
import { expect, test as base } from './shop.ts';
import { goWithin } from './storefront.ts';

interface Companies {
  google: TestProvider;
  apple: TestProvider;
}

interface World extends Companies {
  shop: Shop;
  smtp: MailServer;
}

/**
 * One shop that sends through a real SMTP server, and for which local providers play Google and Apple; each journey begins
 * without any of them.
 */
const test = base.extend<{ companies: Companies; shop: Shop }, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
    async ({}, use) => {
      const [google, apple, smtp] = await Promise.all([
        startTestProvider('google'),
        startTestProvider('apple'),
        startMailServer(),
      ]);
      const shop = await openShop((url) => ({
        APP_URL: url,
        SMTP_URL: smtp.url,
        OIDC_GOOGLE_ISSUER: google.issuer,
        OIDC_APPLE_ISSUER: apple.issuer,
      }));
      for (const company of [google, apple]) company.admitShop(shop.url);
      await use({ google, apple, shop, smtp });
      await shop.stop();
      await Promise.all([google.close(), apple.close(), smtp.stop()]);
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

/** The newest mail to this address with these words in its subject, as soon as it has come. */
async function mailAbout({ smtp }: World, email: string, subject: string): Promise<ReceivedMail> {
  const find = () => smtp.received.findLast((mail) => mail.to.includes(email) && mail.subject.includes(subject));
  const subjects = () => smtp.received.filter(({ to }) => to.includes(email)).map((mail) => mail.subject);
  await expect.poll(() => (find() ? 'came' : subjects()), { timeout: 30_000 }).toBe('came');
  return find() as ReceivedMail;
}

const appleDetails = ({ apple: { clientId, apple } }: Companies) => ({
  kind: 'apple',
  client_id: clientId,
  team_id: apple.teamId,
  key_id: apple.keyId,
  private_key: apple.privateKey,
});

test('an owner sets Google up, tries it and shows it, and a customer signs in with it, whatever goes wrong on the way', async ({
  shop,
  companies,
  window,
}) => {
  test.slow();
  const { google } = companies;
  const page = await withoutFonts(await openOffice(shop, await window(), '/admin/sign-in'));
  await test.step('the owner enters the details, tries them, and shows the button', async () => {
    await page.getByRole('button', { name: 'Add Google' }).click();
    await expect(page.getByRole('textbox', { name: 'Authorised redirect URI' })).toHaveValue(
      `${shop.url}/auth/callback`,
    );
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
  });

  const customer = await withoutFonts(await window({ viewport: phone }));
  const button = customer.getByRole('button', { name: 'Continue with Google' });
  await customer.goto('/customer/orders');
  await customer.waitForURL('/login');
  await test.step('what can go wrong on the way there and back has a message', async () => {
    await expectAccessible(customer);
    google.fail(503);
    await button.click();
    await expect(customer.getByRole('alert').getByText('not working at the moment')).toBeVisible();
    await expectAccessible(customer);
    google.fail(null);
    await button.click();
    await customer.getByRole('link', { name: '[ Cancel ]' }).click();
    await expect(customer.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
    await expect(customer.getByText('The sign-in was cancelled.')).toBeVisible();
    await expectAccessible(customer);
    await customer.goto('/auth/callback?code=stolen&state=unknown');
    await expect(customer.getByText('was started in another window')).toBeVisible();
    await expect(customer).toHaveURL('/auth/callback');
  });

  await test.step('of two tabs at once each ends what it began itself, on the page that it was about', async () => {
    const login = person(google, { email: 'ada@gmail.com', name: 'Ada Byron' });
    await customer.getByRole('link', { name: 'Sign in with email and password' }).click();
    const second = await customer.context().newPage();
    await second.goto('/login');
    for (const tab of [customer, second]) await tab.getByRole('button', { name: 'Continue with Google' }).click();
    await signInThere(customer, login);
    await customer.waitForURL('/customer/orders');
    await expect(customer.getByRole('button', { name: 'Account of Ada Byron' })).toBeVisible();
    await signInThere(second, login);
    await second.waitForURL('/');
    await expect(second.getByRole('button', { name: 'Account of Ada Byron' })).toBeVisible();
    await second.close();
    // Who has no password is offered one.
    await goWithin(customer, '/customer/profile');
    await expect(section(customer, 'Password').getByRole('button', { name: 'Send me a link' })).toBeVisible();
    await expectAccessible(customer);
  });

  await test.step('the owner reads who signs in this way, that Google does not answer, and removes it', async () => {
    google.fail(503);
    await shop.api('POST', '/v1/auth/social/begin', {});
    await page.reload();
    await expect(page.getByText('One customer signs in this way.')).toBeVisible();
    await expect(section(page, 'Google').getByText('Google does not answer.')).toBeVisible();
    await page.setViewportSize(phone);
    await expectAccessible(page);
    await step(page, 'Details').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('dialog').getByText('One customer has no other way to sign in')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: 'Add Google' })).toBeVisible();
  });
});

test('a customer connects Apple, which posts its answer, signs in with it, and disconnects it', async ({
  shop,
  companies,
  window,
  world,
}) => {
  await offer(shop, appleDetails(companies));
  const { apple } = companies;
  const { email } = await register(shop);
  const page = await withoutFonts(await signIn(await window({ viewport: phone }), { email, password }));
  await goWithin(page, '/customer/profile');
  const ways = section(page, 'Other ways to sign in');
  await expect(ways.getByText('Confirm your email address first.')).toBeVisible();
  const [link = ''] = /\/verify-email#token=[\w-]+/.exec((await mailAbout(world, email, 'Confirm')).text) ?? [];
  await goWithin(page, link);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await page.getByRole('main').getByRole('link', { name: 'My account' }).click();

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
  expect((await mailAbout(world, email, 'Apple no longer signs you in')).text).toContain('/customer/profile');
});

test('a guest is told by mail, makes the account from the order, and comes back from another order with Google', async ({
  world,
  shop,
  companies: { google },
  window,
}) => {
  test.slow();
  await offer(shop, googleDetails(google));
  const email = `grace.${randomUUID()}@gmail.com`;
  const mail = (subject: string) => mailAbout(world, email, subject);

  const page = await window({ viewport: phone });
  const id = await openGuestOrder(shop, page, email);
  await test.step('the account, by one tap on the order’s page and the link in the mail', async () => {
    const placed = await mail('Your order');
    expect(placed.text).toContain(`${shop.url}/orders/${id}`);
    // Nobody has shown yet that the address is theirs, so the mail names nobody.
    expect(placed.html).not.toContain('Grace Hopper');
    await moveOrder(shop, { id }, 'accept', { minutes: 25 });
    expect((await mail('has accepted your order')).text).toMatch(/Ready \d\d:\d\d/);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByText(`We have sent a link to ${email}.`)).toBeVisible();
    const [link = ''] = /\/account-link#token=\S+/.exec((await mail('Your account at')).text) ?? [];
    await goWithin(page, link);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.waitForURL('/customer/orders');
    await expect(page.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();
  });

  const elsewhere = await withoutFonts(await window({ viewport: phone }));
  const next = await openGuestOrder(shop, elsewhere, newAddress());
  const keep = elsewhere.getByRole('region', { name: 'Keep this order in an account' });
  await test.step('on another device, an account that nobody has confirmed is not theirs', async () => {
    await expect(keep.getByRole('button', { name: 'Email me a link' })).toBeVisible();
    await expectAccessible(elsewhere);
    await keep.getByRole('button', { name: 'Continue with Google' }).click();
    const taken = newAddress();
    await register(shop, 'Mary Berry', taken);
    await signInThere(elsewhere, person(google, { email: taken }));
    await expect(elsewhere.getByText('the address was never confirmed')).toBeVisible();
    await expectAccessible(elsewhere);
    expect(await elsewhere.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await elsewhere.context().clearCookies();
  });

  await test.step('the order goes into the account whose address both sides have confirmed', async () => {
    await goWithin(elsewhere, `/orders/${next}`);
    await keep.getByRole('button', { name: 'Continue with Google' }).click();
    await signInThere(elsewhere, person(google, { email, name: 'Grace Hopper' }));
    await elsewhere.waitForURL(`/orders/${next}`);
    await expect(elsewhere.getByText('The order is in your account.')).toBeVisible();
    await expect(keep).toHaveCount(0);
    await goWithin(elsewhere, '/customer/orders');
    for (const each of [id, next]) {
      await expect(elsewhere.locator(`a[href="/orders/${each}"]`).first()).toBeVisible();
    }
    expect((await mail('Google now signs you in')).text).toContain('/customer/profile');
    expect((await mail('A new device signed in')).text).toMatch(/Device: \w+, Linux/);
  });

  await moveOrder(shop, { id }, 'packed');
  expect((await mail('is ready')).html).toContain('You can collect it now');
  await moveOrder(shop, { id }, 'collected-by-customer');
  await shop.wait(3);
  expect((await mail('Your receipt')).text).toContain('This is your receipt.');

  await test.step('the owner sees which mail reached whom', async () => {
    const office = await openOffice(shop, await window(), `/admin/mail?search=${encodeURIComponent(email)}`);
    const mails = office.getByRole('row').filter({ hasText: email });
    const kinds = [
      'Order placed',
      'Order accepted',
      'Account from an order',
      'Way to sign in added',
      'New device',
      'Ready to collect',
      'Receipt',
    ];
    await expect(mails).toHaveCount(kinds.length);
    for (const kind of kinds) {
      await expect(mails.filter({ hasText: kind }).first().getByText('Sent', { exact: true })).toBeVisible();
    }
    await expectAccessible(office, 'the list of mails');
    await mails.filter({ hasText: 'Order accepted' }).getByRole('button').first().click();
    const sheet = office.getByRole('dialog');
    await expect(sheet.getByText(`Grace Hopper <${email}>`)).toBeVisible();
    await expect(
      sheet.frameLocator('iframe').getByText('Coalfinch has accepted your order.', { exact: true }),
    ).toBeVisible();
    await expectAccessible(office, 'one mail');
  });
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
    expect([minutes, await signInByApi(companies.google, 0)]).toEqual([minutes, 503]);
  }
  await shop.setClock(0);
  const { body } = await shop.api('GET', '/v1/sign-in-providers', undefined, shop.adminToken);
  const { providers } = body['data'] as { providers: { problem: { kind: string } | null }[] };
  expect(providers.map(({ problem }) => problem?.kind)).toEqual(['clock', undefined]);
});
