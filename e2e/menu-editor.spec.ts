import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Shop } from '#testing/running-shop.ts';
import { openOffice } from './office.ts';
import { expectAccessible, showIn } from './accessible.ts';
import { expect, test } from './shop.ts';

interface Parts {
  menus: { id: string; name: string }[];
  categories: { id: string; name: string; item_ids: string[] }[];
  items: { id: string; name: string; price: number; image: string | null; option_groups: { id: string }[] }[];
  option_groups: { id: string; pricing: string; options: { id: string }[] }[];
  options: { id: string; name: string; price: number }[];
}
async function partsOf(shop: Shop): Promise<Parts> {
  const { body } = await shop.api('GET', `/v1/menus/store/${shop.storeId}/parts`, undefined, shop.adminToken);
  return body['data'] as Parts;
}
const orderIn = async (shop: Shop, category: string): Promise<string[]> => {
  const { categories, items } = await partsOf(shop);
  const ids = categories.find(({ name }) => name === category)?.item_ids ?? [];
  return ids.map((id) => items.find((item) => item.id === id)?.name ?? '');
};
const saved = (page: Page) => expect(page.locator('[data-saving="saved"]')).toBeVisible();
const line = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

const undo = (page: Page) => page.locator('[data-notices]').getByRole('button', { name: 'Undo' }).last().click();

