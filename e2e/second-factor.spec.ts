import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { addAuthenticator } from './factors.ts';
import { fillSignIn, hire, password, readMail, signIn } from './people.ts';
import { expect, test } from './shop.ts';
import { goWithin } from './storefront.ts';

/** What an app shows: RFC 6238, from the secret as it is typed. */
function codeOf(secret: string, at = Date.now()): string {
  let bits = '';
  for (const sign of secret.replaceAll(' ', '')) {
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0');
  }
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** The open page fits a desktop and a phone, and axe finds nothing. */
async function expectFit(page: Page): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
  }
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.goto('/login');
}

test('a cook finds their own sign-in from the kitchen, changes their password, adds a passkey and an app, and removes them', async ({
  shop,
  window,
}) => {
  test.setTimeout(180_000);
  const cook = await hire(shop, 'Olive Green');
  const mine = { email: cook.email, password: 'seven green cardamoms' };
  const page = await window({ viewport: { width: 390, height: 844 } });
  const setTheirs = await addAuthenticator(page);
  const isSignedIn = async (token: string) => (await shop.api('GET', '/v1/auth/user', undefined, token)).status === 200;
  /** Somebody who knows the password, and what else is asked for. */
  const enterElsewhere = async (more = {}) =>
    String((await shop.api('POST', '/v1/auth/login', { ...mine, ...more })).body['token']);
  const others = page.getByRole('region', { name: 'Other devices' });
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  const app = page.getByRole('region', { name: 'Authenticator app' });
  const recovery = page.getByRole('region', { name: 'Recovery codes' });
  const byPasskey = page.getByRole('button', { name: 'Staff: sign in with a passkey' });
  const kept = page.getByRole('region', { name: 'Keep these recovery codes' });

  await signIn(page, cook);
  await page.waitForURL('**/kitchen');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'My sign-in' }).click();
  await expect(page.getByRole('heading', { name: 'My sign-in', level: 1 })).toBeVisible();
  // The owner's pages are not theirs.
  await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(0);

  await test.step('another password ends the sign-ins on other devices', async () => {
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
    await expectFit(page);
    await fresh.fill('iloveyou1');
    await send.click();
    await expect(own.getByText('This password is wrong.')).toBeVisible();
    await expect(current).toBeFocused();
    await current.fill(password);
    await send.click();
    await expect(own.getByText('This password is very common')).toBeVisible();
    await expect(fresh).toBeFocused();
    await expect(current).toHaveValue(password);
    await others.waitFor();
    await expectFit(page);
    await fresh.fill(mine.password);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Your password has been changed.')).toBeVisible();
    await expect(current).toHaveValue('');
    await expect(others).toHaveCount(0);
    expect(await isSignedIn(cook.token)).toBe(false);
    expect((await shop.api('POST', '/v1/auth/login', { email: cook.email, password })).status).toBe(422);
    expect(await readMail(shop, cook.email, 'Your password for')).toContain('has just been changed');
  });

  let codes: string[] = [];
  let secret = '';
  await test.step('a passkey brings recovery codes, and an app is switched on by a code from it', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    codes = ((await kept.locator('pre').textContent()) ?? '').split('\n');
    expect(codes).toHaveLength(10);
    const told = await readMail(shop, cook.email, 'A passkey was added to your account at');
    expect(told).toContain('/kitchen/my-sign-in');
    await expectFit(page);
    await kept.getByRole('button', { name: 'I have kept them' }).click();
    await expect(passkeys.getByRole('listitem')).toHaveCount(1);
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();

    await app.getByRole('button', { name: 'Set up an authenticator app' }).click();
    secret = (await app.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
    await app.getByLabel('Code from the app').fill('000000');
    await app.getByRole('button', { name: 'Switch it on' }).click();
    await expect(app.getByText('This code is wrong or was used already.')).toBeVisible();
    await expectFit(page);
    await app.getByLabel('Code from the app').fill(codeOf(secret));
    await app.getByRole('button', { name: 'Switch it on' }).click();
    await expect(app.getByText('Set up, and asked for at each sign-in since')).toBeVisible();
    await expectFit(page);
    const alone = await shop.api('POST', '/v1/auth/login', mine);
    expect([alone.status, alone.body['code'], alone.body['ways']]).toEqual([
      403,
      'second_factor_required',
      ['totp', 'passkey', 'recovery_code'],
    ]);
  });

  const elsewhere = [
    await enterElsewhere({ one_time_code: codes[1] }),
    await enterElsewhere({ one_time_code: codes[2] }),
  ];
  await test.step('they sign in by the password and a recovery code', async () => {
    await signOut(page);
    await fillSignIn(page, mine);
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
    await page.waitForURL('**/kitchen');
  });

  await test.step('they end what others began with their password, and download what is kept about them', async () => {
    await goWithin(page, '/kitchen/my-sign-in');
    await expect(page.getByText('7 recovery codes are left.')).toBeVisible();
    await expect(others).toContainText('You are signed in on 2 other devices.');
    await expectFit(page);
    await others.getByRole('button', { name: 'Sign out there' }).click();
    await expect(others).toHaveCount(0);
    for (const token of elsewhere) expect(await isSignedIn(token)).toBe(false);

    await shop.wait(16);
    await page.getByRole('region', { name: 'Your data' }).getByRole('button', { name: 'Download my data' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Code').fill(codeOf(secret, Date.now() + 16 * 60_000));
    const saved = page.waitForEvent('download');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('my-data.json');
    const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { account: { email: string } };
    expect(JSON.stringify(data)).toContain(cook.email);
    await expectAccessible(page);
  });

  await test.step('they sign in by the passkey alone, if it is their finger', async () => {
    await signOut(page);
    await setTheirs(false);
    await byPasskey.click();
    await expect(page.getByText('No passkey was chosen.')).toBeVisible();
    await setTheirs(true);
    await byPasskey.click();
    await page.waitForURL('**/kitchen');
  });

  await test.step('they make new codes and remove everything, after which the lost passkey opens nothing', async () => {
    await goWithin(page, '/kitchen/my-sign-in');
    await recovery.getByRole('button', { name: 'Make new codes' }).click();
    await kept.getByRole('button', { name: 'I have kept them' }).click();
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
    for (const part of [passkeys, app]) {
      await part.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expect(part.getByRole('button', { name: 'Remove' })).toHaveCount(0);
    }
    await expect(recovery).toHaveCount(0);
    expect(await isSignedIn(await enterElsewhere())).toBe(true);
    await signOut(page);
    await byPasskey.click();
    await expect(page.getByText('This passkey is not known here.')).toBeVisible();
  });
});
