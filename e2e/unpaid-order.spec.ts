import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { readOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  fillCollection,
  goToCheckout,
  orderIdOf,
  orderPage,
  payByCard,
  phone,
  placeOrder,
} from './storefront.ts';

const chips = 'Skin-on chips';
const basket = (page: Page) => page.getByRole('region', { name: 'Your basket' });
const waits = (page: Page) => page.getByRole('status').filter({ hasText: 'is waiting for your payment' });

/** Goes to the payment page with an order of a burger with a note; returns that order. */
async function goToPaying(page: Page): Promise<void> {
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await page.getByLabel(/Allergies/).fill('No nuts please');
  await page.getByLabel('Note for your order').fill('Back door');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByRole('radio', { name: '£2.00', exact: true }).check({ force: true });
  await payByCard(page);
}

/** The notice of the waiting order, at the checkout or on the home page. */
async function waitingId(page: Page): Promise<string> {
  const href = (await waits(page).getByRole('link', { name: 'See the order' }).getAttribute('href')) ?? '';
  return href.split('/').at(-1) ?? '';
}

test('Back from the payment page restores the basket, and ordering again replaces the unpaid order', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.goBack();
  await expect(waits(page)).toBeVisible();
  const first = await waitingId(page);
  await expect(basket(page)).toContainText(burger);
  await expect(page.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await expect(page.getByLabel('Note for your order')).toHaveValue('Back door');
  await expect(page.getByRole('radio', { name: '£2.00', exact: true })).toBeChecked();
  await expectAccessible(page, 'back from the payment page');

  // With one more dish, and paid in cash: one order goes to the kitchen.
  await page.getByRole('link', { name: 'Back to the menu' }).click();
  await addDish(page, chips);
  await goToCheckout(page);
  await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  const second = await placeOrder(page);
  expect(second).not.toBe(first);
  expect(await readOrder(shop, { id: first })).toMatchObject({ status: 'cancelled' });
  const order = await readOrder(shop, { id: second });
  expect(order).toMatchObject({ status: 'placed', allergy_note: 'No nuts please', tip: 200 });
  expect(order.lines.map(({ name }) => name)).toEqual([burger, chips]);
  await page.goto('/checkout');
  await expect(page.getByText('Nothing in here yet')).toBeVisible();
});

test('in another tab the details of an unpaid order stay with it, above all its allergies', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const first = orderIdOf(page);
  for (const begin of ['/checkout', `/orders/${first}`]) {
    const other = await page.context().newPage();
    await other.goto(begin);
    if (begin !== '/checkout') await other.getByRole('button', { name: 'Change the order' }).click();
    await other.waitForURL('/checkout');
    await expect(other.getByLabel(/Allergies/)).toHaveValue('No nuts please');
    await expect(other.getByLabel('Note for your order')).toHaveValue('Back door');
    await expect(other.getByLabel('Name')).toHaveValue('Grace Hopper');
    await expect(other.getByLabel('Email')).toHaveValue('grace@example.com');
    await expect(other.getByRole('radio', { name: '£2.00', exact: true })).toBeChecked();
    await other.close();
  }

  // A reload does not restore what was changed there.
  const other = await page.context().newPage();
  await other.goto('/checkout');
  await other.getByLabel(/Allergies/).fill('No nuts, no sesame');
  await other.reload();
  await expect(other.getByLabel(/Allergies/)).toHaveValue('No nuts, no sesame');
  await other.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  const second = await placeOrder(other);
  expect(await readOrder(shop, { id: first })).toMatchObject({ status: 'cancelled' });
  expect(await readOrder(shop, { id: second })).toMatchObject({
    status: 'placed',
    allergy_note: 'No nuts, no sesame',
    note: 'Back door',
    tip: 200,
    contact: { name: 'Grace Hopper', email: 'grace@example.com' },
  });
});

