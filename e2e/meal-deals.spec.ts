import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openOffice } from './office.ts';
import { readOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import { fillCollection, goToCheckout, phone, placeOrder } from './storefront.ts';

const saved = (page: Page) => expect(page.locator('[data-saving="saved"]')).toBeAttached();

/** Types the rows of a quick entry, each by its fields' names, and saves them. */
async function typeRows(form: Locator, names: [string, string], rows: [string, string][]): Promise<void> {
  for (const [at, [name, price]] of rows.entries()) {
    await form.getByLabel(`${names[0]} ${at + 1}`, { exact: true }).fill(name);
    await form.getByLabel(`${names[1]} ${at + 1}`, { exact: true }).fill(price);
  }
  await form.getByRole('button', { name: 'Add to the dish' }).click();
  await expect(form).toBeHidden();
}

/** Picks a deal's dish in a row by searching for it. */
async function pickDish(page: Page, field: Locator, dish: string): Promise<void> {
  await field.fill(dish);
  await page.getByRole('option', { name: new RegExp(`^${dish} · `) }).click();
}

test('an owner makes a pizza with sizes and toppings and a curry deal on a phone, and a customer orders both', async ({
  shop,
  window,
}) => {
  const office = await openOffice(shop, await window(phone), '/admin/menuEditor');
  await office.getByRole('button', { name: 'category Curries', exact: true }).click();
  const panel = office.getByRole('dialog');

  await test.step('a pizza whose sizes are its price, with toppings that add to it', async () => {
    await panel.getByRole('textbox', { name: 'New dish' }).fill('Rustica');
    await panel.getByRole('textbox', { name: 'Price', exact: true }).fill('8');
    await panel.getByRole('button', { name: 'Add a new dish' }).click();
    await panel.getByRole('button', { name: 'Rustica', exact: true }).click();
    await panel.getByRole('button', { name: /^Sizes/ }).click();
    const sizes = panel.getByRole('form', { name: 'Sizes' });
    // A price that nobody can read is asked for at its row, and nothing is saved.
    await sizes.getByLabel('Size 1', { exact: true }).fill('9 inch');
    await sizes.getByRole('button', { name: 'Add to the dish' }).click();
    await expect(sizes.getByText('Enter an amount such as £1.50.')).toBeVisible();
    await expectAccessible(office, 'sizes');
    await typeRows(
      sizes,
      ['Size', 'Price'],
      [
        ['9 inch', '8'],
        ['12 inch', '11.50'],
      ],
    );
    await expect(panel.getByText('Customers see: from £8.00')).toBeVisible();
    await expect(panel.getByRole('button', { name: /^Sizes This dish has sizes already/ })).toBeDisabled();
    await panel.getByRole('button', { name: /^Toppings/ }).click();
    await typeRows(
      panel.getByRole('form', { name: 'Toppings / extras' }),
      ['Extra', 'Adds'],
      [
        ['Olives', '1'],
        ['Basil', ''],
      ],
    );
    await saved(office);
  });

  await test.step('a deal whose choices are dishes of the menu', async () => {
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await office.getByRole('button', { name: 'category Curries', exact: true }).click();
    await panel.getByRole('textbox', { name: 'New dish' }).fill('Curry deal for two');
    await panel.getByRole('textbox', { name: 'Price', exact: true }).fill('20');
    await panel.getByRole('button', { name: 'Add a new dish' }).click();
    await panel.getByRole('button', { name: 'Curry deal for two', exact: true }).click();
    await panel.getByRole('button', { name: /^Meal deal/ }).click();
    const deal = panel.getByRole('form', { name: 'Meal deal' });
    await deal.getByLabel('What customers read above it').fill('Choose two curries');
    await deal.getByLabel('How many do they pick?').fill('2');
    await pickDish(office, deal.getByRole('combobox', { name: 'Dish 1' }), 'Lamb rogan josh');
    await pickDish(office, deal.getByRole('combobox', { name: 'Dish 2' }), 'Rustica');
    await deal.getByLabel('Adds 1', { exact: true }).fill('1.50');
    await expectAccessible(office, 'meal deal');
    await deal.getByRole('button', { name: 'Add to the dish' }).click();
    await expect(deal).toBeHidden();
    await panel.getByRole('button', { name: 'Choose two curries', exact: true }).click();
    // The dish's required choice, its size, has an answer in the deal.
    await panel.getByRole('button', { name: 'Rustica (9 inch)', exact: true }).click();
    await panel.getByLabel('Size', { exact: true }).selectOption('12 inch');
    await expect(panel.getByRole('heading', { name: /Rustica \(12 inch\)/ })).toBeVisible();
    await expectAccessible(office, 'choice of a deal');
    await panel.getByRole('button', { name: 'Back to Choose two curries' }).click();
    await panel.getByRole('button', { name: 'Rustica (12 inch)', exact: true }).click();
    await saved(office);
  });

  await test.step('a customer orders the pizza and the deal', async () => {
    const page = await window(phone);
    await page.goto('/menu');
    await page
      .getByRole('link', { name: /^Rustica/ })
      .first()
      .click();
    const pizza = page.getByRole('dialog', { name: 'Rustica' });
    await pizza.getByRole('radio', { name: /12 inch/ }).check({ force: true });
    await pizza.getByRole('checkbox', { name: /Olives/ }).check({ force: true });
    await pizza.getByRole('button', { name: 'Add £12.50' }).click();
    await page
      .getByRole('link', { name: /^Curry deal for two/ })
      .first()
      .click();
    const deal = page.getByRole('dialog', { name: 'Curry deal for two' });
    await deal.getByRole('checkbox', { name: /Lamb rogan josh/ }).check({ force: true });
    await deal.getByRole('checkbox', { name: /Rustica/ }).check({ force: true });
    await deal.getByRole('button', { name: 'Add £21.50' }).click();
    await goToCheckout(page);
    await fillCollection(page);
    const id = await placeOrder(page);
    await expect(page.getByText(/Lamb rogan josh.*, Rustica \(12 inch\)/)).toBeVisible();
    expect(await readOrder(shop, { id })).toMatchObject({
      total: 3400,
      lines: [
        { name: 'Rustica', unit_price: 1250 },
        { name: 'Curry deal for two', unit_price: 2150 },
      ],
    });
  });

  await test.step('a dish that somebody else deletes is missing in the deal until another takes its place', async () => {
    const path = `/v1/menus/store/${shop.storeId}/parts`;
    type Parts = {
      items: { id: string; name: string }[];
      options: { id: string; name: string; item_id: string | null }[];
    };
    const parts = async () => (await shop.api('GET', path, undefined, shop.adminToken)).body['data'] as Parts;
    const idOf = async (name: string) => (await parts()).items.find((item) => item.name === name)?.id ?? '';
    const rustica = await idOf('Rustica');
    const choice = (await parts()).options.find(({ item_id }) => item_id === rustica)?.id;
    const dishNow = async () => (await parts()).options.find(({ id }) => id === choice)?.item_id;
    await shop.api('DELETE', `/v1/items/${rustica}`, undefined, shop.adminToken);
    const gone = panel.getByText('“Rustica” was deleted, so customers do not see this choice.');
    await expect(gone).toBeVisible();
    await pickDish(office, panel.getByRole('combobox', { name: 'Another dish' }), 'Plain naan');
    await saved(office);
    await expect.poll(dishNow).toBe(await idOf('Plain naan'));
    // Once the dish is back, so is the choice of it.
    await shop.api('POST', `/v1/items/${rustica}/restore`, undefined, shop.adminToken);
    await office.locator('[data-notices]').getByRole('button', { name: 'Undo' }).last().click();
    await expect(panel.getByRole('button', { name: 'Open Rustica' })).toBeVisible();
    await expect.poll(dishNow).toBe(rustica);
  });
});
