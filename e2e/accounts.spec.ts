import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startTestProvider } from '#accounts/testing/oidc-provider.ts';
import { openShop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { fillSignIn, newAddress, readMail, register, signIn } from './people.ts';
import { expect, test } from './shop.ts';

const phone = { width: 390, height: 844 };

const pathIn = (text: string, page: string) => new RegExp(`${page}#token=[\\w-]+`).exec(text)?.[0] ?? '';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an account is opened, confirmed, recovered by mail, changed and deleted', async ({ shop, window }) => {
  const email = newAddress();
  const page = await window({ viewport: phone });
  await page.goto('/register');
  await page.getByLabel('Name').fill('Mary Berry');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone').fill('07700 900111');
  await page.getByLabel('Password').fill('a good secret');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.waitForURL('/');

  await page.goto('/customer/profile');
  await expect(section(page, 'Email').getByText('Not confirmed yet.')).toBeVisible();
  await expectAccessible(page);
  await page.goto(pathIn(await readMail(shop, email, 'Confirm'), '/verify-email'));
  await expect(page.getByText(`Confirm that ${email} is your email address.`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
  await expect(page).toHaveTitle(/^Email confirmation · /);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'My account' }).click();
  await expect(section(page, 'Email').getByText('Confirmed')).toBeVisible();

  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgotten your password?' }).click();
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('Enter your email address.').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
  await expectAccessible(page);

  const link = pathIn(await readMail(shop, email, 'Choose another password'), '/reset-password');
  // In the form that links of earlier releases have.
  await page.goto(link.replace('#', '?'));
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.goto(link);
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Use this password' }).click();
  await expect(page.getByText('At least 8 characters.').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Password').fill('another good secret');
  await page.getByRole('button', { name: 'Use this password' }).click();
  await expect(heading(page, 'Password changed')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, { email, password: 'another good secret' });
  await page.waitForURL('/');
  await page.goto(link);
  await page.getByLabel('Password').fill('one more secret');
  await page.getByRole('button', { name: 'Use this password' }).click();
  await expect(heading(page, 'This link no longer works')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/customer/profile');
  const details = section(page, 'Your details');
  await details.getByLabel('Name').fill('Mary Lou Berry');
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account of Mary Lou Berry' })).toBeVisible();

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
  await page.reload();
  await expect(section(page, 'Allergies').getByLabel('Peanuts')).toBeChecked();
  await expect(section(page, 'Addresses').getByText('3 Mill Lane').first()).toBeVisible();
  await expectAccessible(page);

  const other = await shop.api('POST', '/v1/auth/login', { email, password: 'another good secret' });
  const otherToken = String(other.body['token']);
  await page.reload();
  const devices = section(page, 'Signed-in devices');
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await devices.getByRole('button', { name: /^Sign out A device/ }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  expect((await shop.api('GET', '/v1/auth/user', undefined, otherToken)).status).toBe(401);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  expect((await saving).suggestedFilename()).toBe('my-data.json');

  const ending = section(page, 'Delete my account');
  await ending.getByRole('button', { name: 'Delete my account' }).click();
  await ending.getByLabel('Your password').fill('not my password');
  await ending.getByRole('button', { name: 'Delete my account for good' }).click();
  await expect(ending.getByText('This password is wrong.').first()).toBeVisible();
  await expectAccessible(page);
  await ending.getByLabel('Your password').fill('another good secret');
  await ending.getByRole('button', { name: 'Delete my account for good' }).click();
  await page.waitForURL('/');
  expect((await shop.api('POST', '/v1/auth/login', { email, password: 'another good secret' })).status).toBe(422);
});

test('password fields hide what is typed, say to password managers what they are, and take what is pasted', async ({
  shop,
  window,
}) => {
  const page = await window({ viewport: phone });
  const person = await register(shop);
  await shop.api('POST', '/v1/auth/forgot-password', { email: person.email });
  const link = pathIn(await readMail(shop, person.email, 'Choose another password'), '/reset-password');
  const pasted = 'Pasted: Ł 🍕 and  blanks ';
  /** The fields in the page's order, by what they tell password managers. */
  const fields = async (wanted: string[]) => {
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
    }
  };
  await page.goto('/login');
  await fields(['current-password']);
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
  await page.goto('/register');
  await fields(['new-password']);
  await page.goto(link);
  await fields(['new-password']);
  await signIn(page, person);
  await page.goto('/customer/profile');
  await section(page, 'Email').getByRole('button', { name: 'Change email address' }).click();
  await page.getByRole('button', { name: 'Delete my account', exact: true }).click();
  await fields(['current-password', 'current-password', 'new-password', 'current-password']);
});

test('an invalid confirmation link says what it was for, and does not claim to have confirmed anything', async ({
  window,
}) => {
  const page = await window({ viewport: phone });
  await page.goto('/verify-email');
  await expect(heading(page, 'This link no longer works')).toBeVisible();
  await expect(page).toHaveTitle(/^Email confirmation · /);
});

test('a confirmation link asks for the account that it is about', async ({ shop, window }) => {
  const [mine, others] = [await register(shop), await register(shop, 'Grace Hopper')];
  const link = pathIn(await readMail(shop, mine.email, 'Confirm'), '/verify-email');
  const page = await window({ viewport: phone });
  await page.goto(link);
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, mine);
  await expect(page.getByText(`Confirm that ${mine.email} is`)).toBeVisible();
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();

  const other = await signIn(await window({ viewport: phone }), others);
  await other.goto(link);
  await other.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(other.getByRole('alert')).toContainText('This link is for another account');
});

