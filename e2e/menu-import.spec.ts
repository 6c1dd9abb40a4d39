import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import writeXlsxFile from 'write-excel-file/node';
import { openOffice } from './office.ts';
import { expectAccessible } from './accessible.ts';
import { TapCounter } from './count-taps.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expect, test } from './shop.ts';

const heads = 'Name,Category,Price,Description,Contains,Visible';

/** 300 dishes in twelve categories. Ten have one of four errors, unless `isCorrected`. */
function spreadsheet(isCorrected: boolean): { name: string; mimeType: string; buffer: Buffer } {
  const wrong = [{ price: 'cheap' }, { contains: 'dust' }, { visible: 'perhaps' }, { category: '' }];
  const lines = Array.from({ length: 300 }, (_, index) => {
    const row = { category: `Course ${index % 12}`, price: '6.50', contains: 'milk; gluten', visible: 'yes' };
    const fault = (index + 1) % 30 === 0 && !isCorrected ? wrong[((index + 1) / 30) % 4] : {};
    const { category, price, contains, visible } = { ...row, ...fault };
    return [`Dish ${index + 1}`, category, price, 'From the list', contains, visible].join(',');
  });
  return { name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from([heads, ...lines].join('\n')) };
}

const choose = (page: Page, file: string | ReturnType<typeof spreadsheet>) =>
  page.getByLabel('Choose a file').and(page.locator('input')).setInputFiles(file);

