import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { admin, openShop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { addAuthenticator, addPasskey, codeOf } from './factors.ts';
import { fillSignIn, hire, hireOwner, password, readMail, signIn } from './people.ts';
import { expect, test } from './shop.ts';

/** From an address without scripts: a page whose request is refused meanwhile would go to the sign-in by itself. */
async function signOut(page: Page): Promise<void> {
  await page.goto('/health');
  await page.evaluate(() => localStorage.removeItem('token'));
}

const phone = { width: 390, height: 844 };
const screens = [{ width: 1280, height: 800 }, phone];

/** Looks at the page in its current state on a desktop and on a phone, where it stays. */
async function onEachScreen(page: Page, look: (width: number) => Promise<void>): Promise<void> {
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await look(viewport.width);
  }
}

const expectAccessibleOnEach = (page: Page): Promise<void> =>
  onEachScreen(page, (width) => expectAccessible(page, `${page.url()}, ${width} px`));

const expectToFitEach = (page: Page): Promise<void> =>
  onEachScreen(page, async (width) => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width));

test('an owner adds a passkey and an app, and then the password alone opens nothing', async ({ browser }) => {
  // Its owner's sign-in changes, which other journeys use.
  const shop = await openShop();
  const context = await browser.newContext({
    baseURL: shop.url,
    locale: 'en-GB',
    viewport: phone,
  });
  const page = await context.newPage();
  await addAuthenticator(page);
  await page.goto('/login');
  await fillSignIn(page);
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/kitchen/my-sign-in');
  await expect(page.getByText('Each start removes what you set up here.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const kept = page.getByRole('region', { name: 'Keep these recovery codes' });
  const codes = ((await kept.locator('pre').textContent()) ?? '').split('\n');
  expect(codes).toHaveLength(10);
  const told = await readMail(shop, admin.email, 'A passkey was added to your account at');
  expect(told).toContain('/kitchen/my-sign-in');
  await expectAccessible(page);
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();

  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const secret = await app.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent();
  await app.getByLabel('Code from the app').fill('000000');
  await app.getByRole('button', { name: 'Switch it on' }).click();
  await expect(app.getByText('This code is wrong or was used already.')).toBeVisible();
  await expectAccessible(page);
  await app.getByLabel('Code from the app').fill(codeOf(secret ?? ''));
  await app.getByRole('button', { name: 'Switch it on' }).click();
  await expect(app.getByText('Set up, and asked for at each sign-in since')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });

  // By the password and a recovery code.
  await signOut(page);
  await page.goto('/login');
  await fillSignIn(page);
  await expect(page.getByRole('status').getByText('one more thing than the password')).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  // Nothing has gone wrong so far.
  const failure = page.getByRole('main').getByRole('alert');
  await expect(failure).toHaveCount(0);
  await expect(page.getByText('That did not work')).toHaveCount(0);
  await expectAccessible(page);
  const enter = page.getByRole('button', { name: 'Sign in', exact: true });
  await enter.click();
  await expect(failure).toContainText('Enter the code.');
  await page.getByLabel('Code').fill('000000');
  await enter.click();
  await expect(failure).toContainText('This code is wrong or was used already.');
  await expectAccessible(page);
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await expect(failure).toHaveCount(0);
  await enter.click();
  await page.waitForURL((url) => url.pathname !== '/login');

  // By the passkey alone.
  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Staff: sign in with a passkey' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/kitchen/my-sign-in');
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible();

  const alone = await shop.api('POST', '/v1/auth/login', admin);
  expect([alone.status, alone.body['code'], alone.body['ways']]).toEqual([
    403,
    'second_factor_required',
    ['totp', 'passkey', 'recovery_code'],
  ]);
  // Who starts the server with the owner's name is not locked out.
  await shop.restart();
  expect((await shop.api('POST', '/v1/auth/login', admin)).status).toBe(200);
  expect(await readMail(shop, admin.email, 'The server of ')).toContain('with a password for your account');
  await context.close();
  await shop.stop();
});