test('an owner changes prices, names and parts in the tree by keyboard, and takes them back', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.clock.install();
  await openOffice(shop, page, '/admin/menuEditor');
  const before = await partsOf(shop);

  await test.step('the prices of a whole category are previewed, changed, and undone as one edit', async () => {
    const burgers = before.categories.find(({ name }) => name === 'Burgers');
    const pricesOf = ({ items }: Parts) =>
      items.filter(({ id }) => burgers?.item_ids.includes(id)).map(({ price }) => price);
    await page.getByRole('button', { name: 'Change prices' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Which dishes').selectOption('Burgers');
    await dialog.getByLabel('Percent; use a minus to lower prices').fill('10');
    await dialog.getByLabel('Rounding').selectOption('To .99');
    await expect(dialog.getByRole('region', { name: 'Old and new prices' })).toContainText('.99');
    expect(pricesOf(await partsOf(shop))).toEqual(pricesOf(before));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /^Change \d+ prices$/ }).click();
    await saved(page);
    await expect.poll(async () => pricesOf(await partsOf(shop)).every((price) => price % 100 === 99)).toBe(true);
    await undo(page);
    await expect.poll(async () => pricesOf(await partsOf(shop))).toEqual(pricesOf(before));
  });

  await test.step('prices are planned for a day and time, seen, and taken back', async () => {
    await page.getByRole('button', { name: 'Change prices' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Which dishes').selectOption('Burgers');
    await dialog.getByText('On a day and time').click();
    await dialog.getByLabel('From this day and time').fill('2999-03-01T06:00');
    await dialog.getByRole('button', { name: /^Change \d+ prices later$/ }).click();
    await saved(page);
    const planned = page.getByRole('alert').filter({ hasText: 'Prices that change later' });
    await expect(planned).toContainText('at 06:00 on Friday 1 March: BBQ onion ring stack');
    await expectAccessible(page);
    await planned.getByRole('button', { name: 'Take back' }).click();
    await expect(planned).toBeHidden();
    await saved(page);
  });

  await test.step('several dishes get sizes at once, but none that another editor gives sizes meanwhile', async () => {
    const names = ['Buttermilk chicken burger', 'Tandoori chicken burger', 'Hot honey chicken burger'];
    const sizesOf = ({ items, option_groups: groups, options }: Parts) =>
      names.map((name) => {
        const onDish = items.find((item) => item.name === name)?.option_groups ?? [];
        const sizes = groups.find(({ id, pricing }) => pricing === 'is_price' && onDish[0]?.id === id)?.options ?? [];
        return sizes.map(({ id }) => options.find((option) => option.id === id)?.price);
      });
    await page.getByLabel('Search the menu').fill('chicken burger');
    for (const name of names)
      await page
        .getByRole('checkbox', { name: `Select ${name}` })
        .first()
        .check();
    await page.getByRole('button', { name: 'Add sizes' }).click();
    const dialog = page.getByRole('dialog', { name: /^Add sizes to/ });
    await dialog.getByLabel('Size 1', { exact: true }).fill('Single');
    await dialog.getByLabel('Size 2', { exact: true }).fill('Double');
    await dialog.getByLabel('Adds 2', { exact: true }).fill('lots');
    await dialog.getByRole('button', { name: 'Add to 3 dishes' }).click();
    await expect(dialog.getByText('Enter an amount such as £1.50.')).toBeVisible();
    await dialog.getByLabel('Adds 2', { exact: true }).fill('2.50');
    await expect(dialog.getByLabel('Buttermilk chicken burger, Double')).toHaveAttribute('placeholder', '£11.45');
    await dialog.getByLabel('Tandoori chicken burger, Double').fill('12');
    await expectAccessible(page);

    const { body } = await shop.api(
      'POST',
      '/v1/option-groups',
      { store_id: shop.storeId, name: 'Portion', pricing: 'is_price', min_select: 1, max_select: 1 },
      shop.adminToken,
    );
    const { id: portion } = body['data'] as { id: string };
    const honey = before.items.find(({ name }) => name === 'Hot honey chicken burger')?.id;
    await shop.api('POST', `/v1/items/${honey}/option-groups/add`, { option_groups: [portion] }, shop.adminToken);
    await expect(dialog.getByText('Hot honey chicken burger has sizes already and stays as it is.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Add to 2 dishes' }).click();
    await saved(page);
    await expect.poll(async () => sizesOf(await partsOf(shop))).toEqual([[895, 1145], [925, 1200], []]);
    await undo(page);
    await expect.poll(async () => sizesOf(await partsOf(shop))).toEqual([[], [], []]);
    await shop.api('DELETE', `/v1/option-groups/${portion}`, undefined, shop.adminToken);
    await page.getByLabel('Search the menu').fill('');
  });

  await test.step('the keys of a line work after a click on its name', async () => {
    await page.getByRole('button', { name: 'category Curries', exact: true }).click();
    await page.keyboard.press('F2');
    await expect(page.getByLabel('New name for Curries')).toBeFocused();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'category Curries', exact: true }).click();
    await page.keyboard.press('ArrowUp');
    await expect(page.locator('[role=row]:focus')).toBeVisible();
    await expect(line(page, 'category Curries')).not.toBeFocused();
  });

  await test.step('a deleted part comes back with Ctrl+Z, to its old place', async () => {
    await line(page, 'category Curries').focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('dialog', { name: 'Delete Curries?' })).toContainText(
      'dishes stay, but are no longer in this category',
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(line(page, 'category Curries')).toBeHidden();
    await expect.poll(async () => (await partsOf(shop)).categories.length).toBe(before.categories.length - 1);
    await page.keyboard.press('Control+z');
    await expect(line(page, 'category Curries')).toBeVisible();
    await expect.poll(async () => (await partsOf(shop)).categories).toEqual(before.categories);
  });

  await test.step('the menu is not hidden or deleted while customers order from it, unless the owner says so', async () => {
    await line(page, 'menu Menu').getByRole('button', { name: 'What to do with Menu' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    const hiding = page.getByRole('dialog', { name: 'Take Menu off sale now?' });
    await hiding.getByRole('button', { name: 'Cancel' }).click();
    await expect(hiding).toBeHidden();
    await line(page, 'menu Menu').focus();
    await page.keyboard.press('Delete');
    const deleting = page.getByRole('dialog', { name: 'Delete Menu?' });
    await expect(deleting).toContainText('This takes effect now: customers can no longer order from Menu.');
    await deleting.getByRole('button', { name: 'Cancel' }).click();
    await expect(deleting).toBeHidden();
    expect((await partsOf(shop)).menus).toEqual(before.menus);
  });

  await test.step('an invalid price stays open on Enter; after leaving the field a notice names the price that stays', async () => {
    const priceBefore = before.items.find(({ name }) => name === 'The Coalfinch')?.price;
    await page.getByLabel('Search the menu').fill('The Coalfinch');
    const price = page.getByRole('button', { name: /^Price of The Coalfinch/ }).first();
    const field = page.getByRole('textbox', { name: 'Price of The Coalfinch' });
    const notice = page.locator('[data-notices]');
    const pounds = await price.textContent();
    await price.click();
    await page.keyboard.type('1.2.3');
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription('Enter an amount such as £1.50.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.locator('[role=row]:focus')).toContainText('The Coalfinch');
    await expect(notice).not.toContainText('is not a price');
    await price.click();
    await page.keyboard.type('-4');
    await page.keyboard.press('Tab');
    await expect(notice).toContainText(`“-4” is not a price; ${pounds} was kept.`);
    await expect(price).toHaveText(pounds ?? '');

    // A notice waits while its button has the focus, and closes five seconds later.
    const kept = notice.getByRole('group').filter({ hasText: '“-4” is not a price' });
    const close = kept.getByRole('button', { name: 'Dismiss' });
    await close.focus();
    await page.clock.runFor(60_000);
    await expect(kept).toBeVisible();
    await close.blur();
    await page.clock.runFor(5100);
    await expect(kept).toHaveCount(0);

    await page.getByRole('button', { name: 'dish The Coalfinch' }).first().click();
    const panel = page.getByRole('complementary');
    await panel.getByLabel('Name', { exact: true }).fill(' ');
    await page.keyboard.press('Enter');
    await expect(panel.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a text.');
    await page.keyboard.type('The Coalfinch');
    await page.keyboard.press('Enter');
    await panel.getByLabel('Minimum age').fill('500');
    await page.keyboard.press('Tab');
    await expect(notice).toContainText('“500” is not a whole number from 1 to 99; the field stays empty.');
    expect((await partsOf(shop)).items.find(({ name }) => name === 'The Coalfinch')?.price).toBe(priceBefore);
  });
});

test('what two people change at once is shown to both, and one value must be chosen', async ({ shop, window }) => {
  const [first, second] = [await window(), await window()];
  for (const page of [first, second]) {
    await openOffice(shop, page, '/admin/menuEditor');
    await expect(page.getByLabel('Search the menu')).toBeVisible();
  }
  const dish = (await partsOf(shop)).items.find(({ name }) => name === 'The Coalfinch');
  if (!dish) throw new Error('the dish is on the menu');
  const now = async () => (await partsOf(shop)).items.find(({ id }) => id === dish.id);

  await test.step('a price that was changed without a connection', async () => {
    const priceOf = async () => (await now())?.price;
    const setPrice = async (page: Page, price: string): Promise<void> => {
      await page.getByLabel('Search the menu').fill('The Coalfinch');
      await page.getByRole('button', { name: /^Price of The Coalfinch/ }).click();
      await page.getByLabel('Price of The Coalfinch').fill(price);
      await page.keyboard.press('Enter');
    };
    await first.context().setOffline(true);
    await setPrice(first, '£14');
    await expect(first.locator('[data-saving="stuck"]')).toBeVisible();
    await setPrice(second, '1299p');
    await expect.poll(priceOf).toBe(1299);
    await first.context().setOffline(false);
    const conflict = first.getByRole('dialog', { name: 'Someone else changed The Coalfinch' });
    await expect(conflict.locator('[data-theirs]')).toHaveText('£12.99');
    await expect(conflict.locator('[data-mine]')).toHaveText('£14.00');
    await expectAccessible(first);
    expect(await priceOf()).toBe(1299);
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(priceOf).toBe(1400);
    // The other window receives it without a reload.
    await expect(second.getByRole('button', { name: /^Price of The Coalfinch: £14.00/ })).toBeVisible();
  });

  const field = (page: Page, name: string) => page.getByRole('complementary').getByLabel(name, { exact: true }).first();
  for (const page of [first, second]) await page.getByRole('button', { name: 'dish The Coalfinch' }).first().click();
  for (const { what, typed, theirs, sayTyped, sayTheirs, wanted } of [
    { what: 'Price', typed: '£15', theirs: '£12.99', sayTyped: '£15.00', sayTheirs: '£12.99', wanted: 1500 },
    ...[{ what: 'Name', typed: 'My Coalfinch', theirs: 'Their Coalfinch', wanted: 'My Coalfinch' }].map((one) => ({
      ...one,
      sayTyped: one.typed,
      sayTheirs: one.theirs,
    })),
  ]) {
    await test.step(`a ${what} that somebody else changes while it is being typed is not overwritten`, async () => {
      const valueNow = async () => (what === 'Name' ? (await now())?.name : (await now())?.price);
      await field(second, what).fill(typed);
      await field(first, what).fill(theirs);
      await field(first, what).press('Enter');
      await saved(first);
      const heard =
        what === 'Name'
          ? second.getByRole('complementary').getByRole('heading', { level: 2 })
          : second.getByRole('button', { name: /^Price of The Coalfinch/ }).first();
      await expect(heard).toContainText(sayTheirs);
      const theirValue = await valueNow();
      await field(second, what).blur();
      const conflict = second.getByRole('dialog', { name: /^Someone else changed/ });
      await expect(conflict.locator('[data-theirs]')).toHaveText(sayTheirs);
      await expect(conflict.locator('[data-mine]')).toHaveText(sayTyped);
      expect(await valueNow()).toBe(theirValue);
      await conflict.getByRole('button', { name: 'Save mine' }).click();
      await expect.poll(valueNow).toBe(wanted);
    });
  }
  await shop.api('PATCH', `/v1/items/${dish.id}`, { name: dish.name, price: dish.price }, shop.adminToken);
});

test('every list fits a phone and a desktop, in light and in dark; lists are searched by their address, and parts created, changed and deleted in them', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ viewport: { width: 360, height: 740 } }), '/admin/options');
  await page.getByRole('button', { name: 'New option', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Truffle oil');
  await page.getByRole('dialog').getByLabel('Price').fill('1.5');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Truffle oil' });
  await expect(drawer).toContainText('In no set of choices yet.');
  await expectAccessible(page);
  await drawer.getByLabel('Price').fill('175p');
  await page.keyboard.press('Enter');
  await drawer.getByRole('button', { name: 'Close', exact: true }).click();
  const priceOf = async () => (await partsOf(shop)).options.find(({ name }) => name === 'Truffle oil')?.price;
  await expect.poll(priceOf).toBe(175);
  await page.getByLabel('Search').fill('oil truffle');
  await expect(page).toHaveURL(/search=oil/);
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'Truffle oil' })).toContainText('£1.75');
  await page.getByRole('button', { name: 'Delete Truffle oil' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(priceOf).toBeUndefined();
  await undo(page);
  await expect.poll(priceOf).toBe(175);

  await test.step('sizes that are the price of a dish: what customers see shows while they are typed', async () => {
    const create = async (path: string, body: object): Promise<string> =>
      ((await shop.api('POST', `/v1/${path}`, body, shop.adminToken)).body['data'] as { id: string }).id;
    const dish = await create('items', { name: 'Royale', price: 700 });
    const sizes = await create('option-groups', { name: 'Royale size', min_select: 1 });
    const small = await create('options', { name: '9 inch', price: 700 });
    await shop.api('POST', `/v1/option-groups/${sizes}/options/add`, { options: [small] }, shop.adminToken);
    await shop.api('POST', `/v1/items/${dish}/option-groups/add`, { option_groups: [sizes] }, shop.adminToken);
    await page.goto(`${shop.url}/admin/option-groups?search=Royale`);
    await page.getByRole('button', { name: 'Royale size', exact: true }).click();
    const group = page.getByRole('dialog', { name: 'Royale size' });
    await expect(group.getByText('Customers see: £14.00')).toBeVisible();
    await expect(group.getByRole('status')).toContainText('Are these the whole prices');
    await group.getByRole('radio', { name: 'are the dish’s price' }).check();
    await expect(group.getByText('Customers see: £7.00')).toBeVisible();
    await expectAccessible(page);
    await group.getByRole('textbox', { name: 'New option' }).fill('12 inch');
    await group.getByRole('textbox', { name: 'Price', exact: true }).fill('10');
    await expect(group.getByText('Customers see: from £7.00')).toBeInViewport();
    await group.getByRole('button', { name: 'Add a new option' }).click();
    const path = `/v1/items/${dish}?include=option_groups,option_groups.options`;
    const stored = async () => (await shop.api('GET', path, undefined, shop.adminToken)).body;
    await expect
      .poll(stored)
      .toMatchObject({ data: { option_groups: [{ pricing: 'is_price', options: [{}, { price: 1000 }] }] } });
  });

  for (const [path, name] of [
    ['menus', 'Menus'],
    ['categories', 'Categories'],
    ['items', 'Dishes'],
    ['option-groups', 'Choices'],
    ['options', 'Options'],
    ['stores', 'All shops'],
  ] as const) {
    await page.evaluate(`history.pushState(null, '', '/admin/${path}')`);
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByRole('table')).toBeVisible();
    for (const [colorScheme, viewport] of [
      ['dark', { width: 360, height: 740 }],
      ['light', { width: 1280, height: 800 }],
    ] as const) {
      await page.setViewportSize(viewport);
      await showIn(page, colorScheme);
      await expectAccessible(page, `${path}, ${colorScheme}`);
    }
  }
});