test('what is no menu is refused in words; an export changes nothing; 300 rows are imported whole or not at all; a price is undone', async ({
  shop,
  window,
}) => {
  const itemsOnMenu = async (): Promise<number> => {
    const path = `/v1/menus/store/${shop.storeId}/parts`;
    const { body } = await shop.api('GET', path, undefined, shop.adminToken);
    return (body['data'] as { items: unknown[] }).items.length;
  };
  const before = await itemsOnMenu();
  const page = await openOffice(
    shop,
    await window({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', acceptDownloads: true }),
    '/admin/import',
  );
  await expect(page.getByRole('heading', { name: 'Import a menu' })).toBeVisible();

  await test.step('a file that is no table, on a phone in dark mode', async () => {
    await choose(page, {
      name: 'menu.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from('PK\u0003\u0004 no zip'),
    });
    await expect(page.getByRole('alert')).toContainText('neither a CSV nor an Excel workbook');
    await expectAccessible(page);
  });

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');

  await test.step('a workbook that would fill the memory: the page goes on', async () => {
    const wide = 'Name,Category,Price\n' + ','.repeat(2_000_000);
    await choose(page, { name: 'wide.csv', mimeType: 'text/csv', buffer: Buffer.from(wide) });
    await expect(page.getByRole('alert')).toContainText('far more cells than a menu');
    await expectAccessible(page);
  });

  await test.step('an exported workbook changes nothing', async () => {
    const [taken] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel', exact: true }).click(),
    ]);
    expect(taken.suggestedFilename()).toMatch(/\.xlsx$/);
    await choose(page, await taken.path());
    await expect(page.getByText(/^0 new, 0 changed, \d+ unchanged\./)).toBeVisible();
    await page.getByRole('button', { name: 'Another file' }).click();
  });

  const rows = page.getByRole('region', { name: 'Rows of the file' }).getByRole('row');
  await test.step('300 rows with ten errors write nothing', async () => {
    await choose(page, spreadsheet(false));
    await expect(page.getByText('8 rows have problems')).toBeVisible();
    await expect(page.getByText('2 new dishes have no category')).toBeVisible();
    await expect(rows).toHaveCount(11);
    await expect(rows.nth(1)).toContainText('31');
    await expect(rows.nth(1)).toContainText('"dust" is not one of the 14 allergens');
    await expect(rows.nth(10)).toContainText('301');
    await expectAccessible(page);
    expect(await itemsOnMenu()).toBe(before);
    await page.getByRole('button', { name: 'Choose another file' }).click();
  });

  await test.step('the corrected file is imported whole, for customers too', async () => {
    await choose(page, spreadsheet(true));
    await expect(page.getByText('300 new, 0 changed, 0 unchanged.')).toBeVisible();
    await page.getByRole('button', { name: 'Import 300 rows', exact: true }).click();
    await expect(page.getByText('Done. Customers see the new menu.')).toBeVisible({ timeout: 90_000 });
    await expectAccessible(page);
    expect(await itemsOnMenu()).toBe(before + 300);
    const menu = async () => (await fetch(`${shop.url}/menu`)).text();
    await expect.poll(menu).toContain('Course 11');
    expect(await menu()).toContain('Dish 300');
    await page.getByRole('button', { name: 'Another file' }).click();
  });

  await test.step('importing it again changes nothing', async () => {
    await choose(page, spreadsheet(true));
    await expect(page.getByText('0 new, 0 changed, 300 unchanged.')).toBeVisible();
    await expect(page.getByText('The menu already matches the file.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Import/ })).toBeDisabled();
    await page.getByRole('button', { name: 'Another file' }).click();
  });

  await test.step('a changed price is previewed, imported and undone', async () => {
    const file = { name: 'price.csv', mimeType: 'text/csv', buffer: Buffer.from('Name;Price\nThe Coalfinch;£13,25') };
    await choose(page, file);
    await expect(rows.nth(1)).toContainText('£13.25');
    await page.getByRole('button', { name: 'Import 1 row', exact: true }).click();
    await expect(page.getByText('Done. Customers see the new menu.')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
    await expect(page.getByText('Import undone. The menu is as it was before.')).toBeVisible({ timeout: 60_000 });
  });
});

test('the preview asks about letters that can be read in two ways, and about a name that differs by an accent', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ viewport: { width: 390, height: 844 } }), '/admin/import');
  const importButton = page.getByRole('button', { name: /^Import \d/ });

  await test.step('by keyboard on a phone, and nothing is imported before the answer', async () => {
    const text = 'Category,Name,Price\nOld desserts,Cr\u00E8me caramel,4.00\nMains,Jalape\u00F1o bake,5.00';
    await choose(page, { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });
    const question = page.getByRole('radiogroup', { name: 'Which line is spelled correctly?' });
    await expect(question.getByRole('radio')).toHaveCount(2);
    await expect(importButton).toBeDisabled();
    await expectAccessible(page);
    await question.getByRole('radio', { name: 'Crème caramel · Jalapeño bake' }).focus();
    await page.keyboard.press('Space');
    await expect(importButton).toBeEnabled();
    await expect(page.getByText('These categories are new: Old desserts')).toBeVisible();
    await importButton.click();
    await expect(page.getByText('Done. Customers see the new menu.')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Another file' }).click();
  });

  await test.step('a name without its accent waits for an answer, and can mean the dish', async () => {
    const text = 'Category,Name,Price\nOld desserts,Creme caramel,4.50';
    await choose(page, { name: 'plain.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await expect(page.getByText('One row has nearly the same name')).toBeVisible();
    await expect(page.getByText('1 row has a problem')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('radio', { name: /“Crème caramel” on the menu, and that name stays/ }).click();
    await expect(page.getByText('0 new, 1 changed, 0 unchanged.')).toBeVisible();
    await expect(page.getByText('4.50')).toBeVisible();
    await page.getByRole('radio', { name: 'It is new: add “Creme caramel”' }).click();
    await expect(page.getByText('1 new, 0 changed, 0 unchanged.')).toBeVisible();
  });
});

test('a list from another program: its columns are matched, remembered, and 80 dishes are on sale; a draft goes on elsewhere', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ viewport: { width: 390, height: 844 } }), '/admin/import');
  const lines = Array.from({ length: 80 }, (_, at) =>
    [`Plate ${at + 1}`, 'Cooked to order', `${5 + (at % 9)}.${at % 2 ? '50' : '00'}`, at === 3 ? 'from £4' : ''].join(
      ',',
    ),
  );
  const foreign = (price: string) => ({
    name: 'till.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Our list,,,', 'Plate,Blurb,Takes,Later', ...lines, `Plate 81,Odd,${price},`].join('\n')),
  });

  await test.step('the columns are guessed, shown with their rows, and can be changed by keyboard', async () => {
    await choose(page, foreign('from £4'));
    const name = page.getByRole('combobox', { name: 'Plate' });
    await expect(name).toHaveValue('name');
    await expect(page.getByText('Plate 1', { exact: true })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Takes' })).toHaveValue('price');
    await page.getByRole('combobox', { name: 'Blurb' }).selectOption('Description');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Go on with 81 dishes' }).click();
  });

  await test.step('nothing is sold before a category is chosen and the doubtful price confirmed', async () => {
    await expect(page.getByText('81 new dishes have no category')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Import 0 rows/ })).toBeDisabled();
    await page.getByLabel(/have no category/).fill('Plates');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Import 80 rows, leave out 1' })).toBeEnabled();
    await expect(page.getByText('In the file: Plate 81 · Odd · from £4')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the draft goes on in another browser, and each takes the other one’s answers', async () => {
    await expect.poll(() => draftOf(shop, 'till.csv')).toContain('"category":"Plates"');
    const other = await openOffice(shop, await window({ viewport: { width: 1440, height: 900 } }), '/admin/import');
    await other.getByRole('button', { name: /^Go on with till.csv/ }).click();
    await expect(other.getByRole('button', { name: 'Import 80 rows, leave out 1' })).toBeEnabled();
    await other.getByRole('textbox', { name: 'Price' }).fill('4.10');
    await other.getByRole('textbox', { name: 'Price' }).press('Tab');
    await expect.poll(() => draftOf(shop, 'till.csv')).toContain('410');
    await page.getByRole('textbox', { name: 'Name' }).fill('Plate 81 of the day');
    await page.getByRole('textbox', { name: 'Name' }).press('Tab');
    await expect(page.getByText('This menu was also changed in another window.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Price' })).toHaveValue('£4.10');
    await other.getByRole('textbox', { name: 'Price' }).fill('4.20');
    await other.getByRole('button', { name: 'This is right' }).click();
    await other.getByRole('button', { name: 'Import 81 rows', exact: true }).click();
    await expect(other.getByText('Done. Customers see the new menu.')).toBeVisible({ timeout: 60_000 });
    // The first tab still shows the draft as it was.
    await page.getByRole('button', { name: 'Import 80 rows, leave out 1' }).click();
    await expect(page.getByText('Someone changed the menu in the meantime')).toBeVisible();
    await expect(page.getByText('0 new, 0 changed, 80 unchanged.')).toBeVisible();
    expect(await (await fetch(`${shop.url}/menu`)).text()).toContain('Plate 81');
  });

  await test.step('the same file is recognised, and the columns of the next one are remembered', async () => {
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, foreign('from £4'));
    await expect(page.getByText(/This file was imported on/)).toBeVisible();
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, foreign('4.30'));
    await expect(page.getByText('0 new, 1 changed, 80 unchanged.')).toBeVisible();
    await page.getByRole('button', { name: 'Change the columns' }).click();
    await expect(page.getByRole('combobox', { name: 'Blurb' })).toHaveValue('description');
  });
});

