import type { Locator, Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { fillSignIn, signedIn } from './people.ts';
import { expect } from './shop.ts';

/**
 * A board with its shift begun, so that it may sound, and connected: that of the owner, who signed in before, unless it
 * is that of somebody who signs in now.
 */
export async function openBoard(
  shop: Shop,
  page: Page,
  { path = '/store/orders', person }: { path?: string; person?: { email: string; password: string } } = {},
): Promise<Page> {
  if (!person) await signedIn(page, shop.adminToken);
  await page.goto(path);
  if (person) {
    // The guard leads to the sign-in, and the sign-in leads back.
    await page.waitForURL('/login');
    await fillSignIn(page, person);
    await page.waitForURL(path);
  }
  await page.getByRole('button', { name: 'Start shift' }).click();
  await expect(page.locator('[data-ready]')).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('[data-connection="connected"]')).toBeVisible({ timeout: 30_000 });
  return page;
}

/** By its id: numbers begin again each day, and a board may show two days'. */
export const ticket = (page: Page, { id }: { id: string }): Locator => page.locator(`[data-ticket="${id}"]`);

export const tap = (page: Page, order: { id: string }, name: RegExp | string): Promise<void> =>
  ticket(page, order).getByRole('button', { name }).click();