test('a menu is built from nothing until a customer can order from it', async ({ shop, window }) => {
  const { menus: old } = await partsOf(shop);
  for (const { id } of old) await shop.api('DELETE', `/v1/menus/${id}`, undefined, shop.adminToken);
  const page = await openOffice(shop, await window({ reducedMotion: 'reduce' }), '/admin/menuEditor');
  const panel = page.getByRole('complementary');
  // A list of usual dishes becomes a menu of those with a price, and is taken back.
  await page.getByRole('button', { name: 'Start from a list' }).click();
  const starting = page.getByRole('dialog');
  await starting.getByRole('button', { name: 'Fish bar' }).click();
  await starting.getByLabel('Haddock', { exact: true }).fill('9.20');
  await expectAccessible(page);
  await starting.getByRole('button', { name: 'Add one dish' }).click();
  await saved(page);
  await expect.poll(() => orderIn(shop, 'Fish')).toEqual(['Haddock']);
  await undo(page);
  await page.getByRole('button', { name: 'Add a menu' }).last().click();
  await expect(panel.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('All day');
  await panel.getByRole('textbox', { name: 'New category' }).fill('Pies');
  await panel.getByRole('button', { name: 'Add a new category' }).click();
  await expect(panel.getByRole('textbox', { name: 'New category' })).toBeFocused();
  await page.getByRole('button', { name: 'category Pies', exact: true }).click();
  await panel.getByRole('textbox', { name: 'New dish' }).focus();
  for (const [name, price] of [
    ['Steak pie', '£7.50'],
    ['Leek pie', '6.5'],
    ['Fish pie', '825p'],
  ] as const) {
    // By keyboard alone: the field is empty and waits for the next dish.
    await expect(panel.getByRole('textbox', { name: 'New dish' })).toBeFocused();
    await expect(panel.getByRole('textbox', { name: 'New dish' })).toHaveValue('');
    await page.keyboard.type(name);
    await page.keyboard.press('Tab');
    await page.keyboard.type(price);
    await page.keyboard.press('Enter');
  }
  await expect.poll(() => orderIn(shop, 'Pies')).toEqual(['Steak pie', 'Leek pie', 'Fish pie']);
  await panel.getByRole('button', { name: 'Fish pie', exact: true }).click();

  await panel.locator('input[type=file]').setInputFiles({
    name: 'pie.png',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 400, height: 300, channels: 3, background: '#a52' } })
      .png()
      .toBuffer(),
  });
  await expect(panel.getByRole('img', { name: 'The current picture' })).toBeVisible();
  await panel.getByRole('textbox', { name: 'New set of choices' }).fill('Sauce');
  await panel.getByRole('button', { name: 'Add a new set of choices' }).click();
  await panel.getByLabel('At least').fill('1');
  await panel.getByLabel('At least').blur();
  await expect(panel).toContainText('Customers must choose one.');
  await expect(page.getByText('“At least” for Sauce was changed')).toBeVisible();
  for (const [name, price] of [
    ['Gravy', '50p'],
    ['Mint', '0'],
  ] as const) {
    await panel.getByRole('textbox', { name: 'New option', exact: true }).fill(name);
    await panel.getByLabel('Price', { exact: true }).fill(price);
    await panel.getByRole('button', { name: 'Add a new option' }).click();
  }
  await expect(panel).toContainText('2 options');
  await saved(page);
  // Counted as people count.
  await page.getByRole('button', { name: 'Open Pies' }).click();
  await page.getByRole('button', { name: 'dish Fish pie', exact: true }).click();
  await expect(panel.getByRole('heading', { name: '1 set of choices' })).toBeVisible();

  await page.getByRole('button', { name: 'What to do with Steak pie' }).click();
  await page.getByRole('menuitem', { name: 'Add a new dish below' }).click();
  const below = page.getByRole('dialog', { name: 'New dish below Steak pie' });
  await below.getByRole('textbox', { name: 'New dish' }).fill('Cheese pie');
  await below.getByRole('textbox', { name: 'Price' }).fill('6');
  await expectAccessible(page);
  await below.getByRole('button', { name: 'Add a new dish' }).click();
  await expect(below).toBeHidden();
  await expect.poll(() => orderIn(shop, 'Pies')).toEqual(['Steak pie', 'Cheese pie', 'Leek pie', 'Fish pie']);
  await undo(page);
  await expect.poll(() => orderIn(shop, 'Pies')).toEqual(['Steak pie', 'Leek pie', 'Fish pie']);

  // The panel is read from its top again, whatever part of another dish was looked at last.
  await panel.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  expect(await panel.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'dish Leek pie', exact: true }).click();
  await expect.poll(() => panel.evaluate((box) => box.scrollTop)).toBe(0);
  // The selected row stays under the finger.
  const pie = line(page, 'dish Fish pie');
  const place = await pie.boundingBox();
  await pie.getByRole('checkbox').check();
  await expect(page.getByRole('region', { name: 'Selection' })).toBeInViewport();
  expect(await pie.boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  expect(await pie.boundingBox()).toEqual(place);
  await expectAccessible(page);

  await line(page, 'dish Fish pie').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => orderIn(shop, 'Pies')).toEqual(['Fish pie', 'Steak pie', 'Leek pie']);
  await expect(line(page, 'dish Fish pie')).toBeFocused();
  await page.mouse.move(0, 0);
  const from = await line(page, 'dish Leek pie').locator('[data-handle]').boundingBox();
  const to = await line(page, 'dish Fish pie').boundingBox();
  if (!from || !to) throw new Error('both lines are in sight');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + to.height - 10, { steps: 8 });
  await page.mouse.move(to.x + 20, to.y + 6, { steps: 8 });
  await expect(page.locator('[data-drop]')).toBeVisible();
  await page.mouse.up();
  await expect.poll(() => orderIn(shop, 'Pies')).toEqual(['Leek pie', 'Fish pie', 'Steak pie']);

  const customer = await window();
  await customer.goto('/menu');
  await customer.getByRole('link', { name: /Fish pie/ }).click();
  await customer.getByRole('dialog').getByText('Gravy').click();
  await customer
    .getByRole('dialog')
    .getByRole('button', { name: /Add £8.75/ })
    .click();
  await expect(customer.getByText('£8.75').first()).toBeVisible();

  // Other journeys need the menu as it was.
  for (const { id } of (await partsOf(shop)).menus)
    await shop.api('DELETE', `/v1/menus/${id}`, undefined, shop.adminToken);
  for (const { id } of old) await shop.api('POST', `/v1/menus/${id}/restore`, {}, shop.adminToken);
});