test('open menus are listed whole, discarded and brought back', async ({ shop, window }) => {
  const page = await openOffice(shop, await window({ viewport: { width: 390, height: 844 } }), '/admin/import');
  const drafts = page.getByRole('region', { name: 'Not imported yet' });
  // Earlier journeys may have left drafts, which are older.
  const own = drafts.getByRole('listitem').filter({ hasText: /list-\d\.csv/ });
  const saved = () =>
    page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/v1/menu-drafts'));
  const file = (at: number) => ({
    name: `list-${at}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`Category,Name,Price,Description\nSoups,Leek ${at},7.5000,<b>Hot</b> &amp; thick`),
  });
  await test.step('six menus, of which prices and texts are shown as the shop shows them', async () => {
    for (const at of [1, 2, 3, 4, 5, 6]) {
      await choose(page, file(at));
      await expect(page.getByText('Soups · £7.50 · Hot & thick')).toBeVisible();
      await expect.poll(() => draftOf(shop, `list-${at}.csv`)).not.toBe('');
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
    await expect(own).toHaveCount(5);
    await drafts.getByRole('button', { name: /^Show \d+ more/ }).click();
    await expect(own).toHaveCount(6);
    await expectAccessible(page);
  });

  await test.step('one is discarded and brought back', async () => {
    await drafts.getByRole('button', { name: /^Discard list-1.csv/ }).click();
    await expect(own).toHaveCount(5);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(own).toHaveCount(6);
    await expectAccessible(page);
  });

  await test.step('one that another window discards is kept while it is worked on, and says so', async () => {
    const opened = saved();
    await drafts.getByRole('button', { name: /^Go on with list-2.csv/ }).click();
    await opened;
    const answer = page.getByRole('checkbox', { name: /hide/i });
    await expect(answer).toBeVisible();
    const other = await openOffice(shop, await window({ viewport: { width: 1440, height: 900 } }), '/admin/import');
    await other.getByRole('button', { name: /^Discard list-2.csv/ }).click();
    await expect(other.getByText('list-2.csv is discarded.')).toBeVisible();
    await answer.check();
    await expect(page.getByText('This menu was discarded in another window.')).toBeVisible();
    await expect.poll(() => draftOf(shop, 'list-2.csv')).toContain('"hidesMissing":true');
  });
});

const imports = new URL('../src/menu/testing/imports/', import.meta.url);

/** Clover's inventory as its page exports it: a workbook with sheets that are no menu. */
async function cloverWorkbook(): Promise<Buffer> {
  const rows = (...lines: string[]) =>
    lines.map((line) => line.split(',').map((value) => (value === '' ? null : { value, type: String })));
  return writeXlsxFile([
    {
      sheet: 'Items',
      data: rows(
        'Clover ID,Name,Alternate Name,Description,Price,Price Type,Hidden?,Modifier Groups,Categories,Variant Attribute,Variant Option',
        'A,Clover Margherita,,Tomato and basil,8.50,FIXED,No,,Pizzas,Size,Small',
        'B,Clover Margherita,,Tomato and basil,11.50,FIXED,No,,Pizzas,Size,Large',
        'C,Clover lemonade,,,1.80,FIXED,No,,Drinks,,',
      ),
    },
    { sheet: 'Modifier Groups', data: rows('Modifier Group Name,Modifier,Price', 'Sauces,Garlic dip,0.50') },
    { sheet: 'Tax Rates', data: rows('Tax Rate ID,Name,Tax Rate,Default?', ',VAT,20,Yes') },
  ]).toBuffer();
}

test('the exports of five programs need no change of a column, a sheet can be chosen, and a photo asks about each price', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ viewport: { width: 390, height: 844 } }), '/admin/import');
  const back = () => page.getByRole('button', { name: 'Choose another file' }).click();

  for (const [program, dishes, summary] of [
    ['square', 3, '5 new, 0 changed, 0 unchanged.'],
    ['loyverse', 4, '5 new, 0 changed, 0 unchanged.'],
    // A sale price makes one price doubtful.
    ['woocommerce', 4, '5 new, 0 changed, 0 unchanged.'],
    ['shopify', 3, '5 new, 0 changed, 0 unchanged.'],
  ] as const)
    await test.step(program, async () => {
      await choose(page, fileURLToPath(new URL(`${program}.csv`, imports)));
      await page.getByText(/columns are left out/).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: `Go on with ${dishes} dishes` }).click();
      await expect(page.getByText(summary)).toBeVisible();
      await page.getByText(/^All \(/).click();
      await expect(page.getByText('Pizzas · Small £8.50, Large £11.50')).toBeVisible();
      await expectAccessible(page);
      await back();
    });

  await test.step('clover: of three sheets the one with dishes is ticked, and another can be', async () => {
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await choose(page, { name: 'inventory.xlsx', mimeType, buffer: await cloverWorkbook() });
    const sheet = (name: string) => page.getByRole('checkbox', { name });
    await expect(sheet('Items')).toBeChecked();
    await expect(sheet('Modifier Groups')).not.toBeChecked();
    await expectAccessible(page);
    await sheet('Modifier Groups').check();
    await expect(sheet('Items')).toBeChecked();
    await sheet('Items').uncheck();
    await expect(page.getByText('Garlic dip')).toBeVisible();
    await sheet('Items').check();
    await sheet('Modifier Groups').uncheck();
    await page.getByRole('button', { name: 'Go on with 2 dishes' }).click();
    await expect(page.getByText('4 new, 0 changed, 0 unchanged.')).toBeVisible();
    await expect(page.getByText('These sheets are left out')).toContainText('Modifier Groups, Tax Rates');
    await back();
  });

  await test.step('a photo, where the server can read one', async () => {
    const word = (text: string, x: number, y: number) => ({ text, x, y, width: text.length * 20, height: 30 });
    const words = ['Lasagne', 'Tiramisu'].flatMap((name, at) => [
      word(name, 60, 200 + at * 60),
      word(`£${8 + at}.50`, 900, 200 + at * 60),
    ]);
    await page.route('**/v1/menu-photos', (route) =>
      route.fulfill({ json: { data: route.request().method() === 'GET' ? { is_available: true } : words } }),
    );
    await page.reload();
    const photo = { name: 'menu.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await page.getByLabel('Choose a photo').and(page.locator('input')).setInputFiles(photo);
    await expect(page.getByRole('heading', { name: 'Check 2 dishes' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'These 2 are right' }).click();
    await page.getByLabel(/have no category/).fill('Mains');
    await page.getByRole('button', { name: 'Use it' }).click();
    await expect(page.getByText('2 new, 0 changed, 0 unchanged.')).toBeVisible();
  });
});

async function draftOf(shop: Shop, name: string): Promise<unknown> {
  const get = async (path: string) => (await shop.api('GET', path, undefined, shop.adminToken)).body['data'];
  // The answer is the contract's.
  const drafts = (await get(`/v1/menu-drafts?store_id=${shop.storeId}`)) as { id: string; file_name: string }[];
  const { id } = drafts.find(({ file_name: file }) => file === name) ?? {};
  return id ? ((await get(`/v1/menu-drafts/${id}`)) as { content: string }).content : '';
}

test('a PDF of eighty dishes is on sale within ten minutes, a saved page too; an address inside the network and a PDF of pictures are refused', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ viewport: { width: 390, height: 844 } }), '/admin/import');
  const printed = async (body: string) => {
    const paper = await window({});
    await paper.setContent(body);
    const buffer = await paper.pdf();
    await paper.close();
    return { name: 'menu.pdf', mimeType: 'application/pdf', buffer };
  };
  const dishes = Array.from({ length: 80 }, (_, at) => `Roast number ${String.fromCodePoint(65 + (at % 26))}${at}`);
  const html = (heading: string, prefix: string) =>
    `<!doctype html><meta charset="utf-8"><title>Menu</title><h1>Our menu</h1><h2>${heading}</h2>${dishes
      .map(
        (name, at) =>
          `<p style="display:flex"><b style="flex:1">${prefix}${name}</b><span>${at % 20 === 7 ? 'from ' : ''}£${4 + (at % 8)}.50</span></p><p><small>With vegetables of the season</small></p>`,
      )
      .join('')}`;

  await test.step('addresses and files that cannot be read are refused in words', async () => {
    await expect(page.getByText(/straight and in good light|tesseract-ocr is not installed/)).toBeVisible();
    await page.getByLabel('Address of the page with your menu').fill('http://127.0.0.1/menu');
    await page.getByRole('button', { name: 'Read the page' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'private network' })).toBeVisible();
    const address = page.getByLabel('Address of the page with your menu');
    await expect(address).toHaveValue('http://127.0.0.1/menu');
    await expect(address).toBeFocused();
    await expect(address).toHaveAccessibleDescription(/private network/);
    await expect(address).toHaveAttribute('aria-invalid', 'true');
    await choose(page, await printed('<svg width="300" height="300"><circle r="90" cx="100" cy="100"/></svg>'));
    await expect(page.getByRole('alert').filter({ hasText: 'pictures of pages' })).toBeVisible();
    await choose(page, {
      name: 'menu.xls',
      mimeType: 'application/vnd.ms-excel',
      buffer: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
    });
    await expect(page.getByRole('alert').filter({ hasText: 'save it as' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the PDF: choose, check four prices, import', async () => {
    const file = await printed(html('Roasts', ''));
    const count = new TapCounter();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      count.tap(page.getByRole('button', { name: 'Choose a file' })),
    ]);
    await chooser.setFiles(file);
    await expect(page.getByText('76 new, 0 changed, 0 unchanged.')).toBeVisible();
    await expect(page.getByText('These categories are new: Roasts.')).toBeVisible();
    await expectAccessible(page);
    const price = page.getByRole('textbox', { name: 'Price' });
    for (const left of [4, 3, 2, 1]) {
      await expect(price).toHaveCount(left);
      await count.fill(price.first(), '12.50');
      await count.tap(page.getByRole('button', { name: 'This is right' }).first());
    }
    await count.tap(page.getByRole('button', { name: 'Import 80 rows', exact: true }));
    await expect(page.getByText('Done. Customers see the new menu.')).toBeVisible({ timeout: 60_000 });
    await count.look(page);
    test.info().annotations.push({ type: 'count', description: JSON.stringify(count.count) });
    expect(count.count.minutes).toBeLessThanOrEqual(10);
    const menu = await (await fetch(`${shop.url}/menu`)).text();
    expect(dishes.filter((name) => !menu.includes(name))).toEqual([]);
    await page.getByRole('button', { name: 'Another file' }).click();
  });

  await test.step('a saved page', async () => {
    const file = { name: 'menu.html', mimeType: 'text/html', buffer: Buffer.from(html('Grills', 'Grilled ')) };
    await choose(page, file);
    await expect(page.getByText('76 new, 0 changed, 0 unchanged.')).toBeVisible();
  });
});
