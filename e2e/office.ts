import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { signedIn } from './people.ts';

/** One of the office's pages, with the owner already signed in. */
export async function openOffice(shop: Shop, page: Page, path: string): Promise<Page> {
  await signedIn(page, shop.adminToken);
  await page.goto(path);
  return page;
}
