import type { Page } from '@playwright/test';
import { admin } from '#testing/running-shop.ts';

/** Signs the owner in as a person does, and opens one of the office's pages. */
export async function openOffice(page: Page, path: string): Promise<Page> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('/');
  await page.goto(path);
  return page;
}
