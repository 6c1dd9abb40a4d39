import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openBoard, ticket } from './board.ts';
import { readOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  chooseWay,
  fillCollection,
  goToCheckout,
  openPart,
  orderIdOf,
  orderPage,
  payByCard,
  payWith,
  phone,
  placeOrder,
} from './storefront.ts';

test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } });

async function fillDelivery(page: Page): Promise<void> {
  await chooseWay(page, 'Delivery');
  await page.getByLabel('Postcode').fill('cv212aa');
  await page.getByRole('textbox', { name: 'Address' }).fill('12 Park Road');
  await openPart(page, 'who');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await payWith(page, 'Cash');
}

test('a card order and a cash order from the menu to the end, in three windows, one of which loses its connection', async ({
  shop,
  window,
}) => {
  const customer = await window(phone);
  const first = await openBoard(shop, await window());
  const second = await openBoard(shop, await window());

  // By card, for collection: to the payment page, approved, and back.
  await customer.goto('/menu');
  await addDish(customer);
  await addDish(customer, 'Skin-on chips');
  await goToCheckout(customer);
  await fillCollection(customer);
  await payByCard(customer);
  await customer.getByRole('button', { name: 'Approve the payment' }).click();
  await customer.waitForURL(orderPage);
  const cardId = orderIdOf(customer);
  const byCard = await readOrder(shop, { id: cardId });
  const onFirst = ticket(first, byCard);
  const onSecond = ticket(second, byCard);
  await expect(onFirst).toBeVisible();
  await expect(onSecond).toBeVisible();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/Waiting for the shop/);

  await onFirst.getByRole('button', { name: /^Accept/ }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/kitchen|cooking|making/i);
  await expect
    .poll(async () => (await shop.api('GET', `/v1/orders/${cardId}`)).body['data'])
    .toMatchObject({ payment_status: 'paid' });

  // The customer's connection drops; once it is back, the page shows what happened meanwhile.
  await customer.context().setOffline(true);
  await onSecond.getByRole('button', { name: 'Packed' }).click();
  await expect(onFirst).toHaveAttribute('data-status', 'packed');
  await customer.context().setOffline(false);
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/ready/i);
  await onFirst.getByRole('button', { name: 'Customer has it' }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/collected|enjoy/i);

  // In cash, delivered.
  await customer.goto('/menu');
  await addDish(customer, 'Tikka masala');
  await customer.getByRole('button', { name: /View basket/ }).click();
  await customer
    .getByRole('dialog')
    .getByRole('button', { name: /One more: Tikka masala/ })
    .click();
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await fillDelivery(customer);
  await openPart(customer, 'notes');
  await customer.getByLabel(/Allergies/).fill('No nuts please');
  const cashId = await placeOrder(customer);
  const inCash = ticket(second, await readOrder(shop, { id: cashId }));
  await expect(inCash).toContainText('No nuts please');
  await inCash.getByRole('button', { name: /^Accept/ }).click();
  await inCash.getByRole('button', { name: 'Packed' }).click();
  await inCash.getByRole('button', { name: 'Driver has it' }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/way/i);
  await inCash.getByRole('button', { name: 'Delivered' }).click();
  // The focus is on what the customer chose.
  const paid = second.getByRole('dialog', { name: /how was the £.* paid\?$/ });
  await expect(paid.getByRole('button', { name: 'In cash' })).toBeFocused();
  await expectAccessible(second);
  await paid.getByRole('button', { name: 'In cash' }).press('Enter');
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/delivered|enjoy/i);
  const { body } = await shop.api('GET', `/v1/orders/${cashId}`);
  expect(body['data']).toMatchObject({ status: 'delivered', payment_status: 'paid', paid_by: 'cash' });
});

test('after a declined card a customer can try again, or pay in cash', async ({ shop, window }) => {
  const customer = await window(phone);
  await customer.goto('/menu');
  await addDish(customer);
  await goToCheckout(customer);
  await fillCollection(customer);
  await payByCard(customer);
  await customer.getByRole('button', { name: 'Decline the card' }).click();
  await customer.waitForURL(orderPage);
  await customer.getByRole('button', { name: /cash/i }).click();
  await expect
    .poll(async () => (await shop.api('GET', `/v1/orders/${orderIdOf(customer)}`)).body['data'])
    .toMatchObject({
      status: 'placed',
      payment_method: 'cash',
    });
});

test('a link to an order shows a stranger its progress and nothing about its customer', async ({ shop, window }) => {
  const customer = await window(phone);
  await customer.goto('/menu');
  await addDish(customer);
  await goToCheckout(customer);
  await fillDelivery(customer);
  await customer.getByRole('dialog').waitFor({ state: 'hidden' });
  await customer
    .getByRole('button', { name: new RegExp(`One more: ${burger}`) })
    .first()
    .click();
  await placeOrder(customer);
  await expect(customer.locator('main')).toContainText('12 Park Road');
  const stranger = await window();
  await stranger.goto(`/orders/${orderIdOf(customer)}`);
  await expect(stranger.locator('main')).toContainText(burger);
  await expect(stranger.locator('main')).not.toContainText('Grace');
  await expect(stranger.locator('main')).not.toContainText('12 Park Road');
  expect((await shop.api('GET', `/v1/orders/${orderIdOf(customer)}`)).status).toBe(200);
});
