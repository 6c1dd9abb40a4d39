import { expectAccessible, findFaultsInBoth } from './accessible.ts';
import { openOffice } from './office.ts';
import { expect, test } from './shop.ts';

test('any page is opened by a few letters of its name, also while a field has the focus', async ({ shop, window }) => {
  const page = await openOffice(shop, await window(), '/admin/items');
  await page.getByRole('main').getByLabel('Search', { exact: true }).focus();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Go to a page or shop' });
  const field = dialog.getByRole('textbox', { name: 'Go to a page or shop' });
  await expect(field).toBeFocused();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
  await page.keyboard.type('xyz');
  await expect(dialog).toContainText('No matches');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('main').getByLabel('Search', { exact: true })).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('repo');
  await expect(dialog.getByRole('button')).toHaveText(['Reports']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/reports$/);
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('on a phone the menu opens the dialog, and a finger chooses', async ({ shop, window }) => {
  const phone = await window({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await openOffice(shop, phone, '/admin/items');
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Go to a page or shop' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Go to a page or shop' });
  await expect(dialog.getByRole('button', { name: 'Menu editor' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Staff' }).tap();
  await expect(page).toHaveURL(/\/admin\/staff$/);
});
