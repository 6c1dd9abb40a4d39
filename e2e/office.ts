import type { Page } from '@playwright/test';
import { signIn } from './people.ts';

/** Signs the owner in as a person does, and opens one of the office's pages. */
export async function openOffice(page: Page, path: string): Promise<Page> {
  await signIn(page);
  await page.goto(path);
  return page;
}