test('a shortened address of an order leads to the orders, after signing in', async ({ shop, window }) => {
  const page = await window({ viewport: phone });
  await page.goto('/orders');
  await expect(page).toHaveURL('/login');
  const { email, password } = await register(shop);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/customer/orders');
  await page.goto('/menu');
  await page.evaluate("history.pushState(null, '', '/orders'); dispatchEvent(new PopStateEvent('popstate'))");
  await expect(page).toHaveURL('/customer/orders');
  await expect(heading(page, 'My orders')).toBeVisible();
});

test('a wrong password has an error beside its field, also for a screen reader, and a new address needs the right one', async ({
  shop,
  window,
}) => {
  const { email, password } = await register(shop);
  const page = await window({ viewport: phone });
  await page.goto('/login');
  await expectAccessible(page);
  await fillSignIn(page, { email, password: 'not the password' });
  await expect(page.getByRole('alert')).toContainText('The email address or the password is wrong.');
  await expectAccessible(page);
  await fillSignIn(page, { email, password });
  await page.waitForURL('/');
  await page.goto('/customer/profile');
  const address = section(page, 'Email');
  await address.getByRole('button', { name: 'Change email address' }).click();
  await page.getByRole('button', { name: 'Delete my account', exact: true }).click();
  const named = page.locator('form:has([type=password]):has([autocomplete=username])');
  await expect(page.locator('form:has([type=password])')).toHaveCount(3);
  await expect(named, 'password managers find whose passwords they are').toHaveCount(3);
  await address.getByLabel('New email address').fill(`new-${email}`);
  await address.getByLabel('Your password').fill('wrong');
  await address.getByRole('button', { name: 'Use this address' }).click();
  await expect(address.getByRole('alert')).toContainText('This password is wrong.');
  await address.getByLabel('Your password').fill(password);
  await address.getByRole('button', { name: 'Use this address' }).click();
  await expect(address.getByText(`new-${email}`)).toBeVisible();
});

test('signing out everywhere also ends the current sign-in and leads home', async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signIn(await window(), person);
  await page.goto('/customer/profile');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL('/');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect((await shop.api('GET', '/v1/auth/user', undefined, person.token)).status).toBe(401);
});