test('once the order is paid the basket is empty, even if the customer does not return from the payment page', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.getByRole('button', { name: 'Approve the payment' }).click();
  await page.waitForURL(orderPage);
  await page.goto('/checkout');
  await expect(page.getByText('Nothing in here yet')).toBeVisible();

  await goToPaying(page);
  const payAt = page.url();
  const other = await page.context().newPage();
  await other.goto('/checkout');
  await expect(basket(other)).toContainText(burger);
  await page.goto(payAt);
  await page.getByRole('button', { name: 'Approve the payment' }).click();
  await page.waitForURL(orderPage);
  const id = orderIdOf(page);
  await page.close();
  // The other tab receives the change, and offers nothing to pay a second time.
  await expect(other.getByText('Nothing in here yet')).toBeVisible();
  expect(await readOrder(shop, { id })).toMatchObject({ status: 'placed' });
});

test('if the order is paid after all, dishes added since stay in the basket, and nothing is ordered twice', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await goToPaying(page);
  const payAt = page.url();
  await page.goBack();
  await expect(waits(page)).toBeVisible();
  const first = await waitingId(page);
  await page.getByRole('link', { name: 'Back to the menu' }).click();
  await addDish(page, chips);
  await goToCheckout(page);
  await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  // The checkout does not receive the payment's event.
  await page.route(new RegExp(`/v1/orders/${first}$`), (route) => route.abort());
  await page.routeWebSocket(/\/app\//, (socket) => void socket.close());
  await page.reload();
  const other = await page.context().newPage();
  await other.goto(payAt);
  await other.getByRole('button', { name: 'Approve the payment' }).click();
  await other.waitForURL(orderPage);
  await expect.poll(async () => (await readOrder(shop, { id: first })).status).toBe('placed');
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.waitForURL(new RegExp(`/orders/${first}$`));
  await page.unrouteAll();
  await page.goto('/checkout');
  await expect(basket(page)).toContainText(chips);
  await expect(waits(page)).toHaveCount(0);
});

test('the page of an order that waits for its payment can change and cancel it', async ({ shop, window }) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const first = orderIdOf(page);
  await expectAccessible(page, 'an order that waits for its payment');
  // As on another day: the basket is empty.
  await page.evaluate(
    'localStorage.removeItem("basket"); localStorage.removeItem("waiting_order"); sessionStorage.clear()',
  );
  await page.reload();
  await page.getByRole('button', { name: 'Change the order' }).click();
  await page.waitForURL('/checkout');
  await expect(basket(page)).toContainText(burger);
  await expect(page.getByLabel('Name')).toHaveValue('Grace Hopper');
  await expect(page.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await expect(page.getByLabel('Note for your order')).toHaveValue('Back door');
  await expect(page.getByLabel('Email')).toHaveValue('grace@example.com');
  await expect(page.getByRole('radio', { name: '£2.00', exact: true })).toBeChecked();
  await payByCard(page);
  expect(await readOrder(shop, { id: first })).toMatchObject({ status: 'cancelled' });

  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const second = orderIdOf(page);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expectAccessible(page, 'asked whether to cancel');
  await page.getByRole('dialog').getByRole('button', { name: /^Yes/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /cancelled/ })).toBeVisible();
  expect(await readOrder(shop, { id: second })).toMatchObject({ status: 'cancelled' });
  // It was cancelled: nothing of it remains in the basket by accident.
  await page.goto('/checkout');
  await expect(page.getByText('Nothing in here yet')).toBeVisible();
});

test('an order whose time to pay has ended can be ordered again once, also from another tab, with all its details', async ({
  window,
}) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const id = orderIdOf(page);
  const other = await page.context().newPage();
  await page.close();
  // The shop's answer half an hour later.
  await other.route(`**/v1/orders/${id}`, async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { data: { ...data, status: 'expired', actions: [] } } });
  });
  await other.goto(`/orders/${id}`);
  await other.getByRole('button', { name: /^Order again/ }).click();
  await other.waitForURL('/checkout');
  await expect(basket(other).locator('output')).toHaveText('1');
  await expect(other.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await expect(other.getByLabel('Email')).toHaveValue('grace@example.com');
});

test('without a connection the page of a waiting order says that nothing was sent', async ({ window }) => {
  const page = await window(phone);
  await goToPaying(page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const inCash = page.getByRole('button', { name: /cash/ });
  await expect(inCash).toBeVisible();
  await page.context().setOffline(true);
  await inCash.click();
  await expect(page.getByRole('alert').filter({ hasText: 'nothing was sent' })).toBeVisible();
});
