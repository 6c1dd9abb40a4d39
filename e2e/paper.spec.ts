import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { readQrCodes } from '#printing/testing/read-qr.ts';
import { expectAccessible } from './accessible.ts';
import { openOffice } from './office.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test('an owner prints the menu with its allergens on A4 and A5, and cards whose code leads to the shop', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window(), '/admin/paper');
  await expect(page.getByRole('heading', { name: 'Menu on paper' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  const a4 = await readPaper(page);
  expect(a4.size).toEqual([595, 842]);
  for (const words of ['Burgers', 'Prices include VAT', 'Allergens', 'in some extras'])
    expect(a4.text).toContain(words);
  expect(a4.text).not.toMatch(/Your backups|as customers see it/);
  const { body } = await shop.api('GET', '/v1/items?per_page=200');
  const dishes = (body['data'] as { name: string; is_active: boolean }[]).filter(({ is_active: isActive }) => isActive);
  expect(dishes.length).toBeGreaterThan(20);
  expect(dishes.filter(({ name }) => !a4.text.includes(name))).toEqual([]);

  await page.getByText('A5', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Table of allergens' }).uncheck();
  await page.getByRole('checkbox', { name: 'Choices and extras' }).check();
  const a5 = await readPaper(page);
  expect(a5.size).toEqual([420, 595]);
  expect(a5.text).not.toContain('in some extras');
  // The category goes on on the second page, below its heading.
  expect(a5.text.match(/Small plates/g)?.length).toBeGreaterThan(1);

  for (const [name, call] of [
    ['Counter card', 'Order here'],
    ['Door card', 'Order online'],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    const card = page.getByRole('article');
    await expect(card).toContainText(call);
    expect(await readCodes(await card.screenshot())).toEqual([`${shop.url}/`]);
    expect((await readPaper(page)).pages).toBe(1);
    await expectToFit(page);
  }

  const small = await openOffice(shop, await window(phone), '/admin/paper');
  await expect(small.getByRole('article')).toContainText('Burgers');
  await expectToFit(small);
});

async function readPaper(page: Page): Promise<{ pages: number; size: number[]; text: string }> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
  const { text } = await extractText(pdf, { mergePages: true });
  const [, , width = 0, height = 0] = (await pdf.getPage(1)).view;
  return { pages: pdf.numPages, size: [Math.round(width), Math.round(height)], text: text.replaceAll(/\s+/g, ' ') };
}

async function readCodes(screenshot: Buffer): Promise<string[]> {
  const { data, info } = await sharp(screenshot).greyscale().raw().toBuffer({ resolveWithObject: true });
  const ink = Uint8Array.from(data, (grey) => (grey < 128 ? 1 : 0));
  return readQrCodes({ kind: 'picture', width: info.width, height: info.height, ink });
}

async function expectToFit(page: Page): Promise<void> {
  const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(over).toBe(0);
}
