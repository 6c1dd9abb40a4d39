import { expectAccessible, findFaultsInBoth } from './accessible.ts';
import { openOffice } from './office.ts';
import { expect, test } from './shop.ts';

test('any page is opened by a few letters of its name, also while a field has the focus; on a phone a finger chooses', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ hasTouch: true }), '/admin/menus');
  const search = page.getByRole('main').getByLabel('Search', { exact: true });
  await search.focus();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Go to a page or shop' });
  const field = dialog.getByRole('textbox', { name: 'Go to a page or shop' });
  await expect(field).toBeFocused();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
  await page.keyboard.type('xyz');
  await expect(dialog).toContainText('No matches');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(search).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('compl');
  await expect(dialog.getByRole('button')).toHaveText(['Complaints']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/complaints$/);
  await expect(page.getByRole('heading', { name: 'Complaints', level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Go to a page or shop' }).tap();
  await expect(dialog.getByRole('button', { name: 'Menu editor' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Staff' }).tap();
  await expect(page).toHaveURL(/\/admin\/staff$/);
});
