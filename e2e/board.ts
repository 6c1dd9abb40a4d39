import type { Locator, Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { fillSignIn, signedIn } from './people.ts';
import { expect } from './shop.ts';

/**
 * A connected board with its shift begun, so that it may make sound. Its owner is signed in already, or whose token it
 * is, unless the board is for a person who signs in now.
 */
export async function openBoard(
  shop: Shop,
  page: Page,
  {
    path = '/store/orders',
    person,
    token = shop.adminToken,
  }: { path?: string; person?: { email: string; password: string }; token?: string } = {},
): Promise<Page> {
  if (!person) await signedIn(page, token);
  await page.goto(path);
  if (person) {
    // The guard leads to the sign-in page, which leads back to the board.
    await page.waitForURL('/login');
    await fillSignIn(page, person);
    await page.waitForURL(path);
  }
  await page.getByRole('button', { name: 'Start shift' }).click();
  await expect(page.locator('[data-ready]')).toBeVisible();
  await expect(page.locator('[data-connection="connected"]')).toBeVisible();
  return page;
}

/** Found by id: numbers begin again each day, and a board may show orders of two days. */
export const ticket = (page: Page, { id }: { id: string }): Locator => page.locator(`[data-ticket="${id}"]`);

export const tap = (page: Page, order: { id: string }, name: RegExp | string): Promise<void> =>
  ticket(page, order).getByRole('button', { name }).click();

/** The words of banners and their buttons that are cut or covered. */
export const cutBanners = (board: Page): Promise<string[]> =>
  board.evaluate<string[]>(`(() => {
    const strip = document.querySelector('[data-banners]');
    const parts = [...strip.querySelectorAll('[data-tone]:not([data-folded]) :is([data-words], button)'), ...strip.querySelectorAll(':scope > button')];
    return parts.flatMap((part) => {
      const { left, top, right, bottom } = part.getBoundingClientRect();
      const isOff = left < 0 || right > innerWidth || bottom > innerHeight || top < 0;
      const isCut = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
      const isCovered = !part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
      return isOff || isCut || isCovered ? [part.textContent] : [];
    });
  })()`);

/** The dialog of a ticket that takes dishes off, from its menu. */
export async function askTakeOff(board: Page, order: { id: string; number: string }): Promise<Locator> {
  await tap(board, order, `More for order ${order.number}`);
  await board.getByRole('menuitem', { name: 'Take a dish off' }).click();
  const dialog = board.getByRole('dialog', { name: `Take a dish off order ${order.number}` });
  await expect(dialog).toBeVisible();
  return dialog;
}
