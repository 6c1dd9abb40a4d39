import { expectAccessible, findFaultsInBoth } from './accessible.ts';
import { openOffice } from './office.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { hire, register } from './people.ts';
import { expect, test } from './shop.ts';

test('one field finds a page, a setting, a dish, an order and a customer, and gives the focus back', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ hasTouch: true }), '/admin/menus');
  const search = page.getByRole('main').getByLabel('Search', { exact: true });
  await search.focus();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search the office' });
  const field = dialog.getByRole('textbox', { name: 'Page, setting, dish, order or person' });
  await expect(field).toBeFocused();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
  await page.keyboard.type('xyzzy');
  await expect(dialog).toContainText('No matches');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(search).toBeFocused();

  const find = async (text: string, result: string | RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    await field.fill(text);
    await dialog.getByRole('button', { name: result }).click();
    await expect(dialog).toHaveCount(0);
  };
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('compl');
  await expect(dialog.getByRole('button').first()).toHaveText('Complaints');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Complaints', level: 1 })).toBeVisible();

  await test.step('Enter waits for the results and opens the first', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/v1\/(orders|customers|staff)\?.*search=battered/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('battered on');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('Searching…');
    release();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('complementary', { name: 'Battered onion rings' })).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  });

  await test.step('words that an owner says find pages, settings and people of the shop', async () => {
    await hire(shop, 'Zebedee Quill');
    const first = async (text: string, result: string | RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await expect(dialog.getByRole('button', { name: result }).first(), text).toBeVisible();
      await page.keyboard.press('Escape');
    };
    await first('go live', 'Set up your shop');
    await first('delivery fee', 'Delivery and location');
    await first('christmas', 'Calendar and holidays');
    await first('opening times', 'Opening hours');
    await first('password', 'My sign-in');
    await first('zebedee', /Zebedee Quill/);
  });

  await find('vat num', /VAT number/);
  await expect(page.getByRole('textbox', { name: 'VAT number' })).toBeVisible();
  await find('onion rings', /Battered onion rings/);
  await expect(page.getByRole('complementary', { name: 'Battered onion rings' })).toBeVisible();
  const { number } = await sendOrder(shop, { contact: { name: 'Ottilie Quince', phone: '07700 900321' } });
  await find('ottilie', `#${number} Ottilie Quince`);
  await expect(page).toHaveURL(/\/store\/orders$/);
  await expect(page.getByRole('dialog', { name: `Order ${number}` })).toContainText('Ottilie Quince');
  await page.keyboard.press('Escape');
  const customer = await register(shop, 'Wilhelmina Oakes');
  await find('wilhelmina', /Wilhelmina Oakes/);
  await expect(page.getByRole('row', { name: 'Wilhelmina Oakes' })).toContainText(customer.email);
});

test('if the search loses the connection, it says so, and still finds pages', async ({ shop, window }) => {
  const page = await openOffice(shop, await window(), '/admin/staff');
  await page.getByRole('button', { name: 'Search the office' }).click();
  const dialog = page.getByRole('dialog', { name: 'Search the office' });
  await page.route(/\/v1\/(orders|customers)\?/, (route) => route.abort());
  await dialog.getByRole('textbox').fill('payments');
  await expect(dialog).toContainText('could not all be searched');
  await expect(dialog.getByRole('button', { name: 'Payments', exact: true })).toBeVisible();
});

test('the sidebar unfolds the group of the open page, is narrow if asked to be, and a phone has a drawer', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ hasTouch: true }), '/admin/items');
  const sidebar = page.getByRole('navigation', { name: 'Office' });
  await expect(sidebar.getByRole('link', { name: 'Dishes' })).toHaveAttribute('aria-current', 'page');
  await sidebar.getByRole('button', { name: 'Money' }).click();
  await sidebar.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible();
  await sidebar.getByRole('button', { name: 'Icons only' }).click();
  await page.reload();
  await sidebar.getByRole('button', { name: 'People' }).click();
  await page.getByRole('menuitem', { name: 'Staff' }).click();
  await expect(page.getByRole('heading', { name: 'Staff', level: 1 })).toBeVisible();
  await sidebar.getByRole('button', { name: 'Names' }).click();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(sidebar).toHaveCount(0);
  await page.getByRole('button', { name: 'All pages' }).tap();
  await page.getByRole('link', { name: 'Customers' }).tap();
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test('rows of a list are 44 px high, and a phone shows ten of them', async ({ shop, window }) => {
  const page = await openOffice(shop, await window(), '/admin/items');
  const rows = page.getByRole('row');
  await expect(rows.nth(12)).toBeAttached();
  const box = await rows.nth(3).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(box?.height).toBeLessThan(46);
  await page.setViewportSize({ width: 390, height: 844 });
  // Beside a reminder, whichever it is.
  await expect(page.getByRole('region', { name: 'Protect your sign-in' })).toBeVisible();
  await expect(rows.nth(10)).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Not this week' }).click();
  await expect(page.getByRole('region', { name: 'Your backups are on this computer only' })).toBeVisible();
  await expect(rows.nth(10)).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('On sale').selectOption({ index: 1 });
  await expect(page.getByRole('button', { name: 'Filter (1)' })).toBeVisible();
  await expectAccessible(page);

  for (let count = 0; count < 11; count += 1) {
    await moveOrder(shop, await sendOrder(shop), 'reject', { reason: 'too_busy' });
  }
  await page.goto('/admin/payments');
  const cells = rows.filter({ hasText: 'Order 11' }).getByRole('cell');
  const [title, total] = [await cells.first().boundingBox(), await cells.filter({ hasText: '£' }).boundingBox()];
  expect(total?.y, 'the total is beside the number').toBe(title?.y);
  await expectAccessible(page);
  await page.goto('/admin/audit');
  await expect(rows.nth(10)).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});
