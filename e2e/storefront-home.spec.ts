import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { readConfig } from '#config.ts';
import { browserConfig } from '#storefront/server/browser-config.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { changeStore, phone } from './storefront.ts';

test('the home page says where the shop is, with a map if the shop has a map service, and names no delivery minimum if there is none', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}`);
  const zones = (body['data'] as { delivery_zones: Record<string, unknown>[] }).delivery_zones;
  await changeStore(shop, { delivery_zones: zones.map((zone) => ({ ...zone, minimum_order: 0 })) });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(shop.url) && request.url().startsWith('http')) elsewhere.push(request.url());
  });

  await test.step('a shop without a delivery minimum names none', async () => {
    await page.goto('/');
    await expect(page.getByRole('link', { name: /^Delivery/ })).toContainText('From £');
    await page.getByLabel('Do we deliver to you?').fill('CV21 2AA');
    await page.getByRole('button', { name: 'Check' }).click();
    await expect(page.getByText(/^Yes\. Delivery £[\d.]+\. Delivery time:/)).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('£0.00');
  });

  await test.step('the page names its first pictures before its styles, so that they load while it arrives', async () => {
    const html = await (await page.request.get('/', { headers: { accept: 'text/html' } })).text();
    const pictures = [...html.matchAll(/<link rel="preload" as="image"[^>]*>/g)];
    expect(pictures).toHaveLength(3);
    expect(pictures[2]?.index).toBeLessThan(html.indexOf('<style>'));
  });

  const place = page.getByRole('heading', { name: 'Find us' });
  const map = page.locator('.leaflet-container');
  await test.step('a shop without a map service also shows its location, and requests no tiles', async () => {
    await place.scrollIntoViewIfNeeded();
    await expect(page.getByRole('link', { name: /Directions/ }).first()).toBeVisible();
    await expect(map).toHaveCount(0);
    expect(elsewhere).toEqual([]);
  });

  await test.step("a shop with a map service has a map, with the service's credit", async () => {
    await showTiles(page, 'https://tiles.example/{z}/{x}/{y}.png');
    await page.goto('/');
    expect(elsewhere, 'tiles before the map comes near').toEqual([]);
    await place.scrollIntoViewIfNeeded();
    await expect(map.locator('img.leaflet-tile-loaded').first()).toBeVisible();
    expect(elsewhere[0]).toMatch(/^https:\/\/tiles\.example\/16\/\d+\/\d+\.png$/);
    await expect(map.getByRole('link', { name: 'OpenStreetMap' })).toBeVisible();
    await expect(map.locator('.map-pin')).toHaveAttribute('title', /./);
    await expectAccessible(page, 'home with a map');
  });
});

/** From now on the shop's home page is that of a shop with this map service, which answers. */
async function showTiles(page: Page, url: string): Promise<void> {
  const { map } = browserConfig(readConfig({ MAP_TILES_URL: url }), '', null);
  const png = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#cfe3c1' } })
    .png()
    .toBuffer();
  await page.route(`${new URL(url).origin}/**`, (route) => route.fulfill({ contentType: 'image/png', body: png }));
  await page.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      expect(text).toContain('"map":null');
      await route.fulfill({
        response,
        body: text.replace('"map":null', `"map":${JSON.stringify(map).replaceAll('<', '\\u003c')}`),
      });
    },
  );
}
