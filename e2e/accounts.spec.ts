import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startTestProvider } from '#accounts/testing/oidc-provider.ts';
import { openShop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { fillSignIn, newAddress, password, readMail, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { changeStore, goWithin } from './storefront.ts';

const phone = { width: 390, height: 844 };

const pathIn = (text: string, page: string) => new RegExp(`${page}#token=[\\w-]+`).exec(text)?.[0] ?? '';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const keptToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'));

/** The open page's password fields, by what they tell password managers: each hides what is typed and takes what is pasted. */
async function expectPasswordFields(page: Page, wanted: string[]): Promise<void> {
  const pasted = 'Pasted: Ł 🍕 and  blanks ';
  const found = page.locator('input[type=password]');
  await expect(found).toHaveCount(wanted.length);
  expect(await found.evaluateAll((all) => all.map((each) => each.getAttribute('autocomplete')))).toEqual(wanted);
  // Nothing that is called a password is shown while it is typed.
  const called = page.locator('input').and(page.getByLabel(/password/i));
  expect(await called.evaluateAll((all) => all.map((each) => each.getAttribute('type')))).toEqual(
    wanted.map(() => 'password'),
  );
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('textarea'), { id: 'copied', value: '${pasted}' }));
    document.getElementById('copied').select();`,
  );
  await page.locator('#copied').focus();
  await page.keyboard.press('ControlOrMeta+c');
  await page.evaluate(`document.getElementById('copied').remove()`);
  for (const field of await found.all()) {
    await field.focus();
    await page.keyboard.press('ControlOrMeta+v');
    await expect(field).toHaveValue(pasted);
    await field.fill('');
  }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL('/');
}

test('an account is opened, confirmed by whom its address belongs to, left everywhere, and recovered by mail', async ({
  shop,
  window,
}) => {
  const mine = { email: newAddress(), password: 'a good secret' };
  const page = await window({ viewport: phone });
  await page.goto('/register');
  await expectPasswordFields(page, ['new-password']);
  await page.getByLabel('Name').fill('Mary Berry');
  await page.getByLabel('Email').fill(mine.email);
  await page.getByLabel('Phone').fill('07700 900111');
  await page.getByLabel('Password').fill(mine.password);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.waitForURL('/');
  await signOut(page);

  await test.step('a confirmation link asks for the account that it is about, and says what is wrong', async () => {
    await page.goto(pathIn(await readMail(shop, mine.email, 'Confirm'), '/verify-email'));
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await expectPasswordFields(page, ['current-password']);
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
    await expectAccessible(page);
    await fillSignIn(page, { ...mine, password: 'not the password' });
    await expect(page.getByRole('alert')).toContainText('The email address or the password is wrong.');
    await expectAccessible(page);
    await fillSignIn(page, mine);
    await expect(page.getByText(`Confirm that ${mine.email} is your email address.`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
    await expect(page).toHaveTitle(/^Email confirmation · /);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'My account' }).click();
    await expect(section(page, 'Email').getByText('Confirmed')).toBeVisible();

    const other = await register(shop, 'Grace Hopper');
    await goWithin(page, pathIn(await readMail(shop, other.email, 'Confirm'), '/verify-email'));
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await expect(page.getByRole('alert')).toContainText('This link is for another account');
    // A shortened address of an order leads to the orders.
    await goWithin(page, '/orders');
    await expect(page).toHaveURL('/customer/orders');
    await expect(heading(page, 'My orders')).toBeVisible();
    await goWithin(page, '/verify-email');
    await expect(heading(page, 'This link no longer works')).toBeVisible();
    await expect(page).toHaveTitle(/^Email confirmation · /);
  });

  await test.step('signing out everywhere also ends the current sign-in and leads home', async () => {
    const elsewhere = String((await shop.api('POST', '/v1/auth/login', mine)).body['token']);
    await goWithin(page, '/customer/profile');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL('/');
    expect(await keptToken(page)).toBeNull();
    expect((await shop.api('GET', '/v1/auth/user', undefined, elsewhere)).status).toBe(401);
  });

  await test.step('a forgotten password is replaced by a mailed link, which works once and leads on', async () => {
    await page.goto('/orders');
    await expect(page).toHaveURL('/login');
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    // This shop sends no mail: the page offers no link. Whoever runs its computer finds one there (guest-to-customer.spec.ts has
    // the form).
    await expect(page.getByText('so it cannot send you a link. Please ring the shop.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send me a link' })).toHaveCount(0);
    await expectAccessible(page);
    const told = await shop.api('POST', '/v1/auth/forgot-password', { email: mine.email });
    expect(told.body).toMatchObject({ is_sent: false });

    const link = pathIn(await readMail(shop, mine.email, 'Choose another password'), '/reset-password');
    await page.goto(link);
    await expectPasswordFields(page, ['new-password']);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Use this password' }).click();
    await expect(page.getByText('At least 8 characters.').first()).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Password').fill('another good secret');
    await page.getByRole('button', { name: 'Use this password' }).click();
    await expect(heading(page, 'Password changed')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, { ...mine, password: 'another good secret' });
    await expect(page).toHaveURL('/customer/orders');
    await goWithin(page, link);
    await page.getByLabel('Password').fill('one more secret');
    await page.getByRole('button', { name: 'Use this password' }).click();
    await expect(heading(page, 'This link no longer works')).toBeVisible();
    await expectAccessible(page);
  });
});

test('a customer sees and changes what the shop keeps about them, and deletes it, and finds the page of reviews', async ({
  shop,
  window,
}) => {
  const { token, ...person } = await register(shop);
  const email = `new-${person.email}`;
  const page = await signedIn(await window({ viewport: phone }), token);
  const ending = section(page, 'Delete my account');
  const locale = async () => {
    const { body } = await shop.api('GET', '/v1/auth/user', undefined, token);
    return (body['data'] as { locale: string }).locale;
  };
  await page.goto('/customer/profile');

  await test.step('a new address needs the right password', async () => {
    const address = section(page, 'Email');
    await expect(address.getByText('Not confirmed yet.')).toBeVisible();
    await expectAccessible(page);
    await address.getByRole('button', { name: 'Change email address' }).click();
    await ending.getByRole('button', { name: 'Delete my account', exact: true }).click();
    const named = page.locator('form:has([type=password]):has([autocomplete=username])');
    await expect(page.locator('form:has([type=password])')).toHaveCount(3);
    await expect(named, 'password managers find whose passwords they are').toHaveCount(3);
    await expectPasswordFields(page, ['current-password', 'current-password', 'new-password', 'current-password']);
    await address.getByLabel('New email address').fill(email);
    await address.getByLabel('Your password').fill('wrong');
    await address.getByRole('button', { name: 'Use this address' }).click();
    await expect(address.getByRole('alert')).toContainText('This password is wrong.');
    await address.getByLabel('Your password').fill(password);
    await address.getByRole('button', { name: 'Use this address' }).click();
    await expect(address.getByText(email)).toBeVisible();
  });

  await test.step('details are saved, and the notice of it stays for five seconds', async () => {
    await page.clock.install();
    const details = section(page, 'Your details');
    await details.getByLabel('Name').fill('Mary Lou Berry');
    await details.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByText('Saved.');
    await expect(notice).toBeVisible();
    await expect(page.getByRole('button', { name: 'Account of Mary Lou Berry' })).toBeVisible();
    await page.clock.fastForward(5_000);
    await expect(notice).toBeHidden();
  });

  await test.step('addresses are added, made the default and removed, and allergies are chosen', async () => {
    const addresses = section(page, 'Addresses');
    for (const [line1, postcode] of [
      ['2 Low Road', 'cv212aa'],
      ['3 Mill Lane', 'CV21 3BB'],
    ] as const) {
      await addresses.getByRole('button', { name: 'Add an address' }).click();
      await addresses.getByRole('textbox', { name: 'Postcode' }).fill(postcode);
      await addresses.getByRole('textbox').first().fill(line1);
      await addresses.getByRole('button', { name: 'Save' }).click();
      await expect(addresses.getByText(line1).first()).toBeVisible();
    }
    await expect(addresses.getByText('2 Low Road, CV21 2AA').first()).toBeVisible();
    await addresses.getByRole('button', { name: 'Make default 3 Mill Lane' }).click();
    await expect(addresses.getByRole('listitem').first()).toContainText('3 Mill Lane');
    await addresses.getByRole('button', { name: 'Remove 2 Low Road' }).click();
    await expect(addresses.getByRole('listitem')).toHaveCount(1);
    await section(page, 'Allergies').getByLabel('Peanuts').check();
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await section(page, 'Allergies').getByRole('button', { name: 'Save' }).click();
    await saved;
  });

  const elsewhere = String((await shop.api('POST', '/v1/auth/login', { email, password })).body['token']);
  await test.step("the account's language is set on its page, or by the language of any page", async () => {
    await expect(section(page, 'Language').getByLabel('English')).toBeChecked();
    await section(page, 'Language').getByLabel('Polski').check();
    await section(page, 'Language').getByRole('button', { name: 'Save' }).click();
    await expect(section(page, 'Język').getByLabel('Polski')).toBeChecked();
    await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
    expect(await locale()).toBe('pl');
    await expect(page.getByRole('button', { name: /^Konto/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect.poll(locale).toBe('en');
  });

  await test.step('what was saved is there again, and can be downloaded', async () => {
    await expect(section(page, 'Allergies').getByLabel('Peanuts')).toBeChecked();
    await expect(section(page, 'Addresses').getByText('3 Mill Lane').first()).toBeVisible();
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my data' }).click();
    expect((await saving).suggestedFilename()).toBe('my-data.json');
  });

  await test.step('another device is signed out', async () => {
    const devices = section(page, 'Signed-in devices');
    await expect(devices.getByRole('listitem')).toHaveCount(2);
    await devices.getByRole('button', { name: /^Sign out A device/ }).click();
    await expect(devices.getByRole('listitem')).toHaveCount(1);
    expect((await shop.api('GET', '/v1/auth/user', undefined, elsewhere)).status).toBe(401);
  });

  await test.step('the account is deleted with its password only', async () => {
    await ending.getByRole('button', { name: 'Delete my account' }).click();
    await ending.getByLabel('Your password').fill('not my password');
    await ending.getByRole('button', { name: 'Delete my account for good' }).click();
    await expect(ending.getByText('This password is wrong.').first()).toBeVisible();
    await expectAccessible(page);
    await ending.getByLabel('Your password').fill(password);
    await ending.getByRole('button', { name: 'Delete my account for good' }).click();
    await page.waitForURL('/');
    expect((await shop.api('POST', '/v1/auth/login', { email, password })).status).toBe(422);
  });

  await test.step('the link to reviews is the one that the owner set; without one the page says so', async () => {
    await goWithin(page, '/google-review');
    await expect(heading(page, 'No review page yet')).toBeVisible();
    await expectAccessible(page);
    const url = `${shop.url}/terms?reviews`;
    await changeStore(shop, { google_review_url: url });
    // The open page gets the change and leaves by itself.
    await page.waitForURL(url);
    await changeStore(shop, { google_review_url: null });
  });
});

test("a shop that does not load says so, on the console in the contract's words, and Retry fetches it; an owner's checkout fetches it once", async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ baseURL: shop.url, locale: 'en-GB', viewport: phone });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
  let calls = 0;
  let isDown = true;
  await page.route(/\/v1\/stores(\/[^/?]+)?(\?|$)/, (route) => {
    calls += 1;
    return isDown ? route.abort() : route.continue();
  });
  // A page whose socket opens asks what it has missed, however slowly the rest of it loads: this socket says nothing.
  let onSocket: () => void = () => {};
  await page.routeWebSocket(/\/app\//, () => onSocket());
  const retry = page.getByRole('button', { name: 'Try again' });
  const expectFailure = async () => {
    await expect(retry).toBeVisible();
    expect(calls).toBe(3);
    expect(said.filter((text) => text === 'Failed to fetch store after multiple attempts')).toHaveLength(1);
  };
  await page.clock.install();
  await page.goto('/checkout');
  await expectFailure();
  // Long enough for another load to begin, if there were one.
  await page.clock.fastForward(5_000);
  await expectAccessible(page);
  await expectFailure();
  isDown = false;
  await retry.click();
  await expect(retry).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeVisible();

  await page.evaluate((token) => localStorage.setItem('token', token), shop.adminToken);
  // A page that is still open may have calls on their way.
  await page.goto('about:blank');
  calls = 0;
  const isLive = new Promise<void>((resolve) => (onSocket = resolve));
  await page.goto('/checkout');
  await isLive;
  await expect.poll(() => calls).toBe(1);
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  expect(calls).toBe(1);

  // The office loads its stores by itself, and shows the same text.
  await page.goto('about:blank');
  [isDown, calls, said.length] = [true, 0, 0];
  await page.goto('/store/orders');
  await expectFailure();
  isDown = false;
  await retry.click();
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await context.close();
});

test('signing in with an OpenID provider works, and each failure has a message', async ({ browser }) => {
  const provider = await startTestProvider();
  const shop = await openShop({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Example ID',
  });
  provider.admitShop(shop.url);
  const login = randomUUID();
  const email = `${login}@example.com`;
  provider.accounts[login] = { email, email_verified: true, name: 'Ada Byron' };
  const context = await browser.newContext({ baseURL: shop.url, locale: 'en-GB', viewport: phone });
  try {
    // The provider's own page loads a font from another server.
    await context.route(/googleapis/, (route) => route.abort());
    const page = await context.newPage();
    await page.goto('/customer/orders');
    await page.waitForURL('/login');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue with Example ID' }).click();
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    // Back on the page that was wanted; the token was never part of an address.
    await page.waitForURL('/customer/orders');
    await expect(page.getByRole('button', { name: 'Account of Ada Byron' })).toBeVisible();
    await page.goto('/customer/profile');
    await expect(section(page, 'Password')).toContainText('so it cannot send you a link to set one');
    await expect(section(page, 'Password').getByRole('button')).toHaveCount(0);
    await expectAccessible(page);

    const stranger = await browser.newContext({ baseURL: shop.url, locale: 'en-GB', viewport: phone });
    const other = await stranger.newPage();
    await other.goto('/auth/callback?error=access_denied&state=x');
    await expect(other.getByText('The sign-in was cancelled. Nothing has changed.')).toBeVisible();
    await expectAccessible(other);
    await other.goto('/auth/callback?code=stolen&state=of-somebody-else');
    await expect(other.getByText('started in another window')).toBeVisible();
    expect(new URL(other.url()).search).toBe('');
    await expect(other.getByRole('link', { name: 'Sign in with email and password' })).toBeVisible();
    // Somebody opened an account with this address and never confirmed it.
    const taken = randomUUID();
    provider.accounts[taken] = { email: `${taken}@example.com`, email_verified: true };
    await register(shop, 'Mary Berry', `${taken}@example.com`);
    await other.getByRole('button', { name: 'Continue with Example ID' }).click();
    await other.locator('input[name=login]').fill(taken);
    await other.locator('input[name=password]').fill('any');
    await other.locator('button[type=submit]').click();
    await other.getByRole('button', { name: 'Continue' }).click();
    await expect(other.getByText('the address was never confirmed')).toBeVisible();
    expect(await other.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await stranger.close();
  } finally {
    await context.close();
    await shop.stop();
    await provider.close();
  }
});
