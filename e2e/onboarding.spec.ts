import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startMailServer } from '#testing/mail-server.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { addAuthenticator, addPasskey } from './factors.ts';
import { hire } from './people.ts';
import { expect, test } from './shop.ts';

const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;

/** The owner's first visit to an empty shop. */
async function setUp(shop: Shop, page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForURL('/setup');
  const [, code = ''] = /with the code ([A-Z\d-]+)/.exec(shop.printed()) ?? [];
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByLabel('Name of the shop').fill('Nonna’s Kitchen');
  await page.getByLabel('Name', { exact: true }).fill('Nonna');
  await page.getByLabel('Email').fill('nonna@example.com');
  await page.getByLabel('Password').fill('a secret of mine');
  await page.getByRole('button', { name: 'Open the shop' }).click();
  await page.waitForURL('/store/orders');
}

/** All but the second factor, as the owner's other pages would. */
async function doTheRest(shop: Shop, token: string): Promise<void> {
  const send = async (method: string, path: string, body: object) => {
    const answer = await shop.api(method, path, body, token);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body['data'] as { id: string };
  };
  const { body } = await shop.api('GET', '/v1/stores');
  const [{ id }] = body['data'] as [{ id: string }];
  const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA' };
  await send('PATCH', `/v1/stores/${id}`, { phone: '01788 555123', address });
  const printer = { kind: 'browser', profile: 'epson-tm-m30', width_mm: 80, address: '192.0.2.9:9100' };
  await send('POST', '/v1/printers', { store_id: id, name: 'Pass', ...printer });
  const [menu] = (await shop.api('GET', `/v1/menus/store/${id}?all=1`, undefined, token)).body['data'] as [
    { id: string },
  ];
  const category = await send('POST', '/v1/categories', { name: 'Pizza', menu_id: menu.id });
  const item = await send('POST', '/v1/items', { name: 'Margherita', price: 950 });
  await send('POST', `/v1/categories/${category.id}/items/add`, { items: [item.id] });
  await send('POST', '/v1/orders', {
    store_id: id,
    channel: 'counter',
    override: true,
    session: randomUUID(),
    fulfilment_type: 'collection',
    contact: { name: 'Ada', phone: '' },
    payment_method: 'cash',
    lines: [{ item_id: item.id, quantity: 1 }],
  });
}

for (const [screen, viewport] of Object.entries(sizes)) {
  test(`an owner's first evening on a ${screen}: a list of what is left, which goes when all is done`, async ({
    browser,
  }) => {
    const smtp = await startMailServer();
    const shop = await openShop({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '', SMTP_URL: smtp.url }, ['--empty']);
    const context = await browser.newContext({ baseURL: shop.url, locale: 'en-GB', viewport });
    try {
      const page = await context.newPage();
      await addAuthenticator(page);
      await setUp(shop, page);
      const list = page.getByRole('region', { name: 'Your first evening' });
      const show = () => list.getByRole('button', { name: 'Open', exact: true }).click();
      const step = (words: string) => list.getByRole('listitem').filter({ hasText: words });
      await expect(list.getByRole('status')).toHaveText('5 things are left before you open.');
      // One line, so that the first order is on a phone's first screen.
      await expect.poll(async () => (await list.boundingBox())?.height).toBeLessThanOrEqual(64);
      await show();
      await expect(step('Email to customers').getByRole('img', { name: 'Done' })).toBeVisible();
      await expect(step('How customers pay').getByRole('img', { name: 'For you to check' })).toBeVisible();
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      // The board below it can be used.
      await expect(page.getByRole('button', { name: 'Start shift' })).toBeVisible();

      // While the list asks for a second factor, no banner does; once it is hidden, the banner does.
      const banner = page.getByRole('region', { name: 'Protect your sign-in' });
      await page.goto('/admin/staff');
      await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
      await expect(banner).toHaveCount(0);
      await page.goto('/store/orders');
      await list.getByRole('button', { name: 'Hide' }).click();
      await expect(list).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(list).toBeVisible();
      await list.getByRole('button', { name: 'Hide' }).click();
      await expect(list).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('button', { name: 'Start shift' })).toBeVisible();
      await expect(list).toHaveCount(0);
      await page.goto('/admin/staff');
      await expect(banner).toBeVisible();
      await page.getByRole('button', { name: 'Account and more' }).click();
      await page.getByRole('menuitem', { name: 'Your first evening' }).click();
      await page.waitForURL('/store/orders');
      await show();

      await step('A second step for your own sign-in').getByRole('link').click();
      await page.waitForURL('/kitchen/my-sign-in');
      await addPasskey(page);
      await page.goBack();
      await expect(list.getByRole('status')).toHaveText('4 things are left before you open.');
      await show();
      await expect(step('A second step').getByRole('img', { name: 'Done' })).toBeVisible();

      await doTheRest(shop, (await page.evaluate(() => localStorage.getItem('token'))) ?? '');
      await page.reload();
      await expect(list.getByRole('status')).toHaveText('Everything on this list is done. You can open.');
      await expectAccessible(page);
      await page.reload();
      await expect(page.getByRole('button', { name: 'Start shift' })).toBeVisible();
      await expect(list).toHaveCount(0);
    } finally {
      await context.close();
      await shop.stop();
      await smtp.stop();
    }
  });
}

test('the demo shop has no list until its owner asks for it, and staff never have', async ({ shop, window }) => {
  const read = (token: string) => shop.api('GET', `/v1/stores/${shop.storeId}/first-evening`, undefined, token);
  const { body } = await read(shop.adminToken);
  expect((body['data'] as { is_shown: boolean }).is_shown).toBe(false);
  expect((await read((await hire(shop, 'Sage Brown')).token)).status).toBe(403);
  const page = await window({ viewport: sizes.desktop });
  await page.goto('/');
  await page.evaluate((token) => localStorage.setItem('token', token), shop.adminToken);
  await page.goto('/store/orders');
  await page.getByRole('button', { name: 'Account and more' }).click();
  await page.getByRole('menuitem', { name: 'Your first evening' }).click();
  const list = page.getByRole('region', { name: 'Your first evening' });
  await list.getByRole('button', { name: 'Open', exact: true }).click();
  // The invented shop's details and dishes are not the owner's own.
  for (const words of ['The shop’s name, phone and address', 'Your own dishes']) {
    await expect(
      list.getByRole('listitem').filter({ hasText: words }).getByRole('img', { name: 'To do' }),
    ).toBeVisible();
  }
});
