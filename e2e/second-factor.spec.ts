import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { fillSignIn } from './people.ts';
import { expect, test } from './shop.ts';

/** The browser's own authenticator, made of software: it answers at once, as a person with a finger on the sensor would. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

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

const signOut = (page: Page) => page.evaluate(() => localStorage.removeItem('token'));

let shop: Shop;
// Its owner's sign-in changes, which other files use.
test.beforeAll(async () => {
  shop = await openShop();
});
test.afterAll(() => shop.stop());

test('an owner adds a passkey and an app, and then the password alone opens nothing', async ({ browser }) => {
  test.setTimeout(120_000);
  const context = await browser.newContext({
    baseURL: shop.url,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await addAuthenticator(page);
  await page.goto('/login');
  await fillSignIn(page);
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/admin/my-sign-in');
  await expect(page.getByText('Each start with them removes what you set up here.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const kept = page.getByRole('region', { name: 'Keep these recovery codes' });
  const codes = ((await kept.locator('pre').textContent()) ?? '').split('\n');
  expect(codes).toHaveLength(10);
  await expectAccessible(page);
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();

  const app = page.getByRole('region', { name: 'App for codes' });
  await app.getByRole('button', { name: 'Set up an app' }).click();
  const secret = await app.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent();
  await app.getByLabel('Code of the app').fill('000000');
  await app.getByRole('button', { name: 'Switch codes on' }).click();
  await expect(app.getByText('This code is wrong or was used already.')).toBeVisible();
  await expectAccessible(page);
  await app.getByLabel('Code of the app').fill(codeOf(secret ?? ''));
  await app.getByRole('button', { name: 'Switch codes on' }).click();
  await expect(app.getByText('Codes are asked for since')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });

  // By the password and a recovery code.
  await signOut(page);
  await page.goto('/login');
  await fillSignIn(page);
  await expect(page.getByRole('alert').first()).toContainText('one more thing than the password');
  await expectAccessible(page);
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');

  // By the passkey alone.
  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Staff: sign in with a passkey' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/admin/my-sign-in');
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
  await context.close();
});