test("the account's language is set on its page, or by the language of any page", async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signIn(await window({ viewport: phone }), person);
  const locale = async () => {
    const { body } = await shop.api('GET', '/v1/auth/user', undefined, person.token);
    return (body['data'] as { locale: string }).locale;
  };
  await page.goto('/customer/profile');
  await expect(section(page, 'Language').getByLabel('English')).toBeChecked();
  await section(page, 'Language').getByLabel('Polski').check();
  await section(page, 'Language').getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'Język').getByLabel('Polski')).toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
  expect(await locale()).toBe('pl');
  await expectAccessible(page);

  await page.goto('/');
  await expect(page.getByRole('button', { name: /^Konto/ })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect.poll(locale).toBe('en');
});

test('a notice stays for five seconds', async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signIn(await window(), person);
  await page.clock.install();
  await page.goto('/customer/profile');
  await section(page, 'Your details').getByRole('button', { name: 'Save' }).click();
  const notice = page.getByText('Saved.');
  await expect(notice).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await expect(notice).toBeHidden();
});

test("a shop that does not load says so, on the console in the contract's words, and Retry fetches it", async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ baseURL: shop.url, locale: 'en-GB', viewport: phone });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
  let calls = 0;
  let isDown = true;
  await page.route(/\/v1\/stores\/?/, (route) => {
    calls += 1;
    return isDown ? route.abort() : route.continue();
  });
  await page.goto('/checkout');
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible({ timeout: 15_000 });
  // Long enough for another load to begin, if there were one.
  await page.waitForTimeout(1500);
  expect(calls).toBe(3);
  expect(said.filter((text) => text === 'Failed to fetch store after multiple attempts')).toHaveLength(1);
  await expectAccessible(page);
  isDown = false;
  await retry.click();
  await expect(retry).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeVisible();

  // The office loads its stores by itself, and shows the same text.
  await page.evaluate((token) => localStorage.setItem('token', token), shop.adminToken);
  // A page that is still open fetches by itself when its socket opens.
  await page.goto('about:blank');
  [isDown, calls, said.length] = [true, 0, 0];
  await page.goto('/store/orders');
  await expect(retry).toBeVisible({ timeout: 15_000 });
  expect(calls).toBe(3);
  expect(said.filter((text) => text === 'Failed to fetch store after multiple attempts')).toHaveLength(1);
  isDown = false;
  await retry.click();
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await context.close();
});

test('for an admin, the checkout fetches the shop only once', async ({ browser, shop }) => {
  const context = await browser.newContext({ baseURL: shop.url, locale: 'en-GB', viewport: phone });
  await context.addInitScript((token) => localStorage.setItem('token', token), shop.adminToken);
  const page = await context.newPage();
  const { promise: isLive, resolve: goLive } = Promise.withResolvers<void>();
  // A silent socket has no events to catch up with.
  await page.routeWebSocket(/\/app\//, () => goLive());
  let calls = 0;
  page.on('request', (request) => void (/\/v1\/stores\/[^/]+$/.test(request.url()) && (calls += 1)));
  await page.goto('/checkout');
  await isLive;
  expect(calls).toBe(1);
  await context.close();
});

test('the link to reviews is the one that the owner set; without one the page says so', async ({ shop, window }) => {
  const page = await window({ viewport: phone });
  await page.goto('/google-review');
  await expect(heading(page, 'No review page yet')).toBeVisible();
  await expectAccessible(page);
  // An open page would receive the change and leave by itself.
  await page.goto('about:blank');
  const url = `${shop.url}/terms?reviews`;
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { google_review_url: url }, shop.adminToken);
  try {
    await page.goto('/google-review');
    await page.waitForURL(url);
  } finally {
    await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { google_review_url: null }, shop.adminToken);
  }
});

test('signing in with an OpenID provider works, and each failure has a message', async ({ browser }) => {
  test.setTimeout(120_000);
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
    await expect(section(page, 'Password').getByRole('button', { name: 'Send me a link' })).toBeVisible();
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
