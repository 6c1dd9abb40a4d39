import { randomUUID } from 'node:crypto';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { addAuthenticator, addPasskey } from './factors.ts';
import { openOffice } from './office.ts';
import { expect, test as base } from './shop.ts';
import { goWithin } from './storefront.ts';

/** A shop that sends mail, as the last step wants. None of these journeys has any. */
const test = base.extend<{ shop: Shop }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
  shop: async ({}, use) => {
    const shop = await openShop({ SMTP_URL: 'smtp://127.0.0.1:9' });
    await use(shop);
    await shop.stop();
  },
});

async function send(shop: Shop, method: string, path: string, body: object): Promise<{ id: string }> {
  const answer = await shop.api(method, path, body, shop.adminToken);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body['data'] as { id: string };
}

/** All but the second factor, as the owner's other pages would. */
async function doTheRest(shop: Shop, id: string): Promise<void> {
  const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA' };
  const hours = [{ day: 'Friday', open: '17:00', close: '22:00' }];
  await send(shop, 'PATCH', `/v1/stores/${id}`, { phone: '01788 555123', address, operational_hours: hours });
  const printer = { kind: 'browser', profile: 'epson-tm-m30', width_mm: 80, address: '192.0.2.9:9100' };
  await send(shop, 'POST', '/v1/printers', { store_id: id, name: 'Pass', ...printer });
  const menu = await send(shop, 'POST', '/v1/menus', { store_id: id, name: 'All day' });
  const category = await send(shop, 'POST', '/v1/categories', { name: 'Pizza', menu_id: menu.id });
  const item = await send(shop, 'POST', '/v1/items', { name: 'Margherita', price: 950 });
  await send(shop, 'POST', `/v1/categories/${category.id}/items/add`, { items: [item.id] });
  await send(shop, 'POST', '/v1/orders', {
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

test('an owner’s first evening: a list of what is left, on a desktop and a phone, which goes when all is done', async ({
  shop,
  window,
}) => {
  test.setTimeout(240_000);
  // The demo shop has no list until its owner asks for it, and its details and dishes are not the owner's own.
  const ofDemo = await shop.api('GET', `/v1/stores/${shop.storeId}/first-evening`, undefined, shop.adminToken);
  expect(ofDemo.body['data']).toMatchObject({
    is_shown: false,
    steps: expect.arrayContaining([
      { name: 'details', state: 'todo' },
      { name: 'menu', state: 'todo' },
    ]),
  });

  const { id } = await send(shop, 'POST', '/v1/stores', { name: 'Nonna’s Kitchen' });
  const page = await window();
  await addAuthenticator(page);
  await page.addInitScript((chosen) => localStorage.setItem('office_store', chosen), id);
  await openOffice(shop, page, '/store/orders');
  const list = page.getByRole('region', { name: 'Your first evening' });
  const step = (words: string) => list.getByRole('listitem').filter({ hasText: words });
  await expect(list.getByRole('status')).toHaveText('6 things are left before you open.');
  await expect(step('Email to customers').getByRole('img', { name: 'Done' })).toBeVisible();
  await expect(step('How customers pay').getByRole('img', { name: 'For you to check' })).toBeVisible();
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, `${viewport.width} px`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    // The board below it can be used.
    await expect(page.getByRole('button', { name: 'Start shift' })).toBeVisible();
  }

  // While the list asks for a second factor, no banner does; once it is put away, the banner does.
  const banner = page.getByRole('region', { name: 'Protect your sign-in' });
  const goToStaff = async (): Promise<void> => {
    await goWithin(page, '/admin/staff');
    await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
  };
  await goToStaff();
  await expect(banner).toHaveCount(0);
  await page.goBack();
  await list.getByRole('button', { name: 'Put away' }).click();
  await expect(list).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list).toBeVisible();
  await list.getByRole('button', { name: 'Put away' }).click();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Start shift' })).toBeVisible();
  await expect(list).toHaveCount(0);
  await goToStaff();
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Your first evening' }).click();
  await page.waitForURL('/store/orders');

  const mySignIn = step('A second step for your own sign-in').getByRole('link');
  await mySignIn.click();
  await page.waitForURL('/kitchen/my-sign-in');
  await addPasskey(page);
  await page.goBack();
  await expect(list.getByRole('status')).toHaveText('5 things are left before you open.');
  await expect(step('A second step').getByRole('img', { name: 'Done' })).toBeVisible();

  await mySignIn.click();
  await page.waitForURL('/kitchen/my-sign-in');
  await doTheRest(shop, id);
  await page.goBack();
  await expect(list.getByRole('status')).toHaveText('Everything on this list is done. You can open.');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Start shift' })).toBeVisible();
  await expect(list).toHaveCount(0);
});
