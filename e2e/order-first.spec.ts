import { sendOrder, moveOrder } from './orders.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { addDish, fillCollection, goToCheckout, orderPage, phone, placeOrder, untilAlive } from './storefront.ts';

const menus = /\/v1\/menus|\/shop\//;

test('an order is shown and updated from its link even if the menu never loads', async ({ shop, window }) => {
  const order = await sendOrder(shop);
  const page = await window(phone);
  const asked: string[] = [];
  await page.route(menus, (route) => void asked.push(route.request().url()));
  await page.goto(`/orders/${order.id}`);
  await expect(page.getByText(`Order ${order.number}`, { exact: true })).toBeVisible();
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText('Waiting for the shop');
  await expectAccessible(page, 'an order from its link, without the menu');
  // Of another person's order it shows nothing about the customer, once the shop knows who is looking.
  await expect(page.getByText('Names, addresses and notes are shown only')).toBeVisible();
  await moveOrder(shop, order, 'accept', { minutes: 25 });
  await expect(headline).not.toContainText('Waiting');
  await expect(page).toHaveTitle(new RegExp(`^Order ${order.number}`));
  expect(asked).toEqual([]);
});

test('an order can be read before any script runs', async ({ shop, window }) => {
  const order = await sendOrder(shop);
  const page = await window({ ...phone, javaScriptEnabled: false });
  await page.goto(`/orders/${order.id}`);
  await expect(page.getByText(`Order ${order.number}`, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Waiting for the shop');
  await expect(page.getByText('Names, addresses and notes are shown only')).toBeHidden();
});

test('the customer sees the whole order, and Order again loads the menu', async ({ shop, window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page, 'Ada Lovelace');
  const id = await placeOrder(page);
  await moveOrder(shop, { id }, 'accept', { minutes: 25 });
  await moveOrder(shop, { id }, 'collected-by-customer');

  let letThrough = () => {};
  const isHeld = new Promise<void>((resolve) => (letThrough = resolve));
  let asks = 0;
  await page.route(menus, async (route) => {
    asks += 1;
    await isHeld;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText('Ada Lovelace')).toBeVisible();
  const again = page.getByRole('button', { name: /Order again|again/ });
  await untilAlive(again);
  expect(asks).toBe(0);
  await again.click();
  await expect(again).toHaveAttribute('aria-disabled', 'true');
  await expect(page).toHaveURL(orderPage);
  letThrough();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await expect(page.getByText('Classic cheeseburger').first()).toBeVisible();
});

test('Order again says so when the menu cannot load, and works the next time', async ({ shop, window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  const id = await placeOrder(page);
  await moveOrder(shop, { id }, 'accept', { minutes: 25 });
  await moveOrder(shop, { id }, 'collected-by-customer');
  await page.reload();
  const again = page.getByRole('button', { name: /again/ });
  await untilAlive(again);
  await page.route(menus, (route) => route.abort());
  // The third failure is reported on the console, in the contract's own words.
  await page.evaluate('console.error = () => undefined');
  await again.click();
  await expect(page.getByRole('status').filter({ hasText: /connection|reach/ })).toBeVisible();
  await page.unroute(menus);
  await again.click();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
});