test('a cook finds their own sign-in from the kitchen on each screen, adds a passkey, and removes it', async ({
  shop,
  window,
}) => {
  const cook = await hire(shop, 'Olive Green');
  const page = await window({ viewport: phone });
  const setTheirs = await addAuthenticator(page);
  await signIn(page, cook);
  await page.waitForURL('**/kitchen');
  await onEachScreen(page, async () => {
    await page.goto('/kitchen');
    await page.getByRole('button', { name: 'Account and more' }).click();
    await page.getByRole('menuitem', { name: 'My sign-in' }).click();
    await expect(page.getByRole('heading', { name: 'My sign-in', level: 1 })).toBeVisible();
    // The owner's pages are not theirs.
    await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(0);
    await expectAccessible(page);
  });
  const { body } = await shop.api('POST', '/v1/auth/login', { email: cook.email, password });
  const earlier = String(body['token']);
  expect(await addPasskey(page)).toHaveLength(10);
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys.getByRole('listitem')).toHaveCount(1);
  const others = page.getByRole('region', { name: 'Other devices' });

  // Somebody who knew the password came in before the passkey was there; the other is where the invitation was opened.
  await page.goto('/kitchen/my-sign-in');
  await expect(others).toContainText('You are signed in on 2 other devices.');
  await expectAccessibleOnEach(page);
  await others.getByRole('button', { name: 'Sign out there' }).click();
  await expect(others).toHaveCount(0);
  expect((await shop.api('GET', '/v1/auth/user', undefined, earlier)).status).toBe(401);
  await expectToFitEach(page);

  await signOut(page);
  await page.goto('/login');
  const byPasskey = page.getByRole('button', { name: 'Staff: sign in with a passkey' });
  await setTheirs(false);
  await byPasskey.click();
  await expect(page.getByText('No passkey was chosen.')).toBeVisible();
  await setTheirs(true);
  await byPasskey.click();
  await page.waitForURL('**/kitchen');

  await page.goto('/kitchen/my-sign-in');
  await passkeys.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(passkeys.getByRole('listitem')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toHaveCount(0);
  await signOut(page);
  await page.goto('/login');
  await byPasskey.click();
  await expect(page.getByText('This passkey is not known here.')).toBeVisible();
  await fillSignIn(page, cook);
  await page.waitForURL('**/kitchen');
});

