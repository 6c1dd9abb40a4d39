import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { TestAccount, TestProvider } from '#accounts/testing/oidc-provider.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expect } from './shop.ts';

/** A new person at a company: the name by which they sign in there. */
export function person(at: TestProvider, account: TestAccount): string {
  const login = randomUUID();
  at.accounts[login] = { email_verified: true, ...account };
  return login;
}

/** The provider's own pages, which load a font from another server. */
export async function signInThere(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function withoutFonts(page: Page): Promise<Page> {
  await page.context().route(/googleapis/, (route) => route.abort());
  return page;
}

/** Sets a company up by the API and offers it to customers. */
export async function offer(shop: Shop, details: Record<string, unknown>): Promise<void> {
  const { status, body } = await shop.api('POST', '/v1/sign-in-providers', details, shop.adminToken);
  expect(status, JSON.stringify(body)).toBe(201);
  const { providers } = body['data'] as { providers: { id: string }[] };
  const on = { is_on: true };
  await shop.api('PATCH', `/v1/sign-in-providers/${providers.at(-1)?.id}`, on, shop.adminToken);
}

export const googleDetails = (google: TestProvider) => ({
  kind: 'google',
  client_id: google.clientId,
  client_secret: google.clientSecret,
});
