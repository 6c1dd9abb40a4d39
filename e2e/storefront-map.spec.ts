import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { openShop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test("a shop with a map service has a map on its home page, with the service's credit", async ({ window }) => {
  test.setTimeout(180_000);
  const png = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#cfe3c1' } })
    .png()
    .toBuffer();
  const asked: string[] = [];
  const tiles = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
  const { port } = tiles.address() as AddressInfo;
  const shop = await openShop({ MAP_TILES_URL: `http://localhost:${port}/{z}/{x}/{y}.png` });
  try {
    const page = await window({ ...phone, baseURL: shop.url });
    await page.goto('/');
    expect(asked, 'tiles before the map comes near').toEqual([]);
    await page.getByRole('heading', { name: 'Find us' }).scrollIntoViewIfNeeded();
    const map = page.locator('.leaflet-container');
    await expect(map.locator('img.leaflet-tile-loaded').first()).toBeVisible();
    expect(asked[0]).toMatch(/^\/16\/\d+\/\d+\.png$/);
    await expect(map.getByRole('link', { name: 'OpenStreetMap' })).toBeVisible();
    await expect(map.locator('.map-pin')).toHaveAttribute('title', /./);
    await expectAccessible(page, 'home with a map');
  } finally {
    await shop.stop();
    tiles.close();
  }
});

test('a shop without a map service also shows its location, and requests no tiles', async ({ window, shop }) => {
  const page = await window(phone);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(shop.url) && request.url().startsWith('http')) elsewhere.push(request.url());
  });
  await page.goto('/');
  await page.getByRole('heading', { name: 'Find us' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('link', { name: /Directions/ }).first()).toBeVisible();
  await expect(page.locator('.leaflet-container')).toHaveCount(0);
  expect(elsewhere).toEqual([]);
});
