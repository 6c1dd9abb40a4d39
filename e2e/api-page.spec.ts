import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';

const quote = '/api#tag/ordering/POST/v1/orders/quote';

test('the API is read on a desktop and a phone, in light and in dark, and a call is tried, with requests to the shop only', async ({
  shop,
  window,
}) => {
  const page = await window({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  const asked = noteRequests(page);
  await page.goto(quote);
  const summary = page.getByRole('heading', { name: 'Price a basket and say what stands in its way.' });
  await expect(summary).toBeInViewport();
  const call = page.getByRole('region').filter({ has: summary }).last();
  for (const [colorScheme, viewport] of [
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 390, height: 844 }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    // The fields of the call's body, from its schema.
    await expect(call.getByText('fulfilment_type', { exact: true }).first()).toBeVisible();
    await expect(call.getByText('lines', { exact: true }).first()).toBeVisible();
    await expectAccessible(page, `${colorScheme}, ${viewport.width} px`);
  }
  expect(asked.some((url) => url.endsWith('/v1/openapi.json'))).toBe(true);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/api#tag/store/GET/v1/stores');
  // The address of the same page alone does not load it.
  await page.reload();
  await page.getByRole('button', { name: /^Test Request ?\(get \/v1\/stores\)$/ }).click();
  const client = page.getByRole('dialog', { name: 'API Client' });
  const answered = page.waitForResponse((response) => response.url().includes('/v1/stores'));
  await client.getByRole('button', { name: /^Send Request/ }).click();
  expect((await answered).status()).toBe(200);
  await expect(client.getByText('200 OK')).toBeVisible();
  expect(asked.filter((url) => !url.startsWith(`${shop.url}/`))).toEqual([]);
});

/** The addresses that the page fetches, besides the content that it has itself. */
function noteRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) asked.push(request.url());
  });
  return asked;
}
