import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  chooseWay,
  fillCollection,
  goToCheckout,
  openPart,
  orderPage,
  payWith,
  phone,
  placeOrder,
  tabTo,
} from './storefront.ts';

/** Finds every element by its role and name, like a screen reader; axe checks every state on the way. */
async function orderByRoles(page: Page): Promise<void> {
  await page.goto('/menu');
  await expect(page.getByRole('heading', { name: 'Menu', level: 1 })).toBeVisible();
  await expectAccessible(page, 'menu');

  await page.getByRole('button', { name: 'Diet' }).click();
  const filter = page.getByRole('dialog', { name: /your diet/ });
  await filter.getByRole('checkbox', { name: /Halal/ }).check();
  await expectAccessible(page, 'filters open');
  await filter.getByRole('button', { name: /^Show \d+ dish/ }).click();
  await expect(page.getByRole('status').filter({ hasText: /dishes found/ })).toBeVisible();
  await expectAccessible(page, 'menu filtered');
  await page.getByRole('button', { name: 'Remove filter: Halal' }).click();
  await expect(page.getByRole('status').filter({ hasText: /dishes found/ })).toBeHidden();

  await page.getByRole('link', { name: new RegExp(`^${burger}`) }).click();
  const dish = page.getByRole('dialog', { name: burger });
  await expect(dish.getByRole('button', { name: /^Add £/ })).toBeVisible();
  await expectAccessible(page, 'dish open');
  await dish.getByRole('button', { name: 'One more: Quantity' }).click();
  await dish.getByRole('button', { name: /^Add £/ }).click();
  await expect(dish).toBeHidden();
  await goToCheckout(page);
  await expectAccessible(page, 'checkout');

  await page.getByRole('button', { name: /^(Pay|Place order)/ }).click();
  const summary = page.getByRole('alert');
  await expect(summary).toBeFocused();
  await expectAccessible(page, 'checkout with errors');
  await summary.getByRole('link', { name: /name/i }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();

  await chooseWay(page, 'Delivery');
  await page.getByRole('textbox', { name: 'Postcode' }).fill('cv212aa');
  await expect(page.getByRole('status').filter({ hasText: 'We deliver to you' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Address' }).fill('12 Park Road');
  await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
  await page.getByRole('textbox', { name: 'Phone' }).fill('07700 900456');
  await openPart(page, 'when');
  await page.getByRole('radio', { name: 'Choose a time' }).check();
  await expect(page.getByRole('combobox', { name: 'Time' })).toBeEnabled();
  await page.getByRole('radio', { name: /As soon as possible/ }).check();
  await payWith(page, 'Cash');
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.waitForURL(orderPage);
  await expect(page.getByRole('heading', { level: 1, name: /Waiting for the shop/ })).toBeVisible();
  await expectAccessible(page, 'order placed');

  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expectAccessible(page, 'cancel asked');
  await page.getByRole('dialog').getByRole('button', { name: /^Yes/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /cancelled/ })).toBeVisible();
  await expectAccessible(page, 'order cancelled');
}

test('an order by roles and labels alone on a phone, and axe finds nothing on the way', async ({ window }) => {
  await orderByRoles(await window(phone));
});

test('an order by roles and labels alone on a desktop in the dark, and axe finds nothing on the way', async ({
  window,
}) => {
  await orderByRoles(await window({ colorScheme: 'dark' }));
});

test('an order by keyboard alone', async ({ window }) => {
  const page = await window();
  await page.goto('/menu');
  await expect(page.getByRole('searchbox')).toBeEditable();
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type('clasic cheseburger');
  const dish = page.getByRole('link', { name: new RegExp(`^${burger}`) }).first();
  await expect(page.getByRole('status').filter({ hasText: /found/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await tabTo(page, dish);
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: burger });
  await tabTo(page, sheet.getByRole('button', { name: /^Add £/ }));
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
  await expect(dish).toBeFocused();

  await tabTo(page, page.getByRole('link', { name: /^Checkout/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('radio', { name: /^Delivery/ }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: /^Collection/ })).toBeChecked();
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.type('Ada Lovelace');
  await tabTo(page, page.getByLabel('Phone'));
  await page.keyboard.type('07700 900123');
  await tabTo(page, page.getByRole('button', { name: /^How would you like to pay/ }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('radio', { name: /^Card/ }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, page.getByRole('button', { name: /^Place order/ }));
  await page.keyboard.press('Enter');
  await page.waitForURL(orderPage);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Waiting for the shop/);
});

test('an earlier order is ordered again with one tap, and changes are shown before it enters the basket', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await page.goto('/register');
  await page.getByLabel('Name').fill('Dorothy Vaughan');
  await page.getByLabel('Email').fill(`dorothy-${Date.now()}@example.com`);
  await page.getByLabel('Phone').fill('07700 900321');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.waitForURL((url) => url.pathname !== '/register');
  await page.goto('/customer/orders');
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  await expectAccessible(page, 'no orders yet');

  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await openPart(page, 'notes');
  await page.getByLabel(/Allergies/).fill('Sesame');
  const id = await placeOrder(page);
  await shop.api('POST', `/v1/orders/${id}/accept`, { minutes: 20 }, shop.adminToken);
  await shop.api('POST', `/v1/orders/${id}/cancel`, { reason: 'The grill has broken down.' }, shop.adminToken);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/cancelled/);
  await expect(page.getByText('The grill has broken down.')).toBeVisible();
  await expectAccessible(page, 'order cancelled by the shop');

  await page.goto('/customer/orders');
  await page.getByRole('button', { name: /^Order again/ }).click();
  await page.waitForURL('/checkout');
  await expect(page.getByRole('region', { name: 'Your basket' })).toContainText(burger);
  await expect(page.getByLabel(/Allergies/)).toHaveValue('Sesame');
});
