import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { openOffice } from './office.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test("the picture that an owner gives a category shows beside its name on customers' phones until it is removed", async ({
  shop,
  window,
}) => {
  const customer = await window(phone);
  await customer.goto('/menu');
  const section = customer.getByRole('region', { name: 'Burgers' });
  // The dishes' own pictures are inside links.
  const picture = section.locator('img:not(a img)');
  await expect(section).toBeAttached();
  await expect(picture).toHaveCount(0);

  const office = await openOffice(shop, await window(), '/admin/categories');
  await office.getByRole('button', { name: 'Burgers', exact: true }).click();
  const panel = office.getByRole('dialog', { name: 'Burgers' });
  // Drawing a picture takes as long as the machine needs.
  const isUploaded = office.waitForResponse('**/v1/uploads');
  await panel.locator('input[type=file]').setInputFiles({
    name: 'burgers.png',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a52' } })
      .png()
      .toBuffer(),
  });
  expect((await isUploaded).status()).toBe(201);
  await expect(panel.getByRole('img', { name: 'The current picture' })).toBeVisible();
  await expect(picture).toHaveAttribute('src', /^\/uploads\/.*\.webp$/);
  await expect(picture).toHaveAttribute('loading', 'lazy');
  await expect(picture).toHaveAttribute('alt', '');
  await picture.scrollIntoViewIfNeeded();
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0);

  await expect(panel).toContainText('This picture is only 64 pixels wide');

  // A photo of 27 megapixels is sent small, and one from an iPhone is decoded here.
  const large = await sharp({ create: { width: 6000, height: 4500, channels: 3, background: '#285' } })
    .jpeg()
    .toBuffer();
  const heic = await readFile(new URL('photo.heic', import.meta.url));
  for (const [name, mimeType, buffer, size] of [
    ['large.jpg', 'image/jpeg', large, [800, 600]],
    ['IMG_0001.HEIC', '', heic, [800, 600]],
  ] as const) {
    const sent = office.waitForResponse('**/v1/uploads');
    await panel.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    const answer = await sent;
    const { data } = (await answer.json()) as { data: { url: string; width: number; height: number } };
    expect([data.width, data.height]).toEqual(size);
    expect((await answer.request().sizes()).requestBodySize).toBeLessThan(200_000);
    await expect(panel.getByRole('img', { name: 'The current picture' })).toHaveAttribute('src', data.url);
    await expect(panel).not.toContainText('pixels wide');
  }
  await panel.locator('input[type=file]').setInputFiles({
    name: 'menu.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Chips 3.50'),
  });
  await expect(panel.getByRole('alert')).toHaveText(/^Your browser cannot open this picture/);

  await panel.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(picture).toHaveCount(0);
});
