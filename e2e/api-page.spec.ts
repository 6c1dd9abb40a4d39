import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';

const quote = '/api#tag/ordering/POST/v1/orders/quote';

for (const [screen, viewport] of [
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the API can be read on ${screen} in ${colorScheme} colours, with requests to the shop only`, async ({
      shop,
      window,
    }) => {
      const page = await window({ viewport, colorScheme });
      const asked = noteRequests(page);
      await page.goto(quote);
      const summary = page.getByRole('heading', { name: 'Price a basket and say what stands in its way.' });
      await expect(summary).toBeInViewport();
      const call = page.getByRole('region').filter({ has: summary }).last();
      // The fields of the call's body, from its schema.
      await expect(call.getByText('fulfilment_type', { exact: true }).first()).toBeVisible();
      await expect(call.getByText('lines', { exact: true }).first()).toBeVisible();
      await expectAccessible(page);
      expect(asked.filter((url) => !url.startsWith(`${shop.url}/`))).toEqual([]);
      expect(asked.some((url) => url.endsWith('/v1/openapi.json'))).toBe(true);
    });
  }
}

test('a call can be tried on the page, and is sent to this shop', async ({ shop, window }) => {
  const page = await window();
  const asked = noteRequests(page);
  await page.goto('/api#tag/store/GET/v1/stores');
  await page.getByRole('button', { name: /^Test Request ?\(get \/v1\/stores\)$/ }).click();
  const client = page.getByRole('dialog', { name: 'API Client' });
  const answered = page.waitForResponse((response) => response.url().includes('/v1/stores'));
  await client.getByRole('button', { name: /^Send Request/ }).click();
  expect((await answered).status()).toBe(200);
  await expect(client.getByText('200 OK')).toBeVisible();
  expect(asked.filter((url) => !url.startsWith(`${shop.url}/`))).toEqual([]);
});

test('without JavaScript the page says where the description is', async ({ window }) => {
  const page = await window({ javaScriptEnabled: false });
  await page.goto('/api');
  await expect(page.getByRole('heading', { name: 'Hatch API' })).toBeVisible();
  await expect(page.getByText('needs JavaScript')).toBeVisible();
  await expect(page.getByRole('link')).toHaveAttribute('href', '/v1/openapi.json');
});

/** The addresses that the page fetches, besides the content that it has itself. */
function noteRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) asked.push(request.url());
  });
  return asked;
}