test('who has lost the device comes in by a recovery code, once, and makes the lost passkey worthless', async ({
  shop,
  window,
}) => {
  const cook = await hire(shop, 'Basil Thorne');
  const lost = await window();
  await addAuthenticator(lost);
  await signIn(lost, cook);
  await lost.goto('/kitchen/my-sign-in');
  const [code = ''] = await addPasskey(lost);

  const page = await window({ viewport: phone });
  const enter = async () => {
    await page.goto('/login');
    await fillSignIn(page, cook);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await enter();
  await page.waitForURL('**/kitchen');
  const again = await shop.api('POST', '/v1/auth/login', { email: cook.email, password, one_time_code: code });
  expect(again.status, 'a code that was used').toBe(422);
  await page.goto('/kitchen/my-sign-in');
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
  await page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(0);

  await signOut(page);
  await signOut(lost);
  await lost.goto('/login');
  await lost.getByRole('button', { name: 'Staff: sign in with a passkey' }).click();
  await expect(lost.getByText('This passkey is not known here.')).toBeVisible();
});

test('an owner removes the second factor that a cook has lost, on each screen', async ({ shop, window }) => {
  const cook = await hire(shop, 'Juniper Berry');
  const lost = await window();
  await addAuthenticator(lost);
  await signIn(lost, cook);
  await lost.goto('/kitchen/my-sign-in');
  await addPasskey(lost);
  expect((await shop.api('POST', '/v1/auth/login', cook)).body['code']).toBe('second_factor_required');

  const owner = await hireOwner(shop, 'Tamar Ind');
  const page = await window({ viewport: phone });
  await signIn(page, owner);
  await page.goto('/admin/staff');
  await page.getByRole('button', { name: 'Not this week' }).click();
  const actions = page.getByRole('menuitem');
  const ask = async () => {
    await page.getByRole('button', { name: `Actions for ${cook.name}` }).click();
    await expect(actions).toHaveText(['Edit', 'Sign out everywhere', 'Remove their second factor', 'Remove']);
    await expectAccessible(page);
    await actions.filter({ hasText: 'second factor' }).click();
  };
  const sure = page.getByRole('dialog', { name: `Remove ${cook.name}'s second factor?` });
  await onEachScreen(page, async () => {
    await page.getByRole('button', { name: `Actions for ${owner.name}` }).click();
    await expect(actions).toHaveText(['Edit', 'Sign out everywhere']);
    await page.keyboard.press('Escape');
    await ask();
    await expect(sure).toContainText('you are sure that it is they who ask');
    await expectAccessible(page);
    await sure.getByRole('button', { name: 'Cancel' }).click();
  });
  expect((await shop.api('POST', '/v1/auth/login', cook)).body['code']).toBe('second_factor_required');

  await page.getByRole('button', { name: `Actions for ${cook.name}` }).click();
  await actions.filter({ hasText: 'second factor' }).click();
  await sure.getByRole('button', { name: 'Remove it' }).click();
  await expect(page.getByText(`${cook.name} now signs in with the password alone.`)).toBeVisible();
  await expect(sure).toHaveCount(0);
  await onEachScreen(page, async (width) => {
    await page.getByRole('button', { name: `Actions for ${cook.name}` }).click();
    await expect(actions).toHaveText(['Edit', 'Remove']);
    // The list takes its new place a moment later.
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.keyboard.press('Escape');
  });

  expect(await readMail(shop, cook.email, 'Your second factor for')).toContain(`Removed by: ${owner.name}`);
  const anew = await window({ viewport: phone });
  await signIn(anew, cook);
  await anew.waitForURL('**/kitchen');
  await lost.reload();
  await lost.waitForURL('**/login*');
  await lost.getByRole('button', { name: 'Staff: sign in with a passkey' }).click();
  await expect(lost.getByText('This passkey is not known here.')).toBeVisible();
});

test('a cook changes their password on each screen, and is signed out elsewhere', async ({ shop, window }) => {
  const cook = await hire(shop, 'Cardamom Pod');
  const page = await window({ viewport: phone });
  await signIn(page, cook);
  await page.waitForURL('**/kitchen');
  await page.goto('/kitchen/my-sign-in');
  const own = page.getByRole('region', { name: 'Password', exact: true });
  await expect(own).toContainText('This signs you out on your other devices.');
  const current = own.getByLabel('Current password');
  const fresh = own.getByLabel('New password');
  const send = own.getByRole('button', { name: 'Change password' });
  await send.click();
  await expect(current).toBeFocused();
  await expect(own.getByText('Enter your password.')).toHaveCount(2);
  await current.fill('not the password');
  await expect(own.getByText('Enter your password.')).toHaveCount(1);
  await fresh.fill('short');
  await send.click();
  await expect(fresh).toBeFocused();
  await expectAccessibleOnEach(page);
  await fresh.fill('iloveyou1');
  await send.click();
  await expect(own.getByText('This password is wrong.')).toBeVisible();
  await expect(current).toBeFocused();
  await current.fill(cook.password);
  await send.click();
  await expect(own.getByText('This password is very common')).toBeVisible();
  await expect(fresh).toBeFocused();
  await expect(current).toHaveValue(cook.password);
  await expectAccessibleOnEach(page);
  await page.getByRole('region', { name: 'Other devices' }).waitFor();
  const chosen = 'seven green cardamoms';
  await fresh.fill(chosen);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await expect(current).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Other devices' })).toHaveCount(0);
  await expectToFitEach(page);

  expect((await shop.api('GET', '/v1/auth/user', undefined, cook.token)).status).toBe(401);
  expect((await shop.api('POST', '/v1/auth/login', cook)).status).toBe(422);
  expect((await shop.api('POST', '/v1/auth/login', { ...cook, password: chosen })).status).toBe(200);
  expect(await readMail(shop, cook.email, 'Your password for')).toContain('has just been changed');
  await page.reload();
  await expect(own).toBeVisible();
});

test('staff download what is kept about them, after they have shown that it is they', async ({ shop, window }) => {
  const cook = await hire(shop, 'Bay Laurel');
  const page = await window({ viewport: phone });
  await signIn(page, cook);
  await page.waitForURL('**/kitchen');
  await shop.wait(16);
  await page.goto('/kitchen/my-sign-in');
  const own = page.getByRole('region', { name: 'Your data' });
  await own.getByRole('button', { name: 'Download my data' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password', { exact: true }).fill(cook.password);
  const saved = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('my-data.json');
  const kept = JSON.parse(await readFile(await file.path(), 'utf8')) as { account: { email: string } };
  expect(JSON.stringify(kept)).toContain(cook.email);
  await expectAccessible(page);
});

test('who signed in a while ago confirms that it is they, and what they typed is sent', async ({ shop, window }) => {
  const owner = await hireOwner(shop, 'Ginger Root');
  const page = await window({ viewport: phone });
  await addAuthenticator(page);
  await signIn(page, owner);
  await page.goto('/admin/staff');
  // Asked for once, and not again that week.
  const asked = page.getByRole('region', { name: 'Protect your sign-in' });
  await expect(asked).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Not this week' }).click();
  await expect(asked).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
  await expect(asked).toHaveCount(0);

  await shop.wait(16);
  const invite = async (name: string, email: string) => {
    await page.getByRole('button', { name: 'Invite someone' }).click();
    const form = page.getByRole('dialog', { name: 'Invite someone' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Email').fill(email);
    await form.getByRole('radio', { name: 'Owner' }).check();
    await form.getByRole('button', { name: /invit/i }).click();
    return form;
  };
  const form = await invite('Saffron Hill', 'saffron@example.com');
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(proof).toHaveCount(0);
  await expect(form.getByLabel('Name')).toHaveValue('Saffron Hill');
  await expect(form.getByText('Confirm first that it is you')).toBeVisible();
  await form.getByRole('button', { name: /invit/i }).click();
  await proof.getByLabel('Password', { exact: true }).fill('not the password');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByText('wrong')).toBeVisible();
  await expectAccessible(page);
  await proof.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await expect(page.getByRole('cell', { name: 'Saffron Hill', exact: true })).toBeVisible();

  // By a passkey, from a second tab, where one proof is enough for both.
  await page.goto('/kitchen/my-sign-in');
  await addPasskey(page);
  await shop.wait(16);
  await page.goto('/admin/staff');
  const other = await page.context().newPage();
  await other.setViewportSize({ width: 1280, height: 800 });
  await other.goto('/kitchen/my-sign-in');
  await other.getByRole('button', { name: 'Make new codes' }).click();
  const otherProof = other.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(otherProof).toBeVisible();
  await expectAccessible(other);
  await page.bringToFront();
  const again = await invite('Clove Bay', 'clove@example.com');
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(again).toHaveCount(0);
  await expect(page.getByRole('cell', { name: 'Clove Bay', exact: true })).toBeVisible();
  await expect(otherProof).toHaveCount(0);
  await expect(other.getByRole('region', { name: 'Keep these recovery codes' })).toBeVisible();
});
