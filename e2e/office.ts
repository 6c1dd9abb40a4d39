import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import Papa from 'papaparse';
import type { Shop } from '#testing/running-shop.ts';
import { signedIn } from './people.ts';
import { expect } from './shop.ts';

/** One of the office's pages, with the owner already signed in. */
export async function openOffice(shop: Shop, page: Page, path: string): Promise<Page> {
  await signedIn(page, shop.adminToken);
  await page.goto(path);
  return page;
}

/** Downloads one of the accountant's tables from the open report: its rows, by column. */
export async function downloadTable(page: Page, name: string): Promise<Record<string, string>[]> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByRole('menuitem', { name }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text.charCodeAt(0)).toBe(0xfeff);
  const { data, errors } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  return data;
}

/** One of the large figures of the open report, by its name. */
export const figure = (page: Page, name: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('strong');

/** What stands in the same place of a list's rows as the words of its buttons, which are in the last cell. */
export async function overlapping(rows: Locator): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const row of await rows.all()) {
    const cells = await row.getByRole('cell').all();
    const actions = await cells.pop()?.boundingBox();
    for (const cell of cells) {
      const words = await cell.boundingBox();
      if (!actions || !words) throw new Error('a row is not shown');
      const isBeside =
        actions.y >= words.y + words.height ||
        words.y >= actions.y + actions.height ||
        actions.x >= words.x + words.width;
      if (!isBeside) found.push(await cell.textContent());
    }
  }
  return found;
}
